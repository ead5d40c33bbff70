#include "tests/e2e/random/random_graph_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/support/xorshift.hpp"

namespace detent::e2e {
namespace {

using Json = nlohmann::json;

class RandomGraph {
 public:
  explicit RandomGraph(std::uint64_t seed) : seed_(seed), random_(seed) {}

  std::string run() {
    count_ = 2 + pick(12);
    races_ = seed_ % 3 == 0;
    has_buffers_ = seed_ % 4 == 1;
    for (std::uint64_t i = 0; i < count_; ++i) ids_.push_back(i);
    if (chance(2)) {  // ids are no order
      for (std::uint64_t i = count_ - 1; i > 0; --i) std::swap(ids_[i], ids_[pick(i + 1)]);
    }
    Json graph = {{"schema", "detent.graph/2"}, {"name", "random" + std::to_string(seed_)}};
    if (chance(3)) graph["deadline"] = std::to_string(1 + pick(8)) + "us";
    if (chance(4)) graph["period"] = std::to_string(2 + pick(8)) + "us";
    edges(graph);
    for (std::uint64_t i = 0; i < count_; ++i) graph["ops"].push_back(op(i));
    if (chance(3) && count_ > 4) guards(graph);
    memory(graph);
    return graph.dump();
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return random_.below(below); }
  bool chance(std::uint64_t one_in) { return random_.chance(one_in); }

  /// From ops of a lower place to ops of a higher one.
  void edges(Json& graph) {
    const std::uint64_t density = 2 + pick(4);
    before_.resize(count_);
    graph["edges"] = Json::array();
    for (std::uint64_t to = 1; to < count_; ++to) {
      for (std::uint64_t from = 0; from < to; ++from) {
        if (!chance(density)) continue;
        before_[to].push_back(from);
        Json edge = Json::array({ids_[from], ids_[to]});
        if (chance(5)) {
          const std::uint64_t least = pick(300);
          edge.push_back(least);
          edge.push_back(least + pick(200));
        }
        graph["edges"].push_back(edge);
      }
    }
  }

  Json op(std::uint64_t place) {
    Json op = {{"id", ids_[place]}};
    if (chance(2)) op["name"] = "step " + std::to_string(place);
    const std::uint64_t best = pick(900), worst = best + pick(400);
    op["time_ps"] = chance(4) ? Json(worst) : Json::array({best, worst});
    if (chance(5)) op["core"] = "npu";
    if (chance(5)) {
      const std::uint64_t earliest = pick(100);
      op["release_ps"] = Json::array({earliest, earliest + pick(500)});
    }
    if (chance(3)) op["priority"] = static_cast<std::int64_t>(pick(7)) - 3;
    if (chance(12) && !op.contains("core")) op["workers"] = Json::array({pick(2)});
    if (chance(5)) op["mutex"] = chance(2) ? Json("bus") : Json::array({"bus", "bank"});
    if (chance(12)) op["commutes"] = "sum";
    return op;
  }

  /// Every op writes a place of its own, or an earlier one's where races may be, and reads those of the ops before it.
  void memory(Json& graph) {
    std::uint64_t bytes = 0;
    std::vector<Json> written(count_);
    for (std::uint64_t i = 0; i < count_; ++i) {
      Json& op = graph["ops"][i];
      op["reads"] = Json::array();
      for (const std::uint64_t before : before_[i]) {
        if (!written[before].is_null() && op["reads"].size() < 3) op["reads"].push_back(written[before]);
      }
      const std::uint64_t size = 16 * (1 + pick(6));
      if (has_buffers_) {
        const std::string name = "b" + std::to_string(i);
        Json buffer = {{"name", name}, {"size", size + pick(9)}};
        if (chance(4)) buffer["align"] = 128;
        if (chance(5)) buffer["role"] = "output";
        graph["buffers"].push_back(buffer);
        written[i] = {{"buffer", name}};
      } else if (races_ && i > 0 && chance(4)) {
        written[i] = written[pick(i)];
        if (written[i].is_null()) continue;
      } else {
        written[i] = {{"region", "ws"}, {"offset", bytes}, {"size", size}};
        bytes += size;
        if (!races_ && chance(4)) operator_of(op, size);
      }
      op["writes"] = Json::array({written[i]});
    }
    if (!has_buffers_)
      graph["regions"] = Json::array({Json{{"name", "ws"}, {"size", std::max<std::uint64_t>(bytes, 16) + pick(64)}}});
  }

  /// An operator of one input, where the op reads one range of as many bytes.
  void operator_of(Json& op, std::uint64_t size) {
    if (op["reads"].size() != 1 || op["reads"][0]["size"] != size) return;
    static const std::vector<std::string> kUnary = {"relu", "sigmoid", "neg", "abs", "sqrt"};
    op["kernel"] = kUnary[pick(kUnary.size())];
    op["dtype"] = "f32";
    op["shape"] = Json::array({size / 16, 4});
  }

  /// The first op takes a decision; some of the ops behind it are of one of its outcomes.
  void guards(Json& graph) {
    const std::string name = "c" + std::to_string(ids_[0]);
    std::vector<bool> is_behind(count_);
    is_behind[0] = true;
    std::uint64_t guarded = 0;
    for (std::uint64_t i = 1; i < count_; ++i) {
      is_behind[i] = std::any_of(before_[i].begin(), before_[i].end(), [&](std::uint64_t b) { return is_behind[b]; });
      if (!is_behind[i] || !chance(2)) continue;
      graph["ops"][i]["guard"] = name + (guarded++ % 2 == 0 ? "=then" : "=else");
    }
    if (graph["ops"][0].contains("name")) {
      for (Json& op : graph["ops"]) {
        if (op.contains("guard")) {
          std::string text = op["guard"];
          op["guard"] = std::string(graph["ops"][0]["name"]) + text.substr(text.find('='));
        }
      }
    }
  }

  std::uint64_t seed_;
  support::Xorshift random_;
  std::uint64_t count_ = 0;
  bool races_ = false, has_buffers_ = false;
  std::vector<std::uint64_t> ids_;                  ///< by place
  std::vector<std::vector<std::uint64_t>> before_;  ///< places
};

}  // namespace

std::string random_graph_file(std::uint64_t seed) { return RandomGraph(seed).run(); }

}  // namespace detent::e2e
