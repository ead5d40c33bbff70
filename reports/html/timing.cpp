// Times in report.html: the ladder observed <= bound, the distribution of makespans, the use of the cores.
#include <algorithm>

#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"
#include "reports/text/report_text.hpp"
#include "reports/view/histogram.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kMaxBins = 60;

struct Rung {
  std::uint64_t order_ps = 0;
  std::string html;
};

bool is_exact_known(const ReportData& data) { return data.exact && data.exact->why_not.empty(); }

std::uint64_t scale_of(const ReportData& data) {
  std::uint64_t scale = data.max_ps;
  for (const verify::Bound& bound : data.bounds) scale = std::max(scale, bound.bound_ps);
  if (is_exact_known(data)) scale = std::max(scale, data.exact->worst_ps);
  return scale + scale / 50 + 1;  // room for the last mark
}

std::string tick(const char* kind, std::uint64_t ps, std::uint64_t scale) {
  return "<i class=\"" + std::string(kind) + "\" style=\"left:" + percent_of(ps, scale) + "\"></i>";
}

std::string rung_html(const std::string& kind, const std::string& label, const std::string& track,
                      const std::string& value) {
  return "<li class=\"rung " + kind + "\"><div class=\"name\">" + label + "</div><div class=\"track\">" + track +
         "</div><div class=\"value\">" + value + "</div></li>";
}

/// The glossary's word for a bound; empty: it has none.
std::string_view bound_term(const verify::Bound& bound) {
  if (bound.name == "critical_path") return "critical-path";
  if (bound.name == "work_per_core") return "work-per-core";
  if (bound.name == "serial" || bound.name == "graham" || bound.name == "he2022" || bound.name == "typed")
    return bound.name;
  return "";
}

Rung bound_rung(const verify::Bound& bound, std::uint64_t scale) {
  const std::string_view term = bound_term(bound);
  const std::string title = bound_title(bound);
  std::string label = (term.empty() ? escape_html(title) : term_html(term, title)) + "<small>";
  label += bound.is_upper ? (bound.exact ? "exact worst case, under these assumptions" : kBoundLabel)
                          : "no worst case is shorter";
  label += "</small>";
  const std::string bar = "<b style=\"width:" + percent_of(bound.bound_ps, scale) + "\"></b>";
  const std::string mark = tick(bound.is_upper ? "cap" : "foot", bound.bound_ps, scale);
  const std::string value = bound.is_upper ? duration_up_html(bound.bound_ps) : duration_html(bound.bound_ps);
  return {bound.bound_ps, rung_html(bound.is_upper ? "upper" : "lower", label, bar + mark, value)};
}

Rung simulated_rung(const ReportData& data, std::uint64_t scale, bool is_exceeded) {
  const std::string label =
      "Simulated, " + count_of(data.sim_runs, "run") + "<small>" + term_html("estimate", kEstimateLabel) + "</small>";
  std::string track = "<b class=\"base\" style=\"width:" + percent_of(data.min_ps, scale) + "\"></b>";
  track += "<b style=\"left:" + percent_of(data.min_ps, scale) +
           ";width:" + percent_of(data.max_ps - std::min(data.min_ps, data.max_ps), scale) + "\"></b>";
  track += tick("median", data.median_ps, scale);
  if (is_told(data, "p99")) track += tick("p99", data.p99_ps, scale);
  track += tick("max", data.max_ps, scale);
  return {data.max_ps,
          rung_html(is_exceeded ? "observed exceeded" : "observed", label, track,
                    duration_html(data.max_ps) + "<small>" + term_html("longest", "longest seen") + "</small>")};
}

Rung exact_rung(const ExactCase& exact, std::uint64_t scale) {
  const std::string label = term_html("exact", "Exact worst case") + "<small>policy " +
                            escape_html(short_name(exact.policy)) + "; <a href=\"#exact\">a run attains it</a></small>";
  const std::string bar = "<b style=\"width:" + percent_of(exact.worst_ps, scale) + "\"></b>";
  return {exact.worst_ps,
          rung_html("upper", label, bar + tick("cap", exact.worst_ps, scale), duration_html(exact.worst_ps))};
}

/// The sentence under the ladder: the relation, with the margin.
std::string relation_html(const ReportData& data, const std::optional<verify::Bound>& bound) {
  const std::string below = below_lower_bound(data);
  const std::string outcomes = outcomes_in_words(data);
  std::string note;
  for (const std::string& text : {outcomes, below}) {
    if (!text.empty()) note += "<p class=\"note\">" + escape_html(text) + "</p>";
  }
  if (!bound || data.sim_runs == 0) return note;
  if (data.max_ps > bound->bound_ps) {
    return "<p class=\"relation bad\">" + badge_html(verify::Outcome::kViolated, "Observed exceeds the bound") +
           " by " + duration_html(data.max_ps - bound->bound_ps) + ": a cost or an assumption is wrong.</p>";
  }
  const double slack = static_cast<double>(bound->bound_ps - data.max_ps) / static_cast<double>(bound->bound_ps);
  const char* const tone = data.op_times.are_assumed() ? "open" : "ok";
  return "<p class=\"relation " + std::string(tone) + "\">longest seen " + duration_html(data.max_ps) +
         " \xE2\x89\xA4 bound " + duration_up_html(bound->bound_ps) + ", a margin of " + format_share(slack) +
         " of the bound" + (data.op_times.are_assumed() ? "; both rest on assumed op times" : "") + "</p>" + note;
}

/// Ops by the source of their time, as a table.
std::string grounds_html(const ReportData& data) {
  if (data.op_times.grounds.empty()) return "";
  std::string out =
      "<table class=\"grounds\"><thead><tr><th>Op times</th><th class=\"r\">Ops</th><th class=\"r\">Sum of worst "
      "times</th><th>From</th></tr></thead><tbody>";
  for (const TimeGround& ground : data.op_times.grounds) {
    out += "<tr" + std::string(ground.is_assumed ? " class=\"never\"" : "") + "><th scope=\"row\">" +
           term_html(ground.source, ground.source) + "</th><td class=\"r num\">" + format_integer(ground.ops) +
           "</td><td class=\"r num\">" + duration_html(ground.worst_ps) + "</td><td>" +
           name_html(short_name(ground.why, 600)) + "</td></tr>";
  }
  out += "</tbody></table>";
  const std::string unused = unused_rows_text(data.op_times);
  if (!data.op_times.remedy.empty()) {
    out += "<p class=\"note\">To replace assumed times: <code>" + escape_html(short_name(data.op_times.remedy, 400)) +
           "</code></p>";
  }
  if (!unused.empty()) out += "<p class=\"note\">" + name_html(short_name(unused, 2000)) + ".</p>";
  return out;
}

std::string marker(const char* name, std::uint64_t ps, const Histogram& bins) {
  const std::uint64_t span = bins.width_ps * bins.counts.size();
  return "<i class=\"mark " + std::string(name) +
         "\" style=\"left:" + percent_of(ps - std::min(ps, bins.begin_ps), span) + "\"><span>" + name + "</span></i>";
}

std::string range_text(const Histogram& bins, std::size_t i) {
  const std::uint64_t begin = bins.begin_ps + i * bins.width_ps;
  return format_duration(begin) + " to " + format_duration(begin + bins.width_ps);
}

std::string bars_html(const Histogram& bins) {
  const std::uint64_t top = *std::max_element(bins.counts.begin(), bins.counts.end());
  std::string out;
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    out += "<b style=\"height:" + percent_of(bins.counts[i], top) + "\" title=\"" + range_text(bins, i) + ": " +
           count_of(bins.counts[i], "run") + "\"></b>";
  }
  return out;
}

std::string bins_table(const Histogram& bins) {
  std::string out =
      "<details class=\"as-table\"><summary>As a table</summary><div class=\"scroll\"><table><thead><tr>"
      "<th>Length</th><th class=\"r\">Runs</th></tr></thead><tbody>";
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    out += "<tr><td class=\"num\">" + range_text(bins, i) + "</td><td class=\"r num\">" +
           format_integer(bins.counts[i]) + "</td></tr>";
  }
  return out + "</tbody></table></div></details>";
}

/// Where the bound lies: on the axis if the runs reach so far, else said beside it.
std::string bound_note(const ReportData& data, const Histogram& bins) {
  const auto bound = tightest_bound(data);
  if (!bound) return "No bound applies.";
  const std::uint64_t end = bins.begin_ps + bins.width_ps * bins.counts.size();
  const std::string where = bound->bound_ps > end ? "The bound lies to the right of this axis, at "
                                                  : "The bound lies inside the observed range, at ";
  return where + duration_up_html(bound->bound_ps) + ".";
}

}  // namespace

std::string ladder_html(const ReportData& data) {
  std::string out = "<section id=\"time\"><h2>Time on the chip</h2>";
  if (data.sim_runs == 0 && data.bounds.empty()) {
    return out + "<p class=\"empty\">Nothing was simulated or bounded.</p></section>";
  }
  const std::uint64_t scale = scale_of(data);
  const auto bound = tightest_bound(data);
  const bool is_exceeded = bound && data.sim_runs > 0 && data.max_ps > bound->bound_ps;
  std::vector<Rung> rungs;
  for (const verify::Bound& item : data.bounds) rungs.push_back(bound_rung(item, scale));
  if (data.sim_runs > 0) rungs.push_back(simulated_rung(data, scale, is_exceeded));
  if (is_exact_known(data)) rungs.push_back(exact_rung(*data.exact, scale));
  std::stable_sort(rungs.begin(), rungs.end(), [](const Rung& a, const Rung& b) { return a.order_ps < b.order_ps; });
  out += "<ol class=\"ladder\">";
  for (const Rung& rung : rungs) out += rung.html;
  return out + "</ol>" + relation_html(data, bound) + grounds_html(data) + "</section>";
}

std::string distribution_html(const ReportData& data) {
  std::string out = "<section id=\"distribution\"><h2>Lengths of the simulated runs</h2>";
  const Histogram bins = histogram_of(data.makespans_ps, kMaxBins);
  if (bins.counts.empty()) return out + "<p class=\"empty\">No lengths were kept.</p></section>";
  const std::uint64_t end = bins.begin_ps + bins.width_ps * bins.counts.size();
  out += "<p class=\"lead\">" + count_of(data.makespans_ps.size(), "simulated run") + ". " + bound_note(data, bins) +
         "</p>";
  out += "<figure class=\"histogram\"><div class=\"plot\"><div class=\"bars\">" + bars_html(bins) + "</div>";
  out += marker("median", data.median_ps, bins);
  if (is_told(data, "p99")) out += marker("p99", data.p99_ps, bins);
  if (data.max_ps <= end) out += marker("longest", data.max_ps, bins);
  const auto bound = tightest_bound(data);
  if (bound && bound->bound_ps <= end) out += marker("bound", bound->bound_ps, bins);
  out += "</div><div class=\"axis\">" + duration_html(bins.begin_ps) +
         duration_html(bins.begin_ps + (end - bins.begin_ps) / 2) + duration_html(end) + "</div></figure>";
  return out + bins_table(bins) + "</section>";
}

std::string utilisation_html(const ReportData& data) {
  std::string out = "<section id=\"utilisation\"><h2>Use of the cores</h2>";
  if (data.utilisation.empty()) return out + "<p class=\"empty\">Nothing was simulated.</p></section>";
  out += "<p class=\"lead\">Share of the longest run in which a core executes ops.</p><ul class=\"use\">";
  for (const auto& [core, share] : data.utilisation) {
    const double shown = share >= 0.0 && share <= 1.0 ? share : (share > 1.0 ? 1.0 : 0.0);
    out += "<li><span class=\"name\">" + escape_html(short_name(core)) +
           "</span><span class=\"track\"><b style=\"width:" +
           percent_of(static_cast<std::uint64_t>(shown * 10000.0), 10000) + "\"></b></span><span class=\"value num\">" +
           format_share(share) + "</span></li>";
  }
  return out + "</ul></section>";
}

}  // namespace detent::reports
