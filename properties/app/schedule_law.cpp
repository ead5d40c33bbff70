// Laws of given schedules: valid lists are followed and change no byte, lists that contradict an edge are refused, and
// barriers hold.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/settings/schedule_file.hpp"
#include "base/io.hpp"
#include "harness/run_native.hpp"
#include "models/lower/lower.hpp"
#include "properties/law.hpp"
#include "sim/platform/platform.hpp"
#include "sim/simulate.hpp"

namespace detent::laws {
namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

constexpr GraphOptions kRaceFree{.graph = {.most_ops = 16, .mutexes = true, .delays = true}, .race_free = true};

/// Real ops in the topological order that the case's choices select.
std::vector<std::uint32_t> topological(const GraphCase& g, const models::Model& model) {
  std::vector<std::uint32_t> order = order_of(models::lower(model).desc(), g.schedule);
  std::erase_if(order, [&](std::uint32_t op) { return op >= model.ops.size(); });
  return order;
}

/// Dealt by the case's seed: each list keeps the order, so the lists can be followed.
Lists dealt(const std::vector<std::uint32_t>& order, const GraphCase& g) {
  Draw draw{rc::Random(g.seed)};
  Lists lists(g.workers);
  for (const std::uint32_t op : order) lists[draw.below(g.workers)].push_back(op);
  return lists;
}

std::string text_of(const Lists& lists) {
  std::string text = "[";
  for (const std::vector<std::uint32_t>& list : lists) {
    text += "[";
    for (const std::uint32_t op : list) text += std::to_string(op) + ", ";
    text += "], ";
  }
  return text + "]";
}

app::AppliedSchedule give(const std::string& rows, models::Model& model) {
  const std::string path = failure_path("toml");
  RC_LOG() << rows << "\n";
  write_file_atomically(path, "schema = \"detent.schedule/1\"\n" + rows + "\n");
  return app::apply_schedule_file(path, model);
}

bool is_refused(const std::string& rows, models::Model model) {
  try {
    give(rows, model);
  } catch (const std::invalid_argument& refused) {
    return std::string(refused.what()).find("contradict each other") != std::string::npos;
  }
  return false;
}

/// As many cores as workers, static mode.
sim::SimResult follow(const models::Model& model, const GraphCase& g) {
  sim::SimOptions options;
  options.engine.mode = DETENT_MODE_STATIC;
  options.engine.workers = g.workers;
  options.seeds.schedule = g.seed;
  options.runs = 1;
  options.execute_runs = 1;
  const models::LoweredModel lowered = models::lower(model);
  return sim::simulate(lowered.desc(), sim::plain_platform({{"cpu", g.workers}}), options);
}

/// Each op once, on the worker whose list it is in, and not before the one in front of it has ended. Ops that take no
/// time and begin at one instant have no order in a trace.
void assert_followed(const sim::SimResult& result, const Lists& lists) {
  std::map<std::uint32_t, harness::Span> span_of;
  for (const harness::Span& span : result.worst.trace.spans) RC_ASSERT(span_of.emplace(span.op, span).second);
  for (std::uint32_t worker = 0; worker < lists.size(); ++worker) {
    std::uint64_t free_ps = 0;
    for (const std::uint32_t op : lists[worker]) {
      RC_ASSERT(span_of.at(op).slot == worker);
      RC_ASSERT(span_of.at(op).begin_ps >= free_ps);
      free_ps = span_of.at(op).end_ps;
    }
  }
}

std::uint64_t serial_digest(const models::Model& model) {
  return harness::run_native(models::lower(model).desc(), {.engine = {.workers = 0}}).digest;
}

RC_GTEST_PROP(ScheduleLaw, ValidListsAreFollowedAndChangeNoByte, ()) {
  law_of(graphs(kRaceFree), verify_command, [](const GraphCase& g) {
    models::Model model = to_model(g);
    const Lists lists = dealt(topological(g, model), g);
    RC_ASSERT(give("lists = " + text_of(lists), model).workers == g.workers);
    const sim::SimResult result = follow(model, g);
    RC_LOG() << result.failure.value_or("");
    RC_ASSERT(!result.failure);
    RC_ASSERT(result.digests == std::vector{serial_digest(to_model(g))});
    assert_followed(result, lists);
  });
}

RC_GTEST_PROP(ScheduleLaw, ListsThatContradictAnEdgeAreRefused, ()) {
  law_of(graphs(kRaceFree), verify_command, [](const GraphCase& g) {
    const models::Model model = to_model(g);
    RC_PRE(!model.edges.empty());
    Lists lists = dealt(topological(g, model), g);
    const models::Edge& edge = model.edges[g.seed % model.edges.size()];
    // Into one list, the wrong way round.
    for (std::vector<std::uint32_t>& list : lists) std::erase(list, edge.from);
    for (std::vector<std::uint32_t>& list : lists) {
      const auto at = std::ranges::find(list, edge.to);
      if (at == list.end()) continue;
      list.insert(at + 1 + static_cast<std::ptrdiff_t>(g.seed % static_cast<std::uint64_t>(list.end() - at)),
                  edge.from);
      break;
    }
    RC_ASSERT(is_refused("lists = " + text_of(lists), model));
  });
}

RC_GTEST_PROP(ScheduleLaw, NoOpOfALayerBeginsBeforeTheLayerBeforeHasEnded, ()) {
  law_of(graphs(kRaceFree), verify_command, [](const GraphCase& g) {
    models::Model model = to_model(g);
    const std::vector<std::uint32_t> order = topological(g, model);
    Draw draw{rc::Random(g.seed + 1)};
    std::string rows = "layers = [";
    std::vector<std::uint32_t> layer_of(model.ops.size(), 0);
    std::uint32_t layers = 0;
    for (std::size_t at = 0; at < order.size(); ++layers) {
      const std::size_t end = at + draw.below(order.size() - at + 1);
      for (std::size_t i = at; i < end; ++i) layer_of[order[i]] = layers;
      rows +=
          text_of(dealt(
              {order.begin() + static_cast<std::ptrdiff_t>(at), order.begin() + static_cast<std::ptrdiff_t>(end)}, g)) +
          ", ";
      at = end;
    }
    give(rows + "]", model);
    const sim::SimResult result = follow(model, g);
    RC_ASSERT(!result.failure);
    RC_ASSERT(result.digests == std::vector{serial_digest(to_model(g))});
    for (const harness::Span& before : result.worst.trace.spans) {
      for (const harness::Span& after : result.worst.trace.spans) {
        if (before.op >= layer_of.size() || after.op >= layer_of.size()) continue;
        if (layer_of[before.op] < layer_of[after.op]) RC_ASSERT(before.end_ps <= after.begin_ps);
      }
    }
  });
}

}  // namespace
}  // namespace detent::laws
