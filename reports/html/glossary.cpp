// Glossary: the words of the page with one explanation each.
#include "reports/html/glossary.hpp"

#include <algorithm>
#include <array>

#include "base/assert.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {
namespace {

struct Term {
  std::string_view id, name, text;
};

// By name, as they stand on the page.
// clang-format off
constexpr auto kTerms = std::to_array<Term>({
    {"anomaly", "scheduling anomaly", "An op takes less than its worst time, other ops then begin in another order, and the run takes longer (Graham 1969). So a run in which every op takes its worst time need not be the longest."},
    {"assumed", "assumed time", "The time of an op that nobody gave or measured and of which no model of the chip is known: it follows from a default, such as a usual share of a core's peak. An answer that rests on one is a guess."},
    {"bound", "bound", "A time that no schedule exceeds, computed and not observed. It holds as long as no op exceeds its worst time and the assumptions on this page hold."},
    {"typed", "bound per class of cores", "An upper bound that counts each class of cores apart (for typed graphs, Han et al. 2019)."},
    {"buffer", "buffer", "Bytes of the workspace that hold a tensor. Buffers are used again for other tensors later in the run."},
    {"chain", "chain that sets the end", "From the op that ends last back to what each op waited for: an op before it in the graph, or the op before it on its core."},
    {"class", "class of cores", "A kind of core, such as cpu or npu. Each op is bound to one class."},
    {"contention", "contention", "Time that an op waits for memory because other cores or the NPU use it, too."},
    {"cover-goal", "cover goal", "Something that must have happened for \u201cno law was broken\u201d to mean anything, such as two ops at the same time."},
    {"critical-path", "critical path", "The longest path through the graph, every op with its worst time. If all ops take their worst time, no schedule is shorter."},
    {"digest", "digest", "A checksum of the output bytes. Equal digests mean equal bits."},
    {"dram", "DRAM", "The memory that all cores and the NPU share."},
    {"exact", "exact worst case", "The longest that any run can take under one policy, whatever the ops take within their ranges: no run is longer, and one is as long."},
    {"given", "given time", "The time of an op that the model's own file states."},
    {"graham", "Graham's bound", "An upper bound for identical cores on which no core idles while an op is ready, whatever the priorities (Graham 1969)."},
    {"he2022", "bound by long paths", "Graham's bound, made lower by further long paths: what runs on them takes one core each (He et al. 2022)."},
    {"jitter", "jitter", "How the times of ops vary from run to run in simulation: a distribution between best and worst time."},
    {"kernel", "kernel", "The function that computes an op."},
    {"load", "load of higher priority", "Other software on the chip that takes a core from the network at times."},
    {"longest", "longest run seen", "The longest of the runs that were simulated. Not the worst case: a longer run may exist."},
    {"makespan", "makespan", "Time from the first start to the last end of a run."},
    {"measured", "measured time", "The time of an op from a cost table that was measured (detent calibrate). Its worst is the longest that was seen."},
    {"median", "median", "Half of the runs were shorter, half were longer."},
    {"modelled", "modelled time", "The time of an op that follows from its work and from numbers of the chip that have a source, or from its mapping onto the array of an NPU."},
    {"serial", "one op after another", "The sum of all op times with their overheads: some op runs whenever the run is not finished."},
    {"op", "op", "One node of the network: a kernel with its inputs and outputs. Ops are never interrupted by other ops."},
    {"order", "order of conflicting ops", "Schedules that run all conflicting ops in the same order give the same bytes, so one of each kind is enough (a Mazurkiewicz trace)."},
    {"p99", "p99", "99 of 100 runs were not longer."},
    {"race", "racing pair", "Two ops that no path of the graph orders and that touch a common byte which one of them writes. Which comes first depends on the schedule, and so do the bytes."},
    {"redundancy", "redundancy", "Executed schedules per different order of conflicting ops: 1 is the best."},
    {"overhead", "runtime overhead", "Time of the runtime itself: queues, locks, dispatch, wake-ups."},
    {"seed", "seed", "The number that all random choices of a run follow from. The same seed repeats the run."},
    {"estimate", "simulated estimate", "What was seen in simulated runs. It is optimistic: the worst case may be longer than the longest run seen."},
    {"unordered", "unordered pair", "Two ops that no path of the graph orders: a schedule may run them in either order or at once."},
    {"unseen", "unseen", "Chance that the next random schedule shows an order that was not run yet (Good 1953)."},
    {"verdict", "verdict", "What a check says of one property: it holds, it is violated, or it is not known."},
    {"work-per-core", "work per core", "All work of a class divided by its cores. If all ops take their worst time, no schedule is shorter."},
    {"workspace", "workspace", "The memory for everything that ops write and others read, outputs apart."},
    {"worst-time", "worst time", "The longest time that an op is said to take. Every bound rests on it."},
});
// clang-format on

const Term& find_term(std::string_view id) {
  const auto* const at = std::ranges::find_if(kTerms, [&](const Term& term) { return term.id == id; });
  DETENT_ASSERT(at != kTerms.end());
  return *at;
}

}  // namespace

std::string term_html(std::string_view id, std::string_view shown) {
  const Term& term = find_term(id);
  return "<a class=\"term\" href=\"#term-" + std::string(term.id) + "\" title=\"" + escape_html(term.text) + "\">" +
         escape_html(shown) + "</a>";
}

std::string hint_html(std::string_view hint, std::string_view shown) {
  return "<span class=\"term\" tabindex=\"0\" title=\"" + escape_html(hint) + "\">" + escape_html(shown) + "</span>";
}

std::string name_html(std::string_view name) {
  constexpr std::string_view kEnds = "_./:-,";
  const auto is_digit = [&](std::size_t at) { return at < name.size() && name[at] >= '0' && name[at] <= '9'; };
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find_first_of(kEnds, at), name.size() - 1) + 1;
    out += escape_html(name.substr(at, end - at));
    const bool is_within_number = end >= 2 && is_digit(end - 2) && is_digit(end);
    if (end < name.size() && name[end] != ' ' && !is_within_number) out += "<wbr>";
    at = end;
  }
  return out;
}

std::string glossary_html() {
  std::string out =
      "<section id=\"glossary\"><h2>Words on this page</h2><p class=\"lead\">Underlined words show their explanation "
      "when the pointer or the keyboard is on them.</p><dl class=\"glossary\">";
  for (const Term& term : kTerms) {
    out += "<div id=\"term-" + std::string(term.id) + "\"><dt>" + escape_html(term.name) + "</dt><dd>" +
           escape_html(term.text) + "</dd></div>";
  }
  return out + "</dl></section>";
}

}  // namespace detent::reports
