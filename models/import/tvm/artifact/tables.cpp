// TVMMetadata tables (struct names and fields: include/tvm/runtime/metadata_types.h) and metadata.json.
#include <algorithm>
#include <utility>

#include "base/json.hpp"
#include "models/import/tvm/artifact/parts.hpp"
#include "models/import/tvm/artifact/values.hpp"
#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/files/names.hpp"
#include "models/import/tvm/files/ndarray.hpp"

namespace detent::models::tvm {
namespace {

const Global* find_global(const CUnit& unit, std::string_view name) {
  const auto found = std::find_if(unit.globals.begin(), unit.globals.end(),
                                  [&](const Global& global) { return global.variable.name == name; });
  return found == unit.globals.end() ? nullptr : &*found;
}

/// The table whose name ends so; null when there is none or it is empty.
const Global* find_table(const CUnit& unit, std::string_view suffix) {
  const auto found = std::find_if(unit.globals.begin(), unit.globals.end(), [&](const Global& global) {
    return global.variable.name.starts_with("kTvmgenMetadata") && global.variable.name.ends_with(suffix) &&
           global.initialiser.end > global.initialiser.begin;
  });
  return found == unit.globals.end() ? nullptr : &*found;
}

std::vector<std::int64_t> shape_of(const CUnit& unit, std::string_view name) {
  std::vector<std::int64_t> shape;
  const Global* global = find_global(unit, name);
  if (global == nullptr || global->initialiser.end <= global->initialiser.begin) return shape;
  InitialiserReader in(unit, global->initialiser);
  in.expect('{');
  while (!in.accept('}')) {
    shape.push_back(in.integer());
    if (!in.accept(',')) {
      in.expect('}');
      break;
    }
  }
  return shape;
}

/// {"name", shape, rank, {code, bits, lanes}}
IoInfo tensor_info(const CUnit& unit, InitialiserReader& in) {
  IoInfo info;
  in.expect('{');
  info.name = in.string();
  in.expect(',');
  info.shape = shape_of(unit, in.next().text);
  in.expect(',');
  in.integer();
  in.expect(',');
  in.expect('{');
  std::uint32_t type[3] = {};
  for (std::uint32_t& part : type) {
    part = static_cast<std::uint32_t>(std::clamp<std::int64_t>(in.integer(), 0, 1 << 20));
    in.accept(',');
  }
  in.expect('}');
  in.accept(',');
  in.expect('}');
  info.dtype = dtype_name(type[0], type[1], type[2]);
  std::uint64_t bytes = (std::uint64_t{type[1]} + 7) / 8 * type[2];
  for (const std::int64_t extent : info.shape) {
    const bool fits = extent > 0 && bytes <= (std::uint64_t{1} << 40) / static_cast<std::uint64_t>(extent);
    bytes = fits ? bytes * static_cast<std::uint64_t>(extent) : 0;
  }
  info.size_bytes = bytes;
  return info;
}

std::optional<std::vector<IoInfo>> tensor_table(const CUnit& unit, std::string_view suffix) {
  const Global* table = find_table(unit, suffix);
  if (table == nullptr) return std::nullopt;
  std::vector<IoInfo> list;
  InitialiserReader in(unit, table->initialiser);
  in.expect('{');
  while (!in.accept('}')) {
    list.push_back(tensor_info(unit, in));
    if (!in.accept(',')) {
      in.expect('}');
      break;
    }
  }
  return list;
}

/// {"name", offset, length, "bytes of an NDArray"}
PooledConstant constant_info(InitialiserReader& in) {
  PooledConstant constant;
  in.expect('{');
  constant.name = in.string();
  in.expect(',');
  const std::uint64_t at = in.peek().at;
  const std::int64_t offset = in.integer();
  if (offset < 0) in.fail(at, "negative offset of a constant");
  constant.offset_bytes = static_cast<std::uint64_t>(offset);
  in.expect(',');
  in.integer();
  in.expect(',');
  const std::uint64_t data_at = in.peek().at;
  const std::string data = in.string();
  std::string_view rest = data;
  NamedArray array;
  if (!read_ndarray(rest, array)) in.fail(data_at, "the bytes of constant '" + constant.name + "' are not an NDArray");
  constant.bytes = std::move(array.bytes);
  in.accept(',');
  in.expect('}');
  return constant;
}

std::vector<PooledConstant> constant_table(const CUnit& unit) {
  std::vector<PooledConstant> list;
  const Global* table = find_table(unit, "_constant_pools");
  if (table == nullptr) return list;
  InitialiserReader in(unit, table->initialiser);
  in.expect('{');
  while (!in.accept('}')) {
    list.push_back(constant_info(in));
    if (!in.accept(',')) {
      in.expect('}');
      break;
    }
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const PooledConstant& a, const PooledConstant& b) { return a.offset_bytes < b.offset_bytes; });
  return list;
}

std::optional<JsonValue> member(const JsonValue& object, std::string_view key) {
  if (object.kind() != JsonKind::kObject) return std::nullopt;
  for (const JsonValue value : object.members()) {
    if (value.key() == key) return value;
  }
  return std::nullopt;
}

std::optional<std::vector<IoInfo>> tensors_of(const JsonValue& entry, std::string_view key) {
  const auto object = member(entry, key);
  if (!object || object->kind() != JsonKind::kObject) return std::nullopt;
  std::vector<IoInfo> list;
  for (const JsonValue tensor : object->members()) {
    IoInfo info;
    info.name = std::string(tensor.key());
    if (const auto size = member(tensor, "size")) info.size_bytes = size->as_u64();
    if (const auto dtype = member(tensor, "dtype")) info.dtype = std::string(dtype->as_string());
    list.push_back(std::move(info));
  }
  return list;
}

/// The part of metadata.json that is about one module: version 5 has nothing else, from 7 on modules are named.
JsonValue module_part(const JsonValue& root, const std::string& module_name) {
  const auto modules = member(root, "modules");
  if (!modules) return root;
  if (const auto named = member(*modules, module_name)) return *named;
  if (modules->size() == 1) {
    for (const JsonValue only : modules->members()) return only;
  }
  modules->fail("has no module '" + module_name + "'");
}

std::string version_of(const JsonValue& part) {
  const auto dependencies = member(part, "external_dependencies");
  if (!dependencies || dependencies->kind() != JsonKind::kArray) return "";
  for (const JsonValue dependency : dependencies->elements()) {
    const auto version = member(dependency, "version_spec");
    if (version) return std::string(version->as_string());
  }
  return "";
}

void add_pool(const JsonValue& entry, std::string_view key, bool is_const, Interface& out) {
  const auto size = member(entry, key);
  if (size && size->as_u64() != 0)
    out.pools.push_back({.name = "", .size_bytes = size->as_u64(), .is_const = is_const, .is_external = false});
}

}  // namespace

Interface interface_of_tables(const CUnit& tables) {
  Interface out;
  out.inputs = tensor_table(tables, "_inputs");
  out.outputs = tensor_table(tables, "_outputs");
  if (out.inputs && !out.outputs) out.outputs.emplace();
  if (out.outputs && !out.inputs) out.inputs.emplace();
  const auto pools = tensor_table(tables, "_pools");
  for (const IoInfo& pool : pools.value_or(std::vector<IoInfo>{})) {
    const std::string name = pool_of_parameter(pool.name).value_or(pool.name);
    out.pools.push_back({.name = name, .size_bytes = pool.size_bytes, .is_const = false, .is_external = false});
  }
  out.constants = constant_table(tables);
  return out;
}

Interface interface_of_json(const std::string& text, const std::string& file, const std::string& module_name,
                            std::string& version) {
  const JsonDocument document = JsonDocument::parse(text, file, {.max_bytes = 1U << 26});
  const JsonValue part = module_part(document.root(), module_name);
  version = version_of(part);
  Interface out;
  out.ordered = false;  // keys are sorted by name
  const auto memory = member(part, "memory");
  const auto functions = memory ? member(*memory, "functions") : std::nullopt;
  const auto mains = functions ? member(*functions, "main") : std::nullopt;
  if (!mains || mains->kind() != JsonKind::kArray) return out;
  for (const JsonValue entry : mains->elements()) {
    if (!out.inputs) out.inputs = tensors_of(entry, "inputs");
    if (!out.outputs) out.outputs = tensors_of(entry, "outputs");
    add_pool(entry, "workspace_size_bytes", false, out);
    add_pool(entry, "constants_size_bytes", true, out);
  }
  return out;
}

}  // namespace detent::models::tvm
