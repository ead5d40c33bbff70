// Calls in main: operators (plain and packed), workspace, device hooks.
#include <utility>

#include "models/input_error.hpp"
#include "models/tvm/main_reader.hpp"
#include "models/tvm/names.hpp"
#include "models/tvm/ndarray.hpp"

namespace detent::models::tvm {
MainReader::Value MainReader::evaluate_call(const Expr& e) {
  if (e.args.empty()) return {};
  const Value callee = evaluate(e.args[0]);
  if (callee.tag != Tag::kFunction) fail(e.line, "a call through a pointer that is not understood: " + source(e.range));
  const std::string& name = callee.text;
  const auto argument = [&](std::size_t k) { return k + 1 < e.args.size() ? evaluate(e.args[k + 1]) : Value{}; };

  if (name == "TVMBackendAllocWorkspace") {
    const Value bytes = argument(2);
    if (bytes.tag != Tag::kInt || bytes.number <= 0) fail(e.line, "a workspace of unknown size: " + source(e.range));
    const std::string buffer_name = declaring_.empty() ? "workspace" : declaring_;
    const auto size = static_cast<std::uint64_t>(bytes.number);
    const std::uint32_t object = add_object(MemoryObject::Kind::kWorkspace, buffer_name, size);
    const Value buffer = add_buffer(buffer_name, {.tag = Tag::kObject, .index = object}, e.line);
    program_.buffers[buffer.index].size_bytes = size;
    return buffer;
  }
  if (name == "TVMBackendFreeWorkspace" || name == "TVMAPISetLastError") return {};
  if (name == "TVMBackendGetFuncFromEnv" && e.args.size() == 4) {
    const Expr& symbol = expr(e.args[2]);
    const Expr& target = expr(e.args[3]);
    if (symbol.kind != ExprKind::kString || target.kind != ExprKind::kUnary || target.text != "&") {
      fail(e.line, "a function looked up in a way that is not understood: " + source(e.range));
    }
    const Expr& variable = expr(target.args[0]);
    (variable.kind == ExprKind::kName ? variables_[variable.text] : cells_[cell_of(variable)]) = {.tag = Tag::kFunction,
                                                                                                  .text = symbol.text};
    return {};
  }
  if (name == "TVMFuncCall") {
    const Value function = argument(0);
    if (function.tag != Tag::kFunction) fail(e.line, "a packed call of an unknown function: " + source(e.range));
    Expr shifted = e;
    shifted.args.erase(shifted.args.begin());
    operator_call(shifted, function.text);
    return {};
  }
  if (!device_hook(name).empty()) {
    const Value device = argument(0);
    if (device.tag != Tag::kDevice) fail(e.line, "a device hook without its context: " + source(e.range));
    hook_call(name, device.index, e.line);
    return {};
  }
  operator_call(e, name);
  return {};
}

void MainReader::hook_call(const std::string& function, std::uint32_t device, std::uint32_t line) {
  const std::string_view hook = device_hook(function);
  if (hook == "Activate") {
    program_.devices[device].activate = function;
  } else if (hook == "Deactivate") {
    program_.devices[device].deactivate = function;
  } else if (hook == "Open") {
    pending_before_ = function;
  } else {
    if (program_.calls.empty() || program_.calls.back().device != device) {
      fail(line, function + " closes a device on which nothing was called");
    }
    program_.calls.back().after = function;
  }
}

Argument MainReader::argument_of(const Value& value, const std::string& name, std::uint32_t line) {
  switch (value.tag) {
    case Tag::kBuffer:
      return {.kind = Argument::Kind::kBuffer, .index = value.index, .shape = {}, .dtype = {}};
    case Tag::kDevice:
      return {.kind = Argument::Kind::kDevice, .index = value.index, .shape = {}, .dtype = {}};
    case Tag::kObject: {
      if (!value.indexed) return {.kind = Argument::Kind::kPool, .index = value.index, .shape = {}, .dtype = {}};
      const std::string buffer = program_.objects[value.index].name + "+" + std::to_string(value.number);
      return {
          .kind = Argument::Kind::kBuffer, .index = add_buffer(buffer, value, line).index, .shape = {}, .dtype = {}};
    }
    case Tag::kInt:
      if (value.number == 0) return {};
      break;
    case Tag::kUnknown:
    case Tag::kArguments:
    case Tag::kHandle:
    case Tag::kLocal:
    case Tag::kFunction:
      break;
  }
  fail(line, "an argument whose bytes are not known: " + name);
}

/// f(stack_value, stack_tcode, count, ...): argument k is what stack_value[k] points at.
std::vector<Argument> MainReader::packed_arguments(const Expr& e, const std::string& function) {
  const Value values = evaluate(e.args[1]);
  const Value count = evaluate(e.args[3]);
  constexpr std::int64_t kMostArguments = 4096;
  if (count.tag != Tag::kInt || count.number < 0 || count.number > kMostArguments) {
    fail(e.line, "a packed call with an unknown number of arguments: " + function);
  }
  const auto cell = [&](const std::string& key) {
    const auto found = cells_.find(key);
    return found != cells_.end() ? found->second : Value{};
  };
  std::vector<Argument> arguments;
  for (std::int64_t k = 0; k < count.number; ++k) {
    const Value tensor = cell(values.text + "[" + std::to_string(values.number + k) + "].v_handle");
    if (tensor.tag == Tag::kDevice || (tensor.tag == Tag::kInt && tensor.number == 0)) {
      arguments.push_back(argument_of(tensor, function, e.line));
      continue;
    }
    if (tensor.tag != Tag::kLocal) {
      fail(e.line, "argument " + std::to_string(k) + " of " + function + " was not set before the call");
    }
    const std::string base = tensor.text + "[" + std::to_string(tensor.number) + "].";
    Argument argument = argument_of(cell(base + "data"), function + ", argument " + std::to_string(k), e.line);
    const Value rank = cell(base + "ndim");
    const Value shape = cell(base + "shape");
    constexpr std::int64_t kMostRank = 64;
    for (std::int64_t i = 0; rank.tag == Tag::kInt && shape.tag == Tag::kLocal && i < rank.number && i < kMostRank;
         ++i) {
      const Value extent = cell(shape.text + "[" + std::to_string(shape.number + i) + "]");
      if (extent.tag != Tag::kInt) break;
      argument.shape.push_back(extent.number);
    }
    argument.dtype = dtype_name(cell(base + "dtype.code").number, cell(base + "dtype.bits").number, 1);
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

void MainReader::operator_call(const Expr& e, const std::string& function) {
  Call call{
      .function = function, .arguments = {}, .line = e.line, .before = std::exchange(pending_before_, {}), .after = {}};
  const Value first = e.args.size() > 3 ? evaluate(e.args[1]) : Value{};
  if (first.tag == Tag::kLocal) {
    call.arguments = packed_arguments(e, function);
  } else {
    for (std::size_t k = 1; k < e.args.size(); ++k) {
      const Expr& argument = expr(e.args[k]);
      call.arguments.push_back(argument_of(evaluate(e.args[k]), source(argument.range), argument.line));
    }
  }
  for (const Argument& argument : call.arguments) {
    if (argument.kind == Argument::Kind::kDevice) call.device = argument.index;
  }
  if (!call.before.empty() && call.device == UINT32_MAX && program_.devices.size() == 1) call.device = 0;
  program_.calls.push_back(std::move(call));
}

}  // namespace detent::models::tvm
