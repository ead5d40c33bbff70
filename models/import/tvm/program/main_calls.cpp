// Calls in main: operators (plain and packed), workspace, device hooks, messages.
#include <algorithm>
#include <array>
#include <utility>

#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/files/names.hpp"
#include "models/import/tvm/files/ndarray.hpp"
#include "models/import/tvm/program/main_reader.hpp"

namespace detent::models::tvm {

std::string MainReader::callee(const Expr& call) {
  if (call.args.empty()) fail(call, "a call that is not understood");
  const Value function = evaluate(call.args[0]);
  if (function.tag != Tag::kFunction) fail(call, "a call through a pointer that is not understood");
  return function.text;
}

/// Prints or keeps a text: no tensor changes.
bool MainReader::is_message(const Expr& e) const {
  if (!is_call(e) || e.args.size() < 2 || expr(e.args[0]).kind != ExprKind::kName) return false;
  constexpr std::array kNames = {"TVMAPISetLastError", "printf", "puts", "TVMLogf"};
  const Expr& text = uncast(e.args[1]);
  return std::find(kNames.begin(), kNames.end(), expr(e.args[0]).text) != kNames.end() &&
         declared(expr(e.args[0]).text) == nullptr && text.kind == ExprKind::kString;
}

/// Evaluated or not, nothing changes.
bool MainReader::is_harmless(const Expr& e) const {
  if (e.kind == ExprKind::kCall || e.kind == ExprKind::kUnknown || e.kind == ExprKind::kInitList) return false;
  const bool compares = e.text == "==" || e.text == "!=" || e.text == "<=" || e.text == ">=";
  if (e.kind == ExprKind::kBinary && e.text.ends_with("=") && !compares) return false;
  if (e.kind == ExprKind::kUnary && (e.text.find("++") != std::string::npos || e.text.find("--") != std::string::npos))
    return false;
  return std::all_of(e.args.begin(), e.args.end(), [&](ExprId id) { return is_harmless(expr(id)); });
}

/// @param is_checked  an error of the call ends main
void MainReader::call(const Expr& e, bool is_checked) {
  if (is_message(e) && !is_checked) {
    const bool is_print = expr(e.args[0]).text != "TVMAPISetLastError";
    const bool stores =
        is_print && e.args.size() > 2 && uncast(e.args[1]).text.find('n') != std::string::npos &&
        std::any_of(e.args.begin() + 2, e.args.end(), [&](ExprId id) { return expr(id).type.pointers != 0; });
    const bool harmless =
        std::all_of(e.args.begin() + 1, e.args.end(), [&](ExprId id) { return is_harmless(expr(id)); });
    if (stores || !harmless) fail(e, "a message that changes something");
    program_.prints = program_.prints || is_print;
    if (is_print)
      program_.notes.push_back(unit_.file + ":" + std::to_string(e.line) +
                               ": main prints here; the operators that are run without it do not");
    return;
  }
  const std::string name = callee(e);
  if (name == main_.name) fail(e, "main calls itself");
  if (name == "TVMBackendAllocWorkspace") fail(e, "workspace that no variable holds");
  if (name == "TVMBackendFreeWorkspace") return release(e);
  if (name == "TVMBackendGetFuncFromEnv") return look_up(e);
  if (name == "TVMFuncCall") {
    const Value function = e.args.size() > 1 ? evaluate(e.args[1]) : Value{};
    if (function.tag != Tag::kFunction) fail(e, "a packed call of an unknown function");
    return operator_call(e, function.text, true, 2);
  }
  if (!device_hook(name).empty()) return hook_call(e, name);
  const Function* function = declared(name);
  operator_call(e, name, function != nullptr ? is_packed(*function) : program_.packed, 1);
}

MainReader::Value MainReader::allocate(const Expr& e, const std::string& name) {
  if (e.args.size() != 6) fail(e, "a workspace of unknown size");
  for (const std::size_t k : {1U, 2U, 4U, 5U}) evaluate(e.args[k]);
  const std::int64_t bytes = integer(e.args[3], "a workspace of unknown size");
  if (bytes <= 0) fail(e, "a workspace of unknown size");
  if (freed_out_of_order_) fail(e, "workspace after one was freed out of order: the allocator is a stack");
  const auto size = static_cast<std::uint64_t>(bytes);
  const std::uint32_t object = add_object(MemoryObject::Kind::kWorkspace, name, size);
  const Value buffer = add_buffer(name, {.tag = Tag::kObject, .index = object}, e.line);
  program_.buffers[buffer.index].size_bytes = size;
  allocated_.push_back(object);
  return buffer;
}

void MainReader::release(const Expr& e) {
  if (e.args.size() != 4) fail(e, "workspace freed in a way that is not understood");
  const Value block = evaluate(e.args[3]);
  const bool is_buffer = block.tag == Tag::kBuffer && program_.buffers[block.index].offset_bytes == 0;
  const std::uint32_t object = is_buffer ? program_.buffers[block.index].object : UINT32_MAX;
  const auto found = std::find(allocated_.begin(), allocated_.end(), object);
  if (found == allocated_.end()) fail(e, "frees what is no workspace");
  freed_out_of_order_ = freed_out_of_order_ || found + 1 != allocated_.end();
  allocated_.erase(found);
  freed_.insert(object);
}

/// TVMBackendGetFuncFromEnv(context, "f", &variable)
void MainReader::look_up(const Expr& e) {
  const Expr* target = e.args.size() == 4 ? &uncast(e.args[3]) : nullptr;
  if (target == nullptr || expr(e.args[2]).kind != ExprKind::kString || target->kind != ExprKind::kUnary ||
      target->text != "&") {
    fail(e, "a function looked up in a way that is not understood");
  }
  const Expr& variable = uncast(target->args[0]);
  const std::string& symbol = expr(e.args[2]).text;
  if (const auto place = place_of(variable)) return memory_.store(*place, {.tag = Tag::kFunction, .text = symbol});
  const bool is_global = variable.kind == ExprKind::kName &&
                         std::any_of(unit_.globals.begin(), unit_.globals.end(), [&](const Global& global) {
                           return global.variable.name == variable.text && global.variable.type.pointers == 1;
                         });
  if (!is_global || functions_.try_emplace(variable.text, symbol).first->second != symbol)
    fail(e, "a function looked up in a way that is not understood");
}

void MainReader::hook_call(const Expr& e, const std::string& function) {
  const Value context = e.args.size() == 2 ? evaluate(e.args[1]) : Value{};
  if (context.tag != Tag::kDevice) fail(e, "a device hook without its context");
  Device& device = program_.devices[context.index];
  const bool is_used = std::any_of(program_.calls.begin(), program_.calls.end(),
                                   [&](const Call& call) { return call.device == context.index; });
  const std::string_view hook = device_hook(function);
  if (!device.deactivate.empty()) fail(e, function + " on a device that is no longer active");
  if (hook == "Activate") {
    if (is_used || !device.activate.empty()) fail(e, function + " on a device that is in use");
    device.activate = function;
  } else if (hook == "Deactivate") {
    device.deactivate = function;
  } else if (hook == "Open") {
    if (!pending_before_.empty()) fail(e, function + " opens a device while another one is open");
    pending_before_ = function;
    pending_device_ = context.index;
    pending_line_ = e.line;
  } else {
    Call* last = program_.calls.empty() ? nullptr : &program_.calls.back();
    if (last == nullptr || last->device != context.index || !last->after.empty() || !pending_before_.empty())
      fail(e.line, function + " closes a device on which nothing was called");
    last->after = function;
  }
}

Argument MainReader::argument_of(const Value& value, const std::string& name, std::uint32_t line) {
  const auto refuse_freed = [&](std::uint32_t object) {
    if (freed_.contains(object)) fail(line, program_.objects[object].name + " is used after it was freed");
  };
  switch (value.tag) {
    case Tag::kBuffer:
      refuse_freed(program_.buffers[value.index].object);
      return {.kind = Argument::Kind::kBuffer, .index = value.index, .shape = {}, .dtype = {}};
    case Tag::kDevice:
      if (!program_.devices[value.index].deactivate.empty())
        fail(line, program_.devices[value.index].name + " is no longer active");
      return {.kind = Argument::Kind::kDevice, .index = value.index, .shape = {}, .dtype = {}};
    case Tag::kObject: {
      refuse_freed(value.index);
      if (!value.indexed) return {.kind = Argument::Kind::kPool, .index = value.index, .shape = {}, .dtype = {}};
      const std::string buffer = program_.objects[value.index].name + "+" + std::to_string(value.number);
      return {
          .kind = Argument::Kind::kBuffer, .index = add_buffer(buffer, value, line).index, .shape = {}, .dtype = {}};
    }
    case Tag::kInt:
      if (value.number == 0) return {};
      break;
    case Tag::kArguments:
    case Tag::kHandle:
    case Tag::kDescriptor:
    case Tag::kLocal:
    case Tag::kFunction:
      break;
  }
  fail(line, "an argument whose bytes are not known: " + name);
}

/// A number of a DLTensor on main's stack. Nothing: main never wrote it.
std::optional<std::int64_t> MainReader::field(const MainPlace& tensor, std::int64_t offset, std::uint32_t size,
                                              const std::string& what, std::uint32_t line) const {
  const Value* value = memory_.load({tensor.variable, tensor.offset_bytes + offset, size});
  if (value == nullptr) return std::nullopt;
  if (value->tag != Tag::kInt) fail(line, what + ": not a number that is known");
  return value->number;
}

void MainReader::take_shape(const MainPlace& tensor, Argument& argument, const std::string& what,
                            std::uint32_t line) const {
  const TensorLayout& at = unit_.tensor;
  if (field(tensor, at.byte_offset, 8, what, line).value_or(0) != 0 ||
      field(tensor, at.strides, at.pointer_bytes, what, line).value_or(0) != 0)
    fail(line, what + ": a tensor with strides or an offset");
  const std::int64_t rank = field(tensor, at.ndim, 4, what, line).value_or(0);
  const Value* shape = memory_.load({tensor.variable, tensor.offset_bytes + at.shape, at.pointer_bytes});
  constexpr std::int64_t kMostRank = 64;
  if (rank < 0 || rank > kMostRank || (rank > 0 && (shape == nullptr || shape->tag != Tag::kLocal)))
    fail(line, what + ": its shape is not known");
  for (std::int64_t i = 0; i < rank; ++i) {
    const auto extent = field({shape->text, shape->number, 8}, 8 * i, 8, what, line);
    if (!extent) fail(line, what + ": its shape was not set before the call");
    argument.shape.push_back(*extent);
  }
  argument.dtype = dtype_name(field(tensor, at.dtype, 1, what, line).value_or(0),
                              field(tensor, at.dtype + 1, 1, what, line).value_or(0),
                              field(tensor, at.dtype + 2, 2, what, line).value_or(1));
}

/// f(stack_value, stack_tcode, count, ...): argument k is what stack_value[k] points at.
std::vector<Argument> MainReader::packed_arguments(const Expr& e, const std::string& function, std::size_t first) {
  if (e.args.size() < first + 3) fail(e, "a packed call with too few arguments");
  const Value values = evaluate(e.args[first]), count = evaluate(e.args[first + 2]);
  for (std::size_t k = first; k < e.args.size(); ++k) evaluate(e.args[k]);
  constexpr std::int64_t kMostArguments = 4096;
  if (count.tag != Tag::kInt || count.number < 0 || count.number > kMostArguments || values.tag != Tag::kLocal)
    fail(e.line, "a packed call with an unknown number of arguments: " + function);
  std::vector<Argument> arguments;
  for (std::int64_t k = 0; k < count.number; ++k) {
    const std::string what = function + ", argument " + std::to_string(k);
    const Value* value = memory_.load({values.text, values.number + 8 * k, unit_.tensor.pointer_bytes});
    if (value != nullptr && value->tag != Tag::kLocal) {
      const bool is_plain = value->tag == Tag::kDevice || (value->tag == Tag::kInt && value->number == 0);
      if (!is_plain) fail(e.line, "an argument whose bytes are not known: " + what);
      arguments.push_back(argument_of(*value, what, e.line));
      continue;
    }
    if (value == nullptr)
      fail(e.line, "argument " + std::to_string(k) + " of " + function + " was not set before the call");
    const MainPlace tensor{.variable = value->text, .offset_bytes = value->number, .size_bytes = 0};
    const Value* data = memory_.load({tensor.variable, tensor.offset_bytes, unit_.tensor.pointer_bytes});
    if (data == nullptr) fail(e.line, "an argument whose bytes are not known: " + what);
    Argument argument = argument_of(*data, what, e.line);
    take_shape(tensor, argument, what, e.line);
    arguments.push_back(std::move(argument));
  }
  // What a function returns besides tensors.
  for (std::size_t k = first + 3; k < e.args.size(); ++k) {
    const Value out = evaluate(e.args[k]);
    if (out.tag == Tag::kLocal) memory_.forget(out.text);
  }
  return arguments;
}

void MainReader::operator_call(const Expr& e, const std::string& function, bool is_packed, std::size_t first) {
  Call call{
      .function = function, .arguments = {}, .line = e.line, .before = std::exchange(pending_before_, {}), .after = {}};
  if (is_packed) {
    call.arguments = packed_arguments(e, function, first);
  } else {
    for (std::size_t k = first; k < e.args.size(); ++k) {
      const Expr& argument = expr(e.args[k]);
      call.arguments.push_back(argument_of(evaluate(e.args[k]), source(argument.range), argument.line));
    }
  }
  for (const Argument& argument : call.arguments) {
    if (argument.kind == Argument::Kind::kDevice) call.device = argument.index;
  }
  const auto is_memory = [](const Argument& a) {
    return a.kind == Argument::Kind::kBuffer || a.kind == Argument::Kind::kPool;
  };
  if (std::none_of(call.arguments.begin(), call.arguments.end(), is_memory)) fail(e, "a call that takes no tensor");
  if (!call.before.empty()) {
    if (call.device == UINT32_MAX) call.device = pending_device_;
    if (call.device != pending_device_) fail(e, "called on another device than " + call.before + " opens");
  }
  program_.calls.push_back(std::move(call));
}

}  // namespace detent::models::tvm
