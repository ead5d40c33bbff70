#include "models/import/tvm/program/main_objects.hpp"

#include <algorithm>
#include <utility>

#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/files/names.hpp"

namespace detent::models::tvm {
namespace {

const PoolInfo* find_pool(const Artifact& artifact, const std::string& name) {
  for (const PoolInfo& pool : artifact.pools) {
    if (pool.name == name) return &pool;
  }
  return nullptr;
}

}  // namespace

void MainObjects::declare_parameters() {
  if (!is_packed(text_.main())) {
    for (const Variable& param : text_.main().params) declare_parameter(param);
    return;
  }
  program_.packed = true;
  parameters_[text_.main().params[0].name] = {.tag = MainValue::Tag::kArguments};
  for (std::size_t i = 1; i < text_.main().params.size(); ++i)
    parameters_[text_.main().params[i].name] = {.tag = MainValue::Tag::kDescriptor};
}

void MainObjects::declare_parameter(const Variable& param) {
  if (param.type.pointers == 0 && param.type.extents.empty())
    text_.fail(param.line, "main takes " + param.name + ", which is not a pointer");
  if (param.name.empty() || parameters_.contains(param.name))
    text_.fail(param.line, "a parameter of main without a name");
  if (is_device_parameter(param.name)) {
    const auto device = static_cast<std::uint32_t>(program_.devices.size());
    program_.devices.push_back({.name = param.name, .activate = {}, .deactivate = {}});
    program_.parameters.push_back({MainParameter::Kind::kDevice, device, param.type.spelling, param.name});
    parameters_[param.name] = {.tag = MainValue::Tag::kDevice, .index = device};
    return;
  }
  const auto pool = pool_of_parameter(param.name);
  const bool is_weight = param.name.starts_with("__tvm_param__");
  const std::uint32_t object = pool ? add_object(MemoryObject::Kind::kWorkspacePool, *pool, 0)
                                    : add_object(is_weight ? MemoryObject::Kind::kConstant : MemoryObject::Kind::kInput,
                                                 tensor_of_parameter(param.name), 0);
  program_.parameters.push_back({MainParameter::Kind::kObject, object, param.type.spelling, param.name});
  const MainValue base = {.tag = MainValue::Tag::kObject, .index = object};
  parameters_[param.name] = pool ? base : add_buffer(param.name, base, param.line);
}

std::uint32_t MainObjects::add_object(MemoryObject::Kind kind, const std::string& name, std::uint64_t size_bytes) {
  MemoryObject object{.kind = kind, .name = name, .size_bytes = size_bytes, .dtype = {}, .shape = {}};
  if (kind == MemoryObject::Kind::kWorkspacePool) {
    const PoolInfo* info = find_pool(artifact_, name);
    if (info != nullptr) object.size_bytes = info->size_bytes;
    if ((info != nullptr && info->is_const) || name.find("const") != name.npos) {
      object.kind = MemoryObject::Kind::kConstPool;
    }
  }
  program_.objects.push_back(std::move(object));
  return static_cast<std::uint32_t>(program_.objects.size() - 1);
}

MainValue MainObjects::add_buffer(const std::string& name, const MainValue& at, std::uint32_t line) {
  if (at.number < 0) text_.fail(line, name + " begins before its pool");
  program_.buffers.push_back({.name = name,
                              .object = at.index,
                              .offset_bytes = static_cast<std::uint64_t>(at.number),
                              .dtype = {},
                              .line = line});
  return {.tag = MainValue::Tag::kBuffer, .index = static_cast<std::uint32_t>(program_.buffers.size() - 1)};
}

/// The data pointer of argument `handle` of a packed main; the variable that receives it names it.
MainValue MainObjects::parameter_data(std::int64_t handle, const std::string& receiver, std::uint32_t line) {
  const std::string name = receiver.empty() ? "argument_" + std::to_string(handle) : receiver;
  if (const auto found = handle_objects_.find(handle); found != handle_objects_.end()) {
    const MemoryObject& object = program_.objects[found->second];
    const MainValue base = {.tag = MainValue::Tag::kObject, .index = found->second};
    const bool is_pool =
        object.kind == MemoryObject::Kind::kWorkspacePool || object.kind == MemoryObject::Kind::kConstPool;
    return is_pool ? base : add_buffer(name, base, line);
  }
  const std::string& handle_name = handle_names_.contains(handle) ? handle_names_[handle] : name;
  const auto pool = pool_of_parameter(handle_name);
  const std::uint32_t object = add_object(pool ? MemoryObject::Kind::kWorkspacePool : MemoryObject::Kind::kInput,
                                          pool ? *pool : tensor_of_parameter(handle_name), 0);
  handle_objects_[handle] = object;
  const MainValue base = {.tag = MainValue::Tag::kObject, .index = object};
  return pool ? base : add_buffer(name, base, line);
}

/// Arrays of the file, which nobody may write, and functions.
MainValue MainObjects::global_value(const Expr& name) {
  if (const auto found = functions_.find(name.text); found != functions_.end())
    return {.tag = MainValue::Tag::kFunction, .text = found->second};
  if (const auto found = global_objects_.find(name.text); found != global_objects_.end())
    return {.tag = MainValue::Tag::kBuffer, .index = found->second};
  const Global* global = nullptr;
  for (const Global& candidate : text_.unit().globals) {
    if (candidate.variable.name == name.text) global = &candidate;
  }
  if (global == nullptr) return {.tag = MainValue::Tag::kFunction, .text = name.text};
  const CType& type = global->variable.type;
  const auto bytes = bytes_of(type);
  if (type.extents.empty() || !bytes) text_.fail(name, "main uses a variable of the file whose value is not known");
  if (!type.is_const)
    text_.fail(name, "main passes a variable of the file that is not const, so that any call may change it");
  const std::uint32_t object = add_object(MemoryObject::Kind::kConstant, name.text, *bytes);
  const MainValue buffer =
      add_buffer(name.text, {.tag = MainValue::Tag::kObject, .index = object}, global->variable.line);
  global_objects_[name.text] = buffer.index;
  return buffer;
}

const MainValue* MainObjects::parameter(const std::string& name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? nullptr : &found->second;
}

bool MainObjects::bind_function(const Expr& variable, const std::string& symbol) {
  const std::vector<Global>& globals = text_.unit().globals;
  const bool is_global =
      variable.kind == ExprKind::kName && std::any_of(globals.begin(), globals.end(), [&](const Global& global) {
        return global.variable.name == variable.text && global.variable.type.pointers == 1;
      });
  return is_global && functions_.try_emplace(variable.text, symbol).first->second == symbol;
}

void MainObjects::list_arguments() {
  for (const auto& [handle, object] : handle_objects_) {
    program_.parameters.push_back({MainParameter::Kind::kObject, object, "void *", program_.objects[object].name});
  }
}

}  // namespace detent::models::tvm
