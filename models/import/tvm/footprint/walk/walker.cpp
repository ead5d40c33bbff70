#include "models/import/tvm/footprint/walk/walker.hpp"

#include "models/import/tvm/footprint/walk/interpreter.hpp"
#include "models/import/tvm/footprint/walk/labels.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::footprint {

void Walker::run(const Function& function, FunctionFootprint& result) {
  walk_.findings.begin(result);
  walk_.memory.bind(options_.binding);
  Frame frame;
  frame.function = &function;
  frame.addressed = &walk_.facts.addressed_in(function);
  walk_.scope.enter(frame);
  Interpreter interpreter(walk_);
  for (std::uint32_t i = 0; i < function.params.size(); ++i) {
    interpreter.declare_parameter(function.params[i], argument(function.params[i].type, i));
  }
  if (has_goto(walk_.unit, {function.body})) refuse_labels(walk_, {function.body});
  interpreter.execute(function.body);
  walk_.findings.check_far_accesses();
}

/// What the caller gives for a parameter.
Value Walker::argument(const CType& type, std::uint32_t index) {
  if (options_.binding != nullptr) {
    const std::vector<BoundValue>& arguments = options_.binding->arguments;
    return walk_.memory.bound_value(index < arguments.size() ? arguments[index] : BoundValue{}, type);
  }
  if (!is_pointer(type)) return walk_.arithmetic.unknown_of(type);
  ObjectId object = kNone;
  if (!options_.packed) {
    object = walk_.objects.of(Object::Kind::kParam, index);
  } else {
    object = index == 0 ? walk_.objects.of(Object::Kind::kArguments, 0) : walk_.objects.add(Object::Kind::kPrivate, 0);
  }
  return pointer_value(object, walk_.terms.constant(0));
}

}  // namespace detent::models::tvm::footprint
