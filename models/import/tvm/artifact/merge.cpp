// What each file of an artifact tells -> its inputs, outputs, pools and devices: the first file that tells a thing
// counts.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "models/import/tvm/artifact/parts.hpp"
#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/files/names.hpp"

namespace detent::models::tvm {
namespace {

/// Fill what `from` tells and `info` does not.
void complete(IoInfo& info, const IoInfo& from) {
  if (info.size_bytes == 0) info.size_bytes = from.size_bytes;
  if (info.dtype.empty()) info.dtype = from.dtype;
  if (info.shape.empty()) info.shape = from.shape;
}

void complete(std::vector<IoInfo>& list, const std::vector<IoInfo>& from, bool ordered) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto same = std::find_if(from.begin(), from.end(), [&](const IoInfo& other) {
      return sanitized(other.name) == sanitized(list[i].name);
    });
    if (same != from.end()) {
      complete(list[i], *same);
    } else if (from.size() == list.size() && (ordered || list.size() == 1)) {
      complete(list[i], from[i]);
    }
  }
}

/// "output2" before "output10".
bool natural_less(const std::string& a, const std::string& b) {
  const auto stem = [](const std::string& text) { return text.find_last_not_of("0123456789") + 1; };
  const std::string_view head_a = std::string_view(a).substr(0, stem(a)),
                         head_b = std::string_view(b).substr(0, stem(b));
  if (head_a != head_b) return head_a < head_b;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

/// Put tensors that metadata.json sorted by name into the order of main's parameters.
void order_by_main(std::vector<IoInfo>& list, bool outputs, Artifact& artifact) {
  if (list.size() < 2) return;
  std::vector<IoInfo> ordered;
  if (const Function* main = artifact.operators.find(artifact.main_symbol)) {
    for (const Variable& param : main->params) {
      const std::string name = sanitized(tensor_of_parameter(param.name));
      const auto same =
          std::find_if(list.begin(), list.end(), [&](const IoInfo& info) { return sanitized(info.name) == name; });
      if (same != list.end()) ordered.push_back(*same);
    }
  }
  if (ordered.size() == list.size()) {
    list = std::move(ordered);
    return;
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const IoInfo& a, const IoInfo& b) { return natural_less(a.name, b.name); });
  artifact.notes.push_back(std::string("the order of the ") + (outputs ? "outputs" : "inputs") +
                           " is taken from their names; no header or run function tells it");
}

void merge_tensors(const std::vector<Interface>& interfaces, bool outputs, Artifact& artifact) {
  std::optional<std::vector<IoInfo>>& merged = outputs ? artifact.outputs : artifact.inputs;
  for (const Interface& source : interfaces) {
    const std::optional<std::vector<IoInfo>>& told = outputs ? source.outputs : source.inputs;
    if (!told) continue;
    if (!merged) {
      merged = told;
      if (!source.ordered) order_by_main(*merged, outputs, artifact);
    } else {
      complete(*merged, *told, source.ordered);
    }
  }
}

/// Names of main's pool parameters, in order; a packed main unpacks them into variables of the same names.
std::vector<std::string> pool_parameters(const CUnit& unit, const Function& main) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const auto pool = pool_of_parameter(name);
    if (pool && std::find(names.begin(), names.end(), *pool) == names.end()) names.push_back(*pool);
  };
  for (const Variable& param : main.params) add(param.name);
  if (!is_packed(main)) return names;
  for (const StmtId id : unit.stmt(main.body).body) {
    const Stmt& stmt = unit.stmt(id);
    if (stmt.kind == StmtKind::kDeclare && stmt.variable.type.pointers == 1) add(stmt.variable.name);
  }
  return names;
}

void merge_pools(const std::vector<Interface>& interfaces, Artifact& artifact) {
  std::vector<PoolInfo>& pools = artifact.pools;
  if (const Function* main = artifact.operators.find(artifact.main_symbol)) {
    for (const std::string& name : pool_parameters(artifact.operators, *main)) {
      const bool is_const = name.find("const") != std::string::npos;
      pools.push_back({.name = name, .size_bytes = 0, .is_const = is_const, .is_external = false});
    }
  }
  std::vector<const PoolInfo*> unnamed;
  for (const Interface& source : interfaces) {
    for (const PoolInfo& told : source.pools) {
      const auto same =
          std::find_if(pools.begin(), pools.end(), [&](const PoolInfo& pool) { return pool.name == told.name; });
      if (told.name.empty()) unnamed.push_back(&told);
      if (same == pools.end()) continue;
      if (same->size_bytes == 0) same->size_bytes = told.size_bytes;
      same->is_const = same->is_const || told.is_const;
      same->is_external = same->is_external || told.is_external;
    }
  }
  for (const PoolInfo* told : unnamed) {  // "the workspace" is a pool only where there is one
    const auto is_like = [&](const PoolInfo& pool) { return pool.is_const == told->is_const; };
    const auto pool = std::find_if(pools.begin(), pools.end(), is_like);
    const bool only = std::count_if(pools.begin(), pools.end(), is_like) == 1;
    if (only && pool->size_bytes == 0) pool->size_bytes = told->size_bytes;
  }
}

void merge_devices(const std::vector<Interface>& interfaces, Artifact& artifact) {
  std::vector<std::string>& devices = artifact.device_contexts;
  for (const Interface& source : interfaces) {
    if (devices.empty()) devices = source.devices;
  }
  const Function* main = artifact.operators.find(artifact.main_symbol);
  if (main == nullptr || !devices.empty()) return;
  for (const Variable& param : main->params) {
    if (is_device_parameter(param.name)) devices.push_back(param.name);
  }
}

}  // namespace

void merge_interfaces(const std::vector<Interface>& interfaces, Artifact& artifact) {
  merge_tensors(interfaces, false, artifact);
  merge_tensors(interfaces, true, artifact);
  merge_pools(interfaces, artifact);
  merge_devices(interfaces, artifact);
}

}  // namespace detent::models::tvm
