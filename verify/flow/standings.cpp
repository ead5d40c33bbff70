#include "verify/flow/standings.hpp"

#include <algorithm>
#include <utility>

namespace detent::verify {
namespace {

using OpPair = std::pair<std::uint32_t, std::uint32_t>;  ///< writer, reader

Standing standing_of(Relation relation) {
  return relation == Relation::kBefore  ? Standing::kBefore
         : relation == Relation::kAfter ? Standing::kAfter
                                        : Standing::kUnordered;
}

bool is_related_by_edges(const OpPair& pair) {
  return pair.first != pair.second && pair.first != kApplication && pair.second != kApplication;
}

}  // namespace

Standings::Standings(const detent_desc& desc, const ValueTables* tables, const Order& order, const Wants& wants) {
  std::vector<OpPair> pairs;
  for (const Want& want : wants.all) {
    first_.push_back(static_cast<std::uint32_t>(pairs.size()));
    for (const Wanted& value : want.values) pairs.emplace_back(value.writer, want.reader);
  }
  first_.push_back(static_cast<std::uint32_t>(pairs.size()));
  for (OpId op = 0; tables != nullptr && op < desc.op_count && op < tables->guards.size(); ++op) {
    for (const Guard& guard : tables->guards[op]) pairs.emplace_back(tables->decisions[guard.decision].op, op);
  }
  std::vector<OpPair> asked;
  std::ranges::copy_if(pairs, std::back_inserter(asked), is_related_by_edges);
  const std::vector<Relation> relations = asked.empty() ? std::vector<Relation>{} : relate_pairs(order, asked);
  std::size_t next = 0;
  for (const OpPair& pair : pairs) {
    if (is_related_by_edges(pair)) {
      all_.push_back(standing_of(relations[next++]));
    } else if (pair.first == kApplication || pair.second == kApplication) {
      all_.push_back(Standing::kBefore);
    } else {
      all_.push_back(Standing::kAfter);  // it reads before it writes
    }
  }
}

}  // namespace detent::verify
