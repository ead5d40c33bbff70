// The walk's accesses -> the byte sets of each parameter and pool use.
#include "models/import/tvm/footprint/footprint.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "models/import/tvm/footprint/order.hpp"
#include "models/import/tvm/footprint/own.hpp"
#include "models/import/tvm/footprint/sets/access_set.hpp"
#include "models/import/tvm/footprint/terms/term_logic.hpp"
#include "models/import/tvm/footprint/walk/walker.hpp"

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

/// An access together with the conditions on data under which it happens.
struct Conditions {
  footprint::AccessShape shape;  ///< with the other conditions
  std::vector<footprint::NodeId> data;
};

Conditions conditions_of(const footprint::Terms& terms, const footprint::Walker& walker, const Access& access) {
  Conditions result = {{access.offset, access.width, {}}, {}};
  for (const footprint::NodeId guard : walker.log().guard_list(access.guards)) {
    (terms.node(guard).data ? result.data : result.shape.guards).push_back(guard);
  }
  return result;
}

/// Accesses that both branches of a condition on data make: they happen whatever the data.
using Branches = std::map<std::tuple<footprint::ObjectId, bool, footprint::AccessShape>, std::set<footprint::NodeId>>;

Branches branches_of(const footprint::Terms& terms, const footprint::Walker& walker) {
  Branches result;
  for (const Access& access : walker.log().accesses()) {
    const Conditions conditions = conditions_of(terms, walker, access);
    if (conditions.data.size() != 1 || access.whole_record) continue;
    result[{access.object, access.is_write, conditions.shape}].insert(conditions.data[0]);
  }
  return result;
}

void collect(footprint::Terms& terms, const footprint::Walker& walker, const FootprintOptions& options,
             std::vector<Collected>& reads, std::vector<Collected>& writes) {
  footprint::SetBuilder builder(terms, options.max_points);
  footprint::OwnWrites own(terms, walker, builder);
  const Branches branches = branches_of(terms, walker);
  for (const Access& access : walker.log().accesses()) {
    Collected& into = (access.is_write ? writes : reads)[access.object];
    if (into.unbounded) continue;
    footprint::AccessShape shape = {access.offset, access.width, walker.log().guard_list(access.guards)};
    const Conditions conditions = conditions_of(terms, walker, access);
    if (conditions.data.size() == 1) {
      const auto both = branches.find({access.object, access.is_write, conditions.shape});
      const footprint::NodeId opposite = logic_not(terms, conditions.data[0]);
      if (both != branches.end() && both->second.contains(opposite)) shape = conditions.shape;
    }
    footprint::TouchedBytes touched = builder.build(shape);
    if (touched.unbounded) into.unbounded = true;
    if (!access.is_write) touched.bytes = touched.bytes.difference(own.of_read(access, touched.bytes));
    (touched.exact && !access.whole_record && !walker.fails_on_data() ? into.exact : into.possible)
        .unite(touched.bytes);
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
      result.params[object.index].names_tell = !object.is_stored;
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
  result.file = function.file;
  if (options.packed) return result;
  if (options.binding != nullptr) {
    result.params.resize(options.binding->object_count);
    result.param_names.resize(options.binding->object_count);
    result.param_elements.resize(options.binding->object_count);
    return result;
  }
  for (const Variable& param : function.params) {
    result.params.emplace_back();
    result.param_names.push_back(param.name);
    result.param_elements.push_back(element_of(param.type));
  }
  return result;
}

void analyse(const CUnit& unit, const Function& function, const FootprintOptions& options, FunctionFootprint& result) {
  footprint::Terms terms;
  footprint::Walker walker(unit, terms, options);
  walker.run(function, result);
  if (!result.understood) return;
  std::vector<Collected> reads(walker.objects().size());
  std::vector<Collected> writes(walker.objects().size());
  collect(terms, walker, options, reads, writes);
  fill(walker, reads, writes, result);
  if (options.binding == nullptr) result.overwrites = footprint::find_overwrites(unit, terms, walker, result);
  result.line = 0;
}

void make_opaque(const Function& function, const FootprintOptions& options, FunctionFootprint& result) {
  if (options.binding != nullptr) return;  // every object may be touched; the caller says so
  for (std::size_t i = 0; i < result.params.size(); ++i) {
    const bool is_pointer = options.packed || footprint::is_pointer(function.params[i].type);
    if (!is_pointer) continue;
    result.params[i] = anything();
    const CType& type = i < function.params.size() ? function.params[i].type : CType{};
    if (!options.packed && type.pointers == 1 && type.spelling.starts_with("const "))
      result.params[i].writes_unbounded = false;
  }
  for (PoolUse& use : result.pool_uses) use.access = anything();
}

}  // namespace

FunctionFootprint analyse_function(const CUnit& unit, const Function& function, const FootprintOptions& options) {
  FunctionFootprint result = start(function, options);
  const auto give_up = [&](const std::string& why) {
    result.understood = false;
    result.why = why;
    if (result.line == 0) result.line = function.line;
  };
  if (function.body == kNoNode) {
    give_up("its body is not here");
  } else {
    try {
      analyse(unit, function, options, result);
    } catch (const footprint::TooComplicated&) {
      result.hides_accesses = true;
      give_up("index expressions too long to analyse");
    }
    result.hides_accesses = result.hides_accesses || function.damaged || !function.doubt.empty();
    if (function.damaged) give_up("its text has errors");
    if (!function.doubt.empty()) give_up(function.doubt);
  }
  if (!result.understood) make_opaque(function, options, result);
  return result;
}

}  // namespace detent::models::tvm
