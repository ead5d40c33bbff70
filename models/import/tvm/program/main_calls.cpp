#include "models/import/tvm/program/main_calls.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/files/names.hpp"
#include "models/import/tvm/files/ndarray.hpp"

namespace detent::models::tvm {

/// @param is_checked  an error of the call ends main
void MainCalls::call(const Expr& e, bool is_checked) {
  if (text_.is_message(e) && !is_checked) {
    const bool is_print = text_.expr(e.args[0]).text != "TVMAPISetLastError";
    const bool stores =
        is_print && e.args.size() > 2 && text_.uncast(e.args[1]).text.find('n') != std::string::npos &&
        std::any_of(e.args.begin() + 2, e.args.end(), [&](ExprId id) { return text_.expr(id).type.pointers != 0; });
    const bool harmless =
        std::all_of(e.args.begin() + 1, e.args.end(), [&](ExprId id) { return text_.is_harmless(text_.expr(id)); });
    if (stores || !harmless) text_.fail(e, "a message that changes something");
    program_.prints = program_.prints || is_print;
    if (is_print)
      program_.notes.push_back(text_.unit().file + ":" + std::to_string(e.line) +
                               ": main prints here; the operators that are run without it do not");
    return;
  }
  const std::string name = values_.callee(e);
  if (name == text_.main().name) text_.fail(e, "main calls itself");
  if (name == "TVMBackendAllocWorkspace") text_.fail(e, "workspace that no variable holds");
  if (name == "TVMBackendFreeWorkspace") return release(e);
  if (name == "TVMBackendGetFuncFromEnv") return look_up(e);
  if (name == "TVMFuncCall") {
    const MainValue function = e.args.size() > 1 ? values_.evaluate(e.args[1]) : MainValue{};
    if (function.tag != MainValue::Tag::kFunction) text_.fail(e, "a packed call of an unknown function");
    return operator_call(e, function.text, true, 2);
  }
  if (!device_hook(name).empty()) return hook_call(e, name);
  const Function* function = text_.declared(name);
  operator_call(e, name, function != nullptr ? is_packed(*function) : program_.packed, 1);
}

MainValue MainCalls::allocate(const Expr& e, const std::string& name) {
  if (e.args.size() != 6) text_.fail(e, "a workspace of unknown size");
  for (const std::size_t k : {1U, 2U, 4U, 5U}) values_.evaluate(e.args[k]);
  const std::int64_t bytes = values_.integer(e.args[3], "a workspace of unknown size");
  if (bytes <= 0) text_.fail(e, "a workspace of unknown size");
  if (freed_out_of_order_) text_.fail(e, "workspace after one was freed out of order: the allocator is a stack");
  const auto size = static_cast<std::uint64_t>(bytes);
  const std::uint32_t object = objects_.add_object(MemoryObject::Kind::kWorkspace, name, size);
  const MainValue buffer = objects_.add_buffer(name, {.tag = MainValue::Tag::kObject, .index = object}, e.line);
  program_.buffers[buffer.index].size_bytes = size;
  allocated_.push_back(object);
  return buffer;
}

void MainCalls::release(const Expr& e) {
  if (e.args.size() != 4) text_.fail(e, "workspace freed in a way that is not understood");
  const MainValue block = values_.evaluate(e.args[3]);
  const bool is_buffer = block.tag == MainValue::Tag::kBuffer && program_.buffers[block.index].offset_bytes == 0;
  const std::uint32_t object = is_buffer ? program_.buffers[block.index].object : UINT32_MAX;
  const auto found = std::find(allocated_.begin(), allocated_.end(), object);
  if (found == allocated_.end()) text_.fail(e, "frees an address that is not a workspace");
  freed_out_of_order_ = freed_out_of_order_ || found + 1 != allocated_.end();
  allocated_.erase(found);
  freed_.insert(object);
}

/// TVMBackendGetFuncFromEnv(context, "f", &variable)
void MainCalls::look_up(const Expr& e) {
  const Expr* target = e.args.size() == 4 ? &text_.uncast(e.args[3]) : nullptr;
  if (target == nullptr || text_.expr(e.args[2]).kind != ExprKind::kString || !target->is(UnaryOperator::kAddressOf)) {
    text_.fail(e, "a function looked up in a way that is not understood");
  }
  const Expr& variable = text_.uncast(target->args[0]);
  const std::string& symbol = text_.expr(e.args[2]).text;
  if (const auto place = values_.place_of(variable))
    return memory_.store(*place, {.tag = MainValue::Tag::kFunction, .text = symbol});
  if (!objects_.bind_function(variable, symbol)) text_.fail(e, "a function looked up in a way that is not understood");
}

void MainCalls::hook_call(const Expr& e, const std::string& function) {
  const MainValue context = e.args.size() == 2 ? values_.evaluate(e.args[1]) : MainValue{};
  if (context.tag != MainValue::Tag::kDevice) text_.fail(e, "a device hook without its context");
  Device& device = program_.devices[context.index];
  const bool is_used = std::any_of(program_.calls.begin(), program_.calls.end(),
                                   [&](const Call& call) { return call.device == context.index; });
  const std::string_view hook = device_hook(function);
  if (!device.deactivate.empty()) text_.fail(e, function + " on a device that is no longer active");
  if (hook == "Activate") {
    if (is_used || !device.activate.empty()) text_.fail(e, function + " on a device that is in use");
    device.activate = function;
  } else if (hook == "Deactivate") {
    device.deactivate = function;
  } else if (hook == "Open") {
    if (!pending_before_.empty()) text_.fail(e, function + " opens a device while another one is open");
    pending_before_ = function;
    pending_device_ = context.index;
    pending_line_ = e.line;
  } else {
    Call* last = program_.calls.empty() ? nullptr : &program_.calls.back();
    if (last == nullptr || last->device != context.index || !last->after.empty() || !pending_before_.empty())
      text_.fail(e.line, function + " closes a device on which nothing was called");
    last->after = function;
  }
}

Argument MainCalls::argument_of(const MainValue& value, const std::string& name, std::uint32_t line) {
  const auto refuse_freed = [&](std::uint32_t object) {
    if (freed_.contains(object)) text_.fail(line, program_.objects[object].name + " is used after it was freed");
  };
  switch (value.tag) {
    case MainValue::Tag::kBuffer:
      refuse_freed(program_.buffers[value.index].object);
      return {.kind = Argument::Kind::kBuffer, .index = value.index, .shape = {}, .dtype = {}};
    case MainValue::Tag::kDevice:
      if (!program_.devices[value.index].deactivate.empty())
        text_.fail(line, program_.devices[value.index].name + " is no longer active");
      return {.kind = Argument::Kind::kDevice, .index = value.index, .shape = {}, .dtype = {}};
    case MainValue::Tag::kObject: {
      refuse_freed(value.index);
      if (!value.indexed) return {.kind = Argument::Kind::kPool, .index = value.index, .shape = {}, .dtype = {}};
      const std::string buffer = program_.objects[value.index].name + "+" + std::to_string(value.number);
      return {.kind = Argument::Kind::kBuffer,
              .index = objects_.add_buffer(buffer, value, line).index,
              .shape = {},
              .dtype = {}};
    }
    case MainValue::Tag::kInt:
      if (value.number == 0) return {};
      break;
    case MainValue::Tag::kArguments:
    case MainValue::Tag::kHandle:
    case MainValue::Tag::kDescriptor:
    case MainValue::Tag::kLocal:
    case MainValue::Tag::kFunction:
      break;
  }
  text_.fail(line, "an argument whose bytes are not known: " + name);
}

/// A number of a DLTensor on main's stack. Nothing: main never wrote it.
std::optional<std::int64_t> MainCalls::field(const MainPlace& tensor, std::int64_t offset, std::uint32_t size,
                                             const std::string& what, std::uint32_t line) const {
  const MainValue* value = memory_.load({tensor.variable, tensor.offset_bytes + offset, size});
  if (value == nullptr) return std::nullopt;
  if (value->tag != MainValue::Tag::kInt) text_.fail(line, what + ": not a number that is known");
  return value->number;
}

void MainCalls::take_shape(const MainPlace& tensor, Argument& argument, const std::string& what,
                           std::uint32_t line) const {
  const TensorLayout& at = text_.unit().tensor;
  if (field(tensor, at.byte_offset, 8, what, line).value_or(0) != 0 ||
      field(tensor, at.strides, at.pointer_bytes, what, line).value_or(0) != 0)
    text_.fail(line, what + ": a tensor with strides or an offset");
  const std::int64_t rank = field(tensor, at.ndim, 4, what, line).value_or(0);
  const MainValue* shape = memory_.load({tensor.variable, tensor.offset_bytes + at.shape, at.pointer_bytes});
  constexpr std::int64_t kMostRank = 64;
  if (rank < 0 || rank > kMostRank || (rank > 0 && (shape == nullptr || shape->tag != MainValue::Tag::kLocal)))
    text_.fail(line, what + ": its shape is not known");
  for (std::int64_t i = 0; i < rank; ++i) {
    const auto extent = field({shape->text, shape->number, 8}, 8 * i, 8, what, line);
    if (!extent) text_.fail(line, what + ": its shape was not set before the call");
    argument.shape.push_back(*extent);
  }
  argument.dtype = dtype_name(field(tensor, at.dtype, 1, what, line).value_or(0),
                              field(tensor, at.dtype + 1, 1, what, line).value_or(0),
                              field(tensor, at.dtype + 2, 2, what, line).value_or(1));
}

/// f(stack_value, stack_tcode, count, ...): argument k is what stack_value[k] points at.
std::vector<Argument> MainCalls::packed_arguments(const Expr& e, const std::string& function, std::size_t first) {
  if (e.args.size() < first + 3) text_.fail(e, "a packed call with too few arguments");
  const MainValue values = values_.evaluate(e.args[first]), count = values_.evaluate(e.args[first + 2]);
  for (std::size_t k = first; k < e.args.size(); ++k) values_.evaluate(e.args[k]);
  constexpr std::int64_t kMostArguments = 4096;
  if (count.tag != MainValue::Tag::kInt || count.number < 0 || count.number > kMostArguments ||
      values.tag != MainValue::Tag::kLocal)
    text_.fail(e.line, "a packed call with an unknown number of arguments: " + function);
  std::vector<Argument> arguments;
  for (std::int64_t k = 0; k < count.number; ++k) {
    const std::string what = function + ", argument " + std::to_string(k);
    const MainValue* value = memory_.load({values.text, values.number + 8 * k, text_.unit().tensor.pointer_bytes});
    if (value != nullptr && value->tag != MainValue::Tag::kLocal) {
      const bool is_plain =
          value->tag == MainValue::Tag::kDevice || (value->tag == MainValue::Tag::kInt && value->number == 0);
      if (!is_plain) text_.fail(e.line, "an argument whose bytes are not known: " + what);
      arguments.push_back(argument_of(*value, what, e.line));
      continue;
    }
    if (value == nullptr)
      text_.fail(e.line, "argument " + std::to_string(k) + " of " + function + " was not set before the call");
    const MainPlace tensor{.variable = value->text, .offset_bytes = value->number, .size_bytes = 0};
    const MainValue* data = memory_.load({tensor.variable, tensor.offset_bytes, text_.unit().tensor.pointer_bytes});
    if (data == nullptr) text_.fail(e.line, "an argument whose bytes are not known: " + what);
    Argument argument = argument_of(*data, what, e.line);
    take_shape(tensor, argument, what, e.line);
    arguments.push_back(std::move(argument));
  }
  // What a function returns besides tensors.
  for (std::size_t k = first + 3; k < e.args.size(); ++k) {
    const MainValue out = values_.evaluate(e.args[k]);
    if (out.tag == MainValue::Tag::kLocal) memory_.forget(out.text);
  }
  return arguments;
}

void MainCalls::operator_call(const Expr& e, const std::string& function, bool is_packed, std::size_t first) {
  Call call{
      .function = function, .arguments = {}, .line = e.line, .before = std::exchange(pending_before_, {}), .after = {}};
  if (is_packed) {
    call.arguments = packed_arguments(e, function, first);
  } else {
    for (std::size_t k = first; k < e.args.size(); ++k) {
      const Expr& argument = text_.expr(e.args[k]);
      call.arguments.push_back(argument_of(values_.evaluate(e.args[k]), text_.source(argument.range), argument.line));
    }
  }
  for (const Argument& argument : call.arguments) {
    if (argument.kind == Argument::Kind::kDevice) call.device = argument.index;
  }
  const auto is_memory = [](const Argument& a) {
    return a.kind == Argument::Kind::kBuffer || a.kind == Argument::Kind::kPool;
  };
  if (std::none_of(call.arguments.begin(), call.arguments.end(), is_memory))
    text_.fail(e, "a call that takes no tensor");
  if (!call.before.empty()) {
    if (call.device == UINT32_MAX) call.device = pending_device_;
    if (call.device != pending_device_) text_.fail(e, "called on another device than " + call.before + " opens");
  }
  program_.calls.push_back(std::move(call));
}

void MainCalls::finish() const {
  if (!pending_before_.empty())
    text_.fail(pending_line_, pending_before_ + " opens a device on which nothing is called");
}

}  // namespace detent::models::tvm
