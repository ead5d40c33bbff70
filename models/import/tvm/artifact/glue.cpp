// Header and glue: structs, macros, and the call of main in the run function, read as tokens because a glue that was
// edited by hand need not compile.
#include <algorithm>
#include <cctype>
#include <utility>

#include "models/import/tvm/artifact/parts.hpp"
#include "models/import/tvm/artifact/values.hpp"
#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/files/names.hpp"

namespace detent::models::tvm {
namespace {

using Token = InitialiserReader::Token;

const Record* find_record(const CUnit& unit, const std::string& name) {
  const auto found = std::find_if(unit.records.begin(), unit.records.end(),
                                  [&](const Record& record) { return upper_case(record.name) == upper_case(name); });
  return found == unit.records.end() ? nullptr : &*found;
}

std::uint64_t macro(const CUnit& unit, const std::string& name) {
  for (const Macro& found : unit.macros) {
    if (found.name == name && found.value > 0) return static_cast<std::uint64_t>(found.value);
  }
  return 0;
}

/// What one argument of the call of main is: "inputs->x", "&pool", "workspace_pools->sram", "devices->ethos_u".
struct GlueArgument {
  std::string owner;  ///< word before "->"; "" without
  std::string name;   ///< last word
};

void put(const GlueArgument& argument, Interface& out) {
  const auto append = [&](std::optional<std::vector<IoInfo>>& list) {
    if (!list) list.emplace();
    list->push_back({.name = argument.name, .size_bytes = 0, .dtype = {}, .shape = {}});
  };
  if (argument.owner == "inputs") {
    append(out.inputs);
  } else if (argument.owner == "outputs") {
    append(out.outputs);
  } else if (argument.owner == "devices") {
    out.devices.push_back(argument.name);
  } else if (!argument.name.empty()) {
    PoolInfo pool;
    pool.name = argument.name;
    pool.is_external = argument.owner == "workspace_pools";
    out.pools.push_back(pool);
  }
}

/// The arguments of the call of `main_symbol` within [begin, end) of the text.
std::vector<GlueArgument> call_arguments(const CUnit& glue, const SourceRange& body, const std::string& main_symbol) {
  InitialiserReader in(glue, body);
  for (Token token = in.next(); token.text != main_symbol; token = in.next()) {
    if (token.kind == Token::Kind::kEnd) return {};
  }
  if (!in.accept('(')) return {};
  std::vector<GlueArgument> arguments(1);
  std::uint32_t depth = 1;
  std::string word;
  bool arrow = false;
  for (Token token = in.next(); token.kind != Token::Kind::kEnd; token = in.next()) {
    if (token.text == "(" || token.text == "[") ++depth;
    if ((token.text == ")" || token.text == "]") && --depth == 0) return arguments;
    if (token.text == "," && depth == 1) arguments.emplace_back();
    if (token.kind == Token::Kind::kWord) {
      if (arrow) arguments.back().owner = word;
      word = token.text;
      arguments.back().name = word;
    }
    arrow = token.text == "-" && in.peek().text == ">" && in.peek().at == token.at + 1;
    if (arrow) in.next();
  }
  return {};
}

/// Arrays of bytes that the glue defines, for their sizes.
void add_defined_pools(const CUnit& glue, Interface& out) {
  const auto [record, constants] = pooled_struct(glue);
  for (const Global& global : glue.globals) {
    const CType& type = global.variable.type;
    const bool is_constants = constants == &global;
    const bool is_arena = type.extents.size() == 1 && type.scalar_bytes == 1 && type.pointers == 0;
    if (!is_constants && !is_arena) continue;
    auto pool = std::find_if(out.pools.begin(), out.pools.end(),
                             [&](const PoolInfo& known) { return known.name == global.variable.name; });
    if (pool == out.pools.end()) {
      out.pools.push_back({.name = global.variable.name, .size_bytes = 0, .is_const = false, .is_external = false});
      pool = out.pools.end() - 1;
    }
    pool->is_const = is_constants;
    pool->size_bytes = is_constants ? record->size_bytes : type.extents[0];
  }
}

}  // namespace

std::string sanitized(const std::string& name) {
  std::string out = name;
  std::replace_if(
      out.begin(), out.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return out;
}

Interface interface_of_header(const CUnit& header, const std::string& module_name) {
  Interface out;
  const std::string prefix = "tvmgen_" + module_name;
  const std::string sizes = upper_case(sanitized(prefix)) + "_";
  const auto tensors = [&](const char* suffix) -> std::optional<std::vector<IoInfo>> {
    const Record* record = find_record(header, prefix + suffix);
    if (record == nullptr) return std::nullopt;
    std::vector<IoInfo> list;
    for (const Variable& field : record->fields) {
      list.push_back({.name = field.name,
                      .size_bytes = macro(header, sizes + upper_case(field.name) + "_SIZE"),
                      .dtype = {},
                      .shape = {}});
    }
    return list;
  };
  out.inputs = tensors("_inputs");
  out.outputs = tensors("_outputs");
  if (const Record* pools = find_record(header, prefix + "_workspace_pools")) {
    for (const Variable& field : pools->fields) {
      const std::string stem = sizes + upper_case(field.name);
      const std::uint64_t constants = macro(header, stem + "_CONSTANT_POOL_SIZE");
      const std::uint64_t bytes = constants != 0 ? constants : macro(header, stem + "_WORKSPACE_POOL_SIZE");
      out.pools.push_back({.name = field.name, .size_bytes = bytes, .is_const = constants != 0, .is_external = true});
    }
  }
  if (const Record* devices = find_record(header, prefix + "_devices")) {
    for (const Variable& field : devices->fields) out.devices.push_back(field.name);
  }
  const std::uint64_t workspace = macro(header, sizes + "WORKSPACE_SIZE");
  if (workspace != 0)
    out.pools.push_back({.name = "", .size_bytes = workspace, .is_const = false, .is_external = false});
  return out;
}

std::pair<const Record*, const Global*> pooled_struct(const CUnit& glue) {
  for (const Global& global : glue.globals) {
    const std::string spelled = global.variable.type.spelling;
    const std::size_t at = spelled.find("struct ");
    if (global.variable.type.scalar != CType::Scalar::kRecord || at == std::string::npos ||
        global.variable.type.pointers != 0)
      continue;
    if (!global.variable.type.extents.empty() || global.initialiser.end <= global.initialiser.begin) continue;
    for (const Record& record : glue.records) {
      if (record.name == spelled.substr(at + 7) && !record.fields.empty() && record.size_bytes != 0)
        return {&record, &global};
    }
  }
  return {nullptr, nullptr};
}

Interface interface_of_glue(const CUnit& glue, const Function* run, const std::string& main_symbol) {
  Interface out;
  if (run != nullptr) {
    for (const GlueArgument& argument : call_arguments(glue, run->body_range, main_symbol)) put(argument, out);
  }
  if (out.inputs && !out.outputs) out.outputs.emplace();
  if (out.outputs && !out.inputs) out.inputs.emplace();
  if (!out.inputs) out.pools.clear();  // a packed run function: what it passes are not the pools
  add_defined_pools(glue, out);
  return out;
}

/// The values stand one block of braces a field, named or in order.
std::vector<PooledConstant> read_pooled_constants(const CUnit& glue, const Record& record, const Global& global) {
  std::vector<PooledConstant> constants;
  std::uint64_t pos = global.initialiser.begin;
  const std::uint64_t end = global.initialiser.end;
  InitialiserReader start(glue, global.initialiser);
  start.expect('{');
  pos = start.peek().at;
  for (std::size_t next = 0; pos < end;) {
    InitialiserReader in(glue, {pos, end});
    if (in.accept('}')) break;
    if (in.accept(',')) {
      pos = in.peek().at;
      continue;
    }
    if (in.accept('.')) {
      const Token name = in.next();
      const auto field = std::find_if(record.fields.begin(), record.fields.end(),
                                      [&](const Variable& f) { return f.name == name.text; });
      if (field == record.fields.end()) in.fail(name.at, "no constant of this name in struct " + record.name);
      next = static_cast<std::size_t>(field - record.fields.begin());
      in.expect('=');
    }
    if (next >= record.fields.size()) in.fail(in.peek().at, "more values than struct " + record.name + " has fields");
    const std::uint64_t begin = in.peek().at;
    const bool braced = in.peek().text == "{";
    const std::size_t close = glue.text.find(braced ? '}' : ',', begin);
    const std::uint64_t last =
        close == std::string::npos ? end : std::min<std::uint64_t>(end, braced ? close + 1 : close);
    PooledConstant constant{.name = record.fields[next].name, .offset_bytes = record.field_offsets[next], .bytes = {}};
    read_initialiser(glue, {begin, last}, record.fields[next].type, constant.bytes);
    constants.push_back(std::move(constant));
    pos = last;
    ++next;
  }
  std::stable_sort(constants.begin(), constants.end(),
                   [](const PooledConstant& a, const PooledConstant& b) { return a.offset_bytes < b.offset_bytes; });
  return constants;
}

}  // namespace detent::models::tvm
