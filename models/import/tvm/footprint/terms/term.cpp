#include "models/import/tvm/footprint/terms/term.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace detent::models::tvm::footprint {

std::int64_t saturating_add(std::int64_t a, std::int64_t b) { return std::clamp(a + b, -kFar, kFar); }

std::int64_t saturating_mul(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return (a < 0) == (b < 0) ? kFar : -kFar;
  return std::clamp(result, -kFar, kFar);
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a % b + (a % b < 0 ? b : 0); }

Range add(const Range& a, const Range& b) { return {saturating_add(a.lo, b.lo), saturating_add(a.hi, b.hi)}; }

Range mul(const Range& a, const Range& b) {
  const auto [lo, hi] = std::minmax(
      {saturating_mul(a.lo, b.lo), saturating_mul(a.lo, b.hi), saturating_mul(a.hi, b.lo), saturating_mul(a.hi, b.hi)});
  return {lo, hi};
}

bool within(const Range& range, std::int64_t lo, std::int64_t hi) { return lo <= range.lo && range.hi <= hi; }

Range hull(const Range& a, const Range& b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

std::int64_t count_of(const Range& range) {
  return range.hi < range.lo ? 0 : saturating_add(saturating_add(range.hi, -range.lo), 1);
}

bool is_float(Op op) { return op >= Op::kFloatConstant; }

namespace {

constexpr std::uint64_t kMostSize = 6'000'000;
constexpr std::size_t kMostDataSummands = 32;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

std::uint64_t hash_of(const Node& node) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(node.op), static_cast<std::uint64_t>(node.value));
  hash = mix(hash, std::bit_cast<std::uint64_t>(node.number));
  for (const NodeId arg : node.args) hash = mix(hash, arg);
  for (const std::int64_t coef : node.coefs) hash = mix(hash, static_cast<std::uint64_t>(coef));
  return hash;
}

bool same(const Node& a, const Node& b) {
  return a.op == b.op && a.value == b.value && a.args == b.args && a.coefs == b.coefs &&
         std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number);
}

}  // namespace

NodeId Terms::intern(Node node) {
  std::vector<NodeId>& bucket = index_[hash_of(node)];
  for (const NodeId id : bucket) {
    if (same(nodes_[id], node)) return id;
  }
  for (const NodeId arg : node.args) {
    std::vector<VarId> all;
    std::set_union(node.vars.begin(), node.vars.end(), nodes_[arg].vars.begin(), nodes_[arg].vars.end(),
                   std::back_inserter(all));
    node.vars = std::move(all);
    node.data = node.data || nodes_[arg].data;
  }
  size_ += 4 + 2 * node.args.size() + node.vars.size();
  if (size_ > kMostSize) throw TooComplicated{};
  const auto id = static_cast<NodeId>(nodes_.size());
  bucket.push_back(id);
  nodes_.push_back(std::move(node));
  return id;
}

NodeId Terms::constant(std::int64_t value) {
  Node node;
  node.value = std::clamp(value, -kFar, kFar);
  node.range = {node.value, node.value};
  return intern(std::move(node));
}

NodeId Terms::loop_variable(std::int64_t count) {
  Node node;
  node.op = Op::kVariable;
  node.value = static_cast<std::int64_t>(variables_.size());
  node.range = {0, count - 1};
  node.vars = {static_cast<VarId>(node.value)};
  variables_.push_back({node.range, false});
  return intern(std::move(node));
}

NodeId Terms::unknown(const Range& range) {
  if (range.lo == range.hi) return constant(range.lo);
  Node node;
  node.op = Op::kVariable;
  node.value = static_cast<std::int64_t>(variables_.size());
  node.range = range;
  node.data = true;
  node.vars = {static_cast<VarId>(node.value)};
  variables_.push_back({range, true});
  return intern(std::move(node));
}

NodeId Terms::atom(Op op, std::int64_t value, std::vector<NodeId> args, const Range& range) {
  Node node;
  node.op = op;
  node.value = value;
  node.args = std::move(args);
  node.range = range;
  const bool is_constant_expression = std::all_of(node.args.begin(), node.args.end(), [this](NodeId arg) {
    return is_constant(arg) || nodes_[arg].op == Op::kFloatConstant;
  });
  if (is_constant_expression) {
    std::vector<Slot> slots;
    std::vector<std::uint32_t> places;
    for (const NodeId arg : node.args) {
      places.push_back(static_cast<std::uint32_t>(slots.size()));
      slots.push_back({nodes_[arg].value, nodes_[arg].number});
    }
    const Slot result = evaluate(node, slots, places);
    return is_float(op) ? float_constant(result.number, static_cast<std::uint32_t>(value)) : constant(result.integer);
  }
  const bool is_logic = op == Op::kGe0 || op == Op::kEq0 || op == Op::kLogicAnd || op == Op::kLogicOr;
  const bool has_data =
      std::any_of(node.args.begin(), node.args.end(), [this](NodeId arg) { return nodes_[arg].data; });
  if (!has_data || is_logic) return intern(std::move(node));
  std::vector<std::int64_t> key = {static_cast<std::int64_t>(op), value};
  key.insert(key.end(), node.args.begin(), node.args.end());
  const auto found = unknowns_.find(key);
  if (found != unknowns_.end()) return found->second;
  const NodeId id = unknown(range);
  unknowns_.emplace(std::move(key), id);
  if (op == Op::kMin || op == Op::kMax) origins_.emplace(id, std::move(node));
  return id;
}

const Node* Terms::origin_of(NodeId id) const {
  const auto found = origins_.find(id);
  return found != origins_.end() ? &found->second : nullptr;
}

std::vector<Summand> Terms::summands(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.op != Op::kSum) return {{id, 1}};
  std::vector<Summand> result;
  for (std::size_t i = 0; i < node.args.size(); ++i) result.emplace_back(node.args[i], node.coefs[i]);
  return result;
}

std::int64_t Terms::offset_of(NodeId id) const { return nodes_[id].op == Op::kSum ? nodes_[id].value : 0; }

NodeId Terms::sum(std::int64_t constant, std::vector<Summand> terms) {
  std::sort(terms.begin(), terms.end());
  Node node;
  node.value = std::clamp(constant, -kFar, kFar);
  node.range = {node.value, node.value};
  for (std::size_t i = 0; i < terms.size();) {
    std::int64_t coef = 0;
    const NodeId arg = terms[i].first;
    for (; i < terms.size() && terms[i].first == arg; ++i) coef = saturating_add(coef, terms[i].second);
    if (coef == 0) continue;
    node.args.push_back(arg);
    node.coefs.push_back(coef);
    node.range = footprint::add(node.range, footprint::mul(range(arg), {coef, coef}));
  }
  if (node.value == 0 && node.args.size() == 1 && node.coefs[0] == 1) return node.args[0];
  if (node.args.size() > kMostDataSummands) {
    const auto is_data = [this](NodeId arg) { return nodes_[arg].data; };
    if (std::any_of(node.args.begin(), node.args.end(), is_data)) return unknown(node.range);
  }
  return intern(std::move(node));
}

NodeId Terms::add(NodeId a, NodeId b) {
  std::vector<Summand> terms = summands(a);
  const std::vector<Summand> more = summands(b);
  terms.insert(terms.end(), more.begin(), more.end());
  return sum(saturating_add(offset_of(a), offset_of(b)), std::move(terms));
}

NodeId Terms::scale(NodeId a, std::int64_t factor) {
  std::vector<Summand> terms = summands(a);
  for (auto& term : terms) term.second = saturating_mul(term.second, factor);
  return sum(saturating_mul(offset_of(a), factor), std::move(terms));
}

NodeId Terms::float_constant(double number, std::uint32_t bytes) {
  Node node;
  node.op = Op::kFloatConstant;
  node.value = bytes;
  node.number = bytes == 4 ? static_cast<double>(static_cast<float>(number)) : number;
  return intern(std::move(node));
}

NodeId Terms::digits(VarId variable, const Range& domain, const std::vector<std::int64_t>& moduli) {
  std::vector<std::int64_t> key = {static_cast<std::int64_t>(variable), domain.lo, domain.hi};
  key.insert(key.end(), moduli.begin(), moduli.end());
  const auto found = digits_.find(key);
  if (found != digits_.end()) return found->second;
  const std::int64_t count = count_of(domain);
  std::vector<Summand> terms;
  std::int64_t weight = 1;
  for (std::size_t i = 0; i <= moduli.size(); ++i) {
    const std::int64_t next = i < moduli.size() ? moduli[i] : count;
    terms.emplace_back(loop_variable(next / weight), weight);
    weight = next;
  }
  const NodeId result = sum(domain.lo, std::move(terms));
  digits_.emplace(std::move(key), result);
  return result;
}

}  // namespace detent::models::tvm::footprint
