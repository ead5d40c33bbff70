#include "models/import/tvm/footprint/order.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "models/import/tvm/footprint/terms/term_arithmetic.hpp"
#include "models/import/tvm/footprint/terms/term_replace.hpp"

namespace detent::models::tvm::footprint {
namespace {

constexpr std::int64_t kWidestElement = 16;   // buffers start at its multiples, so elements never meet in part
constexpr std::uint64_t kMostPairs = 20'000;  // of reads and writes, of one function
constexpr std::int64_t kNothing = INT64_MIN;  // no displacement is known to be right

using Renaming = std::map<VarId, NodeId>;

/// Reads against writes, by the least distance of what is still to be read from what is already written.
class ReadsBeforeWrites {
 public:
  ReadsBeforeWrites(Terms& terms, const Walker& walker) : terms_(terms), walker_(walker) {}

  /// The most that `written` may lie behind `read`. kNothing: not known.
  std::int64_t most_displacement(const std::vector<const Access*>& reads, const std::vector<const Access*>& writes) {
    std::int64_t most = Overwrite::kAnywhere;
    for (const Access* read : reads) {
      for (const Access* write : writes) {
        if (pairs_left_ == 0) return kNothing;
        --pairs_left_;
        most = std::min(most, distance(*read, *write));
        if (most == kNothing) return kNothing;
      }
    }
    return most;
  }

 private:
  /// From the end of what is written to the begin of what is read at that time or later, at least.
  std::int64_t distance(const Access& read, const Access& write) {
    const auto& a = walker_.log().path(read.path);
    const auto& b = walker_.log().path(write.path);
    std::set<VarId> same;  // loops that both are in, in the same trip
    std::int64_t least = Overwrite::kAnywhere;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      if (a[i].loop != b[i].loop) return std::min(least, unordered(read, write, same));
      const bool is_entered = walker_.log().repeats(a[i].loop) && (i == 0 || a[i - 1].loop != a[i].loop);
      if (is_entered) {
        const VarId counter = walker_.log().counter_of(a[i].loop);
        if (counter == kNone) return std::min(least, unordered(read, write, same));
        least = std::min(least, in_later_trip(read, write, same, counter));
        same.insert(counter);
      }
      if (a[i].statement < b[i].statement) return least;
      if (a[i].statement > b[i].statement) return std::min(least, unordered(read, write, same));
    }
    if (write.ends_statement && b.size() <= a.size()) return least;
    return std::min(least, unordered(read, write, same));
  }

  /// The read happens at any time of the same trips.
  std::int64_t unordered(const Access& read, const Access& write, const std::set<VarId>& same) {
    return least_distance(read, write, others(read, same, {}), others(write, same, {}));
  }

  /// The read happens in a later trip of one loop.
  std::int64_t in_later_trip(const Access& read, const Access& write, const std::set<VarId>& same, VarId counter) {
    const std::int64_t trips = count_of(terms_.variable(counter).domain);
    if (trips < 2) return Overwrite::kAnywhere;
    const NodeId first = copy_of(counter, Copy::kTrip, trips - 1);
    const NodeId more = copy_of(counter, Copy::kMoreTrips, trips - 1);
    const NodeId later = terms_.add(first, terms_.add(more, terms_.constant(1)));
    return least_distance(read, write, others(read, same, {{counter, later}}), others(write, same, {{counter, first}}));
  }

  enum class Copy : std::uint8_t { kOfRead, kOfWrite, kTrip, kMoreTrips };

  /// All variables but those of the loops in the same trip are any of their values, in the read and in the write.
  Renaming others(const Access& access, const std::set<VarId>& same, Renaming renaming) {
    for (const VarId variable : terms_.node(access.offset).vars) {
      if (same.contains(variable) || renaming.contains(variable)) continue;
      const Range domain = terms_.variable(variable).domain;
      const NodeId copy =
          copy_of(variable, access.is_write ? Copy::kOfWrite : Copy::kOfRead, std::min(count_of(domain), kFar));
      renaming[variable] = terms_.add(copy, terms_.constant(domain.lo));
    }
    return renaming;
  }

  NodeId copy_of(VarId variable, Copy kind, std::int64_t count) {
    const auto [known, is_new] = copies_.try_emplace({variable, kind}, kNone);
    if (is_new) known->second = terms_.loop_variable(count);
    return known->second;
  }

  std::int64_t least_distance(const Access& read, const Access& write, const Renaming& of_read,
                              const Renaming& of_write) {
    const auto is_plain = [&](const Access& access) {
      return !access.whole_record && access.width > 0 && access.width <= kWidestElement &&
             floor_mod(terms_, access.offset, access.width) == terms_.constant(0);
    };
    if (!is_plain(read) || !is_plain(write)) return kNothing;
    std::map<NodeId, NodeId> memo_of_read, memo_of_write;
    const NodeId from = substitute(terms_, write.offset, of_write, memo_of_write);
    const NodeId to = substitute(terms_, read.offset, of_read, memo_of_read);
    const std::int64_t least = terms_.node(terms_.sub(to, from)).range.lo;
    return least <= -kFar / 2 ? kNothing : least - write.width;
  }

  Terms& terms_;
  const Walker& walker_;
  std::map<std::pair<VarId, Copy>, NodeId> copies_;
  std::uint64_t pairs_left_ = kMostPairs;
};

/// May the compiler take it that buffers do not overlap, or that trips of a loop are independent? What functions
/// without a body here declare, binds their own bodies.
bool promises_separation(const CUnit& unit) {
  constexpr std::array<std::string_view, 3> kWords = {"pragma", "Pragma", "ivdep"};
  const auto is_restricted = [](const Variable& variable) {
    return variable.type.spelling.find("restrict") != std::string::npos;
  };
  const auto has_restricted = [&](const Function& function) {
    return function.body != kNoNode && std::any_of(function.params.begin(), function.params.end(), is_restricted);
  };
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return unit.text.find(word) != std::string::npos; }) ||
         std::any_of(unit.functions.begin(), unit.functions.end(), has_restricted) ||
         std::any_of(unit.stmts.begin(), unit.stmts.end(),
                     [&](const Stmt& stmt) { return is_restricted(stmt.variable); });
}

bool is_only_read(const AccessSets& sets) {
  return !sets.reads.empty() && sets.writes.empty() && !sets.reads_unbounded && !sets.writes_unbounded;
}

bool is_only_written(const AccessSets& sets) {
  return sets.reads.empty() && !sets.writes.empty() && !sets.reads_unbounded && !sets.writes_unbounded;
}

/// The compiler may take it that objects of different types are different objects.
bool have_one_type(const Object& a, const Object& b) {
  if (a.holds_records || b.holds_records) return false;  // of two records with equal members, too
  std::set<std::string> types;
  for (const Object* object : {&a, &b}) {
    for (const std::string& element : object->elements) {
      types.insert(element.starts_with("const ") ? element.substr(6) : element);
    }
  }
  return types.size() <= 1;
}

}  // namespace

std::vector<Overwrite> find_overwrites(const CUnit& unit, Terms& terms, const Walker& walker,
                                       const FunctionFootprint& footprint) {
  std::vector<Overwrite> result;
  if (walker.uses_addresses()) return result;
  const std::vector<Object>& objects = walker.objects();
  std::map<ObjectId, std::vector<const Access*>> reads, writes;
  for (const Access& access : walker.log().accesses()) {
    if (objects[access.object].kind == Object::Kind::kParam)
      (access.is_write ? writes : reads)[access.object].push_back(&access);
  }
  const auto of_param = [&](ObjectId object) -> const AccessSets& { return footprint.params[objects[object].index]; };
  std::optional<bool> is_separated;
  ReadsBeforeWrites order(terms, walker);
  try {
    for (const auto& [from, its_reads] : reads) {
      for (const auto& [to, its_writes] : writes) {
        const bool may_be =
            is_only_read(of_param(from)) && is_only_written(of_param(to)) && have_one_type(objects[from], objects[to]);
        if (!may_be) continue;
        if (!is_separated) is_separated = promises_separation(unit);
        if (*is_separated) return {};
        const std::int64_t most = order.most_displacement(its_reads, its_writes);
        const std::int64_t apart = of_param(from).reads.hull().begin - of_param(to).writes.hull().end;
        if (most > apart) result.push_back({objects[from].index, objects[to].index, most});
      }
    }
  } catch (const TooComplicated&) {
    return {};
  }
  return result;
}

}  // namespace detent::models::tvm::footprint
