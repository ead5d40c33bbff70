// The walk's accesses -> the byte sets of each parameter and pool use.
#include "models/tvm/footprint.hpp"

#include <utility>

#include "models/tvm/footprint_set.hpp"
#include "models/tvm/footprint_walk.hpp"

namespace detent::models::tvm {
namespace {

using footprint::Access;
using footprint::Object;

/// The bytes of one direction through one pointer, while they are collected.
struct Collected {
  ByteSet exact, possible;
  bool unbounded = false;
};

void take(ByteSet& set, bool& exact, bool& unbounded, Collected& from) {
  exact = from.possible.difference(from.exact).empty() && !from.unbounded;
  set = std::move(from.exact);
  set.unite(from.possible);
  unbounded = from.unbounded;
}

AccessSets sets_of(Collected& reads, Collected& writes) {
  AccessSets sets;
  take(sets.reads, sets.reads_exact, sets.reads_unbounded, reads);
  take(sets.writes, sets.writes_exact, sets.writes_unbounded, writes);
  return sets;
}

AccessSets anything() {
  AccessSets sets;
  sets.reads_exact = sets.writes_exact = false;
  sets.reads_unbounded = sets.writes_unbounded = true;
  return sets;
}

void collect(footprint::Terms& terms, const footprint::Walker& walker, const FootprintOptions& options,
             std::vector<Collected>& reads, std::vector<Collected>& writes) {
  footprint::SetBuilder builder(terms, options.max_points);
  for (const Access& access : walker.accesses()) {
    Collected& into = (access.is_write ? writes : reads)[access.object];
    if (into.unbounded) continue;
    footprint::TouchedBytes touched = builder.build({access.offset, access.width, walker.guard_list(access.guards)});
    if (touched.unbounded) into.unbounded = true;
    (touched.exact && !access.whole_record ? into.exact : into.possible).unite(touched.bytes);
  }
  const std::vector<Object>& objects = walker.objects();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    reads[i].unbounded = reads[i].unbounded || objects[i].reads_escape;
    writes[i].unbounded = writes[i].unbounded || objects[i].writes_escape;
  }
}

std::string only_element(const Object& object) { return object.elements.size() == 1 ? *object.elements.begin() : ""; }

void fill(const footprint::Walker& walker, std::vector<Collected>& reads, std::vector<Collected>& writes,
          FunctionFootprint& result) {
  const std::vector<Object>& objects = walker.objects();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Object& object = objects[i];
    if (object.kind == Object::Kind::kParam) {
      result.params[object.index] = sets_of(reads[i], writes[i]);
      std::string& element = result.param_elements[object.index];
      if (element.empty()) element = only_element(object);
    } else if (object.kind == Object::Kind::kPool) {
      result.pool_uses[object.index].access = sets_of(reads[i], writes[i]);
      result.pool_uses[object.index].element = only_element(object);
    }
  }
}

/// "float" of float*
std::string element_of(const CType& type) {
  if (type.pointers != 1 || type.scalar == CType::Scalar::kVoid || type.scalar == CType::Scalar::kRecord) return "";
  std::string text = type.spelling;
  while (!text.empty() && (text.back() == '*' || text.back() == ' ')) text.pop_back();
  return text;
}

FunctionFootprint start(const Function& function, const FootprintOptions& options) {
  FunctionFootprint result;
  result.function = function.name;
  result.line = function.line;
  if (options.packed) return result;
  for (const Variable& param : function.params) {
    result.params.emplace_back();
    result.param_names.push_back(param.name);
    result.param_elements.push_back(element_of(param.type));
  }
  return result;
}

}  // namespace

FunctionFootprint analyse_function(const CUnit& unit, const Function& function, const FootprintOptions& options) {
  FunctionFootprint result = start(function, options);
  footprint::Terms terms;
  footprint::Walker walker(unit, terms, options);
  if (function.body != kNoNode) walker.run(function, result);
  if (function.body == kNoNode || function.damaged) {
    result.understood = false;
    result.why = function.damaged ? "its text has errors" : "its body is not here";
    result.line = function.line;
  }
  std::vector<Collected> reads(walker.objects().size());
  std::vector<Collected> writes(walker.objects().size());
  if (result.understood) {
    collect(terms, walker, options, reads, writes);
    fill(walker, reads, writes, result);
    result.line = 0;
    return result;
  }
  for (std::size_t i = 0; i < result.params.size(); ++i) {
    const bool is_pointer = options.packed || footprint::is_pointer(function.params[i].type);
    if (is_pointer) result.params[i] = anything();
  }
  for (PoolUse& use : result.pool_uses) use.access = anything();
  return result;
}

}  // namespace detent::models::tvm
