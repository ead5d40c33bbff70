// The exact worst case in report.html: a run that attains it as a timeline, beside the run in which every op takes its
// worst time, and the ops that make it longer by taking less.
#include <algorithm>
#include <set>

#include "reports/html/drawings.hpp"
#include "reports/html/glossary.hpp"
#include "reports/html/op_look.hpp"
#include "reports/html/parts.hpp"
#include "reports/text/report_text.hpp"
#include "reports/view/desc_view.hpp"
#include "reports/view/lanes.hpp"

namespace detent::reports {
namespace {

// Units of a drawing, pixels where the page is as wide as it gets.
constexpr std::uint64_t kDrawingWidth = 1160, kLabelWidth = 88, kRightMargin = 56;
constexpr std::uint64_t kLaneStep = 28, kBlockHeight = 22, kAxisHeight = 22;
constexpr std::uint64_t kLetterWidth = 8;
constexpr std::size_t kDrawnBlocks = 3000;
constexpr std::size_t kNamedAnomalies = 12;

std::string at_html(const char* attribute, std::uint64_t value) {
  return std::string(" ") + attribute + "=\"" + std::to_string(value) + "\"";
}

std::string text_html(const std::string& style, std::uint64_t x, std::uint64_t y, const std::string& text) {
  return "<text class=\"" + style + "\"" + at_html("x", x) + at_html("y", y) + ">" + escape_html(text) + "</text>";
}

/// One picture: runs of one length of the axis.
class ExactDrawing {
 public:
  ExactDrawing(const OpLook& look, std::uint64_t whole_ps, std::set<std::uint32_t> shorter)
      : look_(look), whole_ps_(std::max<std::uint64_t>(whole_ps, 1)), shorter_(std::move(shorter)) {}

  [[nodiscard]] std::string run(const TimelineRun& run, std::uint64_t& left_out) const {
    const std::vector<Lane> lanes = lanes_of(run);
    const std::uint64_t bottom = lanes.size() * kLaneStep;
    std::string blocks;
    std::size_t drawn = 0;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      const std::uint64_t y = l * kLaneStep;
      blocks += "<rect class=\"lane\"" + at_html("x", kLabelWidth) + at_html("y", y) +
                at_html("width", kDrawingWidth - kLabelWidth - kRightMargin) + at_html("height", kBlockHeight) + "/>" +
                text_html("lane-name", 0, y + 16, short_name(lanes[l].name, 12));
      for (const harness::Span& span : lanes[l].spans) {
        if (++drawn > kDrawnBlocks) {
          ++left_out;
        } else {
          blocks += block(span, y);
        }
      }
    }
    return "<svg class=\"exact-run\" viewBox=\"0 0 " + std::to_string(kDrawingWidth) + " " +
           std::to_string(bottom + kAxisHeight) + "\" role=\"img\" aria-label=\"" +
           escape_html(short_name(run.title) + ", " + format_duration(run.makespan_ps)) + "\">" + axis(bottom) +
           blocks + end_mark(run.makespan_ps, bottom) + "</svg>";
  }

 private:
  [[nodiscard]] std::uint64_t x_of(std::uint64_t ps) const {
    const double share = static_cast<double>(std::min(ps, whole_ps_)) / static_cast<double>(whole_ps_);
    return kLabelWidth +
           static_cast<std::uint64_t>(share * static_cast<double>(kDrawingWidth - kLabelWidth - kRightMargin) + 0.5);
  }

  [[nodiscard]] std::string block(const harness::Span& span, std::uint64_t y) const {
    const std::uint64_t x = x_of(span.begin_ps), width = std::max<std::uint64_t>(x_of(span.end_ps) - x, 1);
    const bool is_shorter = shorter_.contains(span.op);
    const std::string name = look_.name(span.op);
    std::string out = "<rect class=\"" + look_.style(span.op) + (is_shorter ? " shorter" : "") + "\"" +
                      at_html("x", x) + at_html("y", y) + at_html("width", width) + at_html("height", kBlockHeight) +
                      "><title>" +
                      escape_html(name + ", " + format_duration(span.end_ps - span.begin_ps) + ", from " +
                                  format_duration(span.begin_ps) + " to " + format_duration(span.end_ps)) +
                      "</title></rect>";
    const std::uint64_t letters = width / kLetterWidth;
    if (letters < 4) return out;
    const std::size_t fits = static_cast<std::size_t>(letters - 1);
    return out + text_html("block-name on-" + look_.style(span.op), x + 4, y + 16, short_name(name, fits));
  }

  [[nodiscard]] std::string axis(std::uint64_t bottom) const {
    constexpr std::uint64_t kTicks = 4;
    std::string out;
    for (std::uint64_t i = 0; i <= kTicks; ++i) {
      const std::uint64_t ps = whole_ps_ / kTicks * i + whole_ps_ % kTicks * i / kTicks, x = x_of(ps);
      out += "<path class=\"tick\" d=\"M" + std::to_string(x) + " 0V" + std::to_string(bottom + 4) + "\"/>" +
             text_html("tick-text", x, bottom + 18, format_duration(ps));
    }
    return out;
  }

  [[nodiscard]] std::string end_mark(std::uint64_t makespan_ps, std::uint64_t bottom) const {
    return "<path class=\"end\" d=\"M" + std::to_string(x_of(makespan_ps)) + " 0V" + std::to_string(bottom) + "\"/>";
  }

  const OpLook& look_;
  const std::uint64_t whole_ps_;
  const std::set<std::uint32_t> shorter_;
};

/// What the pictures show, in a sentence.
std::string comparison_html(const ExactCase& exact) {
  if (exact.shorter.empty() && exact.worst_ps == exact.all_worst_ps) {
    return "<p class=\"note\">Here a run in which every op takes its worst time is as long as the exact worst case. Of "
           "other graphs, and of this one with other times, it need not be.</p>";
  }
  if (exact.shorter.empty()) {
    return "<p class=\"note\">Every op takes its worst time in both. Ops that end at one instant are handled in "
           "another "
           "order, which makes the first run " +
           duration_html(exact.worst_ps - exact.all_worst_ps) + " longer.</p>";
  }
  return "<p class=\"relation open\">The exact worst case is " + duration_html(exact.worst_ps - exact.all_worst_ps) +
         " longer than the run in which every op takes its worst time: a " +
         term_html("anomaly", "scheduling anomaly") + ".</p>";
}

std::string anomalies_html(const ReportData& data, const ExactCase& exact) {
  if (exact.shorter.empty()) return "";
  std::string out = "<ol class=\"anomalies\">";
  const std::size_t named = std::min(kNamedAnomalies, exact.shorter.size());
  for (std::size_t i = 0; i < named; ++i) {
    const verify::ShorterOp& one = exact.shorter[i];
    out += "<li><b>" + name_html(short_name(op_name(data.desc, one.op))) + "</b> takes " +
           duration_html(exact.time_ps[one.op]) + " of at most " + duration_html(one.worst_ps) +
           "; were it to take them all, the run would take " + duration_html(one.makespan_ps) + ", " +
           duration_html(exact.worst_ps - std::min(exact.worst_ps, one.makespan_ps)) + " less</li>";
  }
  out += "</ol>";
  if (named < exact.shorter.size()) {
    out += "<p class=\"note\">" + count_of(exact.shorter.size() - named, "op") + " more; report.json lists all.</p>";
  }
  return out;
}

/// longest seen <= exact <= bound.
std::string sandwich_html(const ReportData& data, const ExactCase& exact) {
  std::string out = "<p class=\"relation " + std::string(exact.fault.empty() ? "ok" : "bad") + "\">";
  if (data.sim_runs > 0)
    out += term_html("longest", "longest seen") + " " + duration_html(data.max_ps) + " \xE2\x89\xA4 ";
  out += "exact " + duration_html(exact.worst_ps);
  if (const auto bound = tightest_bound(data)) {
    out += " \xE2\x89\xA4 " + term_html("bound", "bound") + " " + duration_up_html(bound->bound_ps);
  }
  return out + "; the shortest run that there is takes " + duration_html(exact.best_ps) + "</p>";
}

}  // namespace

std::string exact_html(const ReportData& data, const Json& page) {
  if (!data.exact) return "";
  const ExactCase& exact = *data.exact;
  std::string out = "<section id=\"exact\"><h2>The exact worst case</h2>";
  if (!exact.why_not.empty()) {
    return out + "<p class=\"empty\">Not known: " + name_html(short_name(exact.why_not, 600)) + ".</p></section>";
  }
  out += "<p class=\"lead\">No run under policy " + escape_html(short_name(exact.policy)) +
         " takes longer than the first of these two runs: " + escape_html(short_name(exact.assumptions, 600)) +
         ".</p>" + sandwich_html(data, exact);
  if (!exact.fault.empty()) out += "<p class=\"relation bad\">" + escape_html(short_name(exact.fault, 900)) + "</p>";
  out += comparison_html(exact) + anomalies_html(data, exact);
  std::uint64_t whole_ps = 0, left_out = 0;
  for (const TimelineRun& run : exact.runs) whole_ps = std::max(whole_ps, run.makespan_ps);
  std::set<std::uint32_t> shorter;
  for (const verify::ShorterOp& one : exact.shorter) shorter.insert(one.op);
  const OpLook look(page.at("ops"));
  const ExactDrawing drawing(look, whole_ps, std::move(shorter));
  for (const TimelineRun& run : exact.runs) {
    out += "<p class=\"run-title\"><b>" + name_html(short_name(run.title)) + "</b> " + duration_html(run.makespan_ps) +
           "</p>" + drawing.run(run, left_out);
  }
  if (left_out > 0) out += "<p class=\"note\">" + format_integer(left_out) + " further ops are not drawn.</p>";
  if (!exact.shorter.empty()) {
    out += "<p class=\"note\">Framed: the ops that take less than their worst time in the first run.</p>";
  }
  return out + "</section>";
}

}  // namespace detent::reports
