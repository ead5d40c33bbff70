// MemoryFront -> a page: bytes to the right, worst time upwards, a point for each plan.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "reports/data/memory_front.hpp"
#include "reports/html/assets.hpp"
#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"

namespace detent::reports {
namespace {

// Units of the picture, pixels where the page is as wide as it gets.
constexpr std::int64_t kPictureWidth = 1160, kPictureHeight = 560;
constexpr std::int64_t kLeft = 92, kRight = 32, kTop = 28, kBottom = 56;
constexpr std::int64_t kLabelHeight = 18, kCharWidth = 7;
constexpr std::int64_t kLine = 3;  // room beside a line of the steps

/// A range of values on an axis, with room at both ends.
struct AxisRange {
  std::uint64_t low = 0, high = 1;

  static AxisRange around(std::uint64_t low, std::uint64_t high) {
    const std::uint64_t room = std::max<std::uint64_t>((high - low) / 12, std::max<std::uint64_t>(high / 50, 1));
    return {low - std::min(low, room), high > UINT64_MAX - room ? high : high + room};
  }
  /// Of `size`, from low on.
  [[nodiscard]] std::int64_t at(std::uint64_t value, std::int64_t size) const {
    const double share = static_cast<double>(value - std::min(low, value)) / static_cast<double>(high - low);
    return static_cast<std::int64_t>(share * static_cast<double>(size) + 0.5);
  }
};

struct Box {
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

std::string number(std::int64_t value) { return std::to_string(value); }

std::string svg_text(const char* style, const char* anchor, std::int64_t x, std::int64_t y, const std::string& text) {
  return std::string("<text class=\"") + style + "\" text-anchor=\"" + anchor + "\" x=\"" + number(x) + "\" y=\"" +
         number(y) + "\">" + escape_html(text) + "</text>";
}

bool is_on(const FrontPlan& plan) { return plan.standing == Standing::kOn || plan.standing == Standing::kOnByBound; }

std::string time_text(const FrontPlan& plan) { return plan.time_ps ? format_time_up(*plan.time_ps) : "unknown"; }

class FrontPicture {
 public:
  explicit FrontPicture(const MemoryFront& front) : front_(front) {
    std::uint64_t least = UINT64_MAX, most = 0, fastest = UINT64_MAX, slowest = 0;
    for (const FrontPlan& plan : front.plans) {
      if (!plan.time_ps) continue;
      least = std::min(least, plan.bytes);
      most = std::max(most, plan.bytes);
      fastest = std::min(fastest, *plan.time_ps);
      slowest = std::max(slowest, *plan.time_ps);
    }
    is_empty_ = least > most;
    if (is_empty_) return;
    bytes_ = AxisRange::around(least, most);
    times_ = AxisRange::around(fastest, slowest);
  }

  [[nodiscard]] std::string html() {
    if (is_empty_) return "<p class=\"empty\">No plan has a time that is known.</p>";
    std::string points;
    for (const FrontPlan& plan : front_.plans) {
      if (plan.time_ps) take_point(plan);
    }
    if (step_) taken_.push_back({step_->first, step_->second - kLine, kPictureWidth, step_->second + kLine});
    for (std::size_t i = 0; i < front_.plans.size(); ++i) {
      if (front_.plans[i].time_ps) points += point(i, front_.plans[i]);
    }
    // What is on the front has its label first, so that it has the better place.
    std::string labels;
    for (const bool on : {true, false}) {
      for (std::size_t i = 0; i < front_.plans.size(); ++i) {
        if (front_.plans[i].time_ps && is_on(front_.plans[i]) == on) labels += label(i, front_.plans[i]);
      }
    }
    return "<svg class=\"front\" viewBox=\"0 0 " + number(kPictureWidth) + " " + number(kPictureHeight) +
           "\" role=\"img\" aria-label=\"Bytes and worst time of " + count_of(front_.plans.size(), "plan") + "\">" +
           axes() + steps() + points + labels + "</svg>";
  }

 private:
  [[nodiscard]] std::int64_t x_at(std::uint64_t bytes) const {
    return kLeft + bytes_.at(bytes, kPictureWidth - kLeft - kRight);
  }
  [[nodiscard]] std::int64_t y_at(std::uint64_t time_ps) const {
    return kPictureHeight - kBottom - times_.at(time_ps, kPictureHeight - kTop - kBottom);
  }
  [[nodiscard]] std::int64_t x_of(const FrontPlan& plan) const { return x_at(plan.bytes); }
  [[nodiscard]] std::int64_t y_of(const FrontPlan& plan) const { return y_at(*plan.time_ps); }

  /// No label lies on a point, or on the steps that lead to it.
  void take_point(const FrontPlan& plan) {
    constexpr std::int64_t kSize = 8, kArrow = 10;
    const std::int64_t x = x_of(plan), y = y_of(plan);
    taken_.push_back({x - kSize, y - kSize, x + kSize, y + kSize + (plan.is_exact ? 0 : kArrow)});
    if (!is_on(plan)) return;
    if (step_) {
      taken_.push_back({step_->first, step_->second - kLine, x, step_->second + kLine});
      taken_.push_back({x - kLine, step_->second, x + kLine, y});
    }
    step_ = {x, y};
  }

  [[nodiscard]] std::string axes() const {
    constexpr std::uint64_t kTicks = 5;
    const std::int64_t bottom = kPictureHeight - kBottom;
    std::string out;
    for (std::uint64_t i = 0; i <= kTicks; ++i) {
      const std::uint64_t bytes = bytes_.low + (bytes_.high - bytes_.low) / kTicks * i;
      const std::uint64_t time_ps = times_.low + (times_.high - times_.low) / kTicks * i;
      const std::int64_t x = x_at(bytes), y = y_at(time_ps);
      out += "<path class=\"tick\" d=\"M" + number(x) + " " + number(kTop) + "V" + number(bottom) + "M" +
             number(kLeft) + " " + number(y) + "H" + number(kPictureWidth - kRight) + "\"/>" +
             svg_text("tick-text", "middle", x, bottom + 18, format_bytes(bytes)) +
             svg_text("tick-text", "end", kLeft - 8, y + 4, format_duration(time_ps));
    }
    return out + svg_text("axis-name", "end", kPictureWidth - kRight, kPictureHeight - 12, "workspace") +
           svg_text("axis-name", "start", 4, 16, "worst time");
  }

  /// From each plan on the front to the right, then down to the next: with so many bytes no known plan is faster.
  [[nodiscard]] std::string steps() const {
    std::string path;
    for (const FrontPlan& plan : front_.plans) {
      if (!plan.time_ps || !is_on(plan)) continue;
      path += path.empty() ? "M" + number(x_of(plan)) + " " + number(y_of(plan))
                           : "H" + number(x_of(plan)) + "V" + number(y_of(plan));
    }
    return path.empty() ? "" : "<path class=\"steps\" d=\"" + path + "H" + number(kPictureWidth - kRight) + "\"/>";
  }

  /// Exact: a disc. A bound: a hollow square with an arrow down, since the worst case may be lower.
  [[nodiscard]] std::string point(std::size_t index, const FrontPlan& plan) const {
    const std::int64_t x = x_of(plan), y = y_of(plan);
    const std::string style = is_on(plan) ? "on" : "off";
    const std::string hint = "<title>" +
                             escape_html("plan " + std::to_string(index) + ": " + format_integer(plan.bytes) +
                                         " bytes, " + (plan.is_exact ? "exact worst case " : "at most ") +
                                         format_integer(*plan.time_ps) + " ps, on the front: " + standing_text(plan)) +
                             "</title>";
    if (plan.is_exact) {
      return "<circle class=\"exact " + style + "\" cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"6\">" + hint +
             "</circle>";
    }
    return "<path class=\"bounded " + style + "\" d=\"M" + number(x - 5) + " " + number(y - 5) + "h10v10h-10zM" +
           number(x) + " " + number(y + 5) + "v12m-4 -4l4 4l4 -4\">" + hint + "</path>";
  }

  /// Beside its point, at the first place that is free; a plan without one is in the table.
  [[nodiscard]] std::string label(std::size_t index, const FrontPlan& plan) {
    const std::string text = std::to_string(index) + ": " + format_bytes(plan.bytes) + ", " +
                             (plan.is_exact ? "" : "\xE2\x89\xA4 ") + time_text(plan);
    const std::string numbers = std::to_string(index);
    for (const std::string& one : {text, numbers}) {
      const auto width = static_cast<std::int64_t>(one.size()) * kCharWidth;
      for (const auto& [dx, dy] : std::to_array<std::pair<std::int64_t, std::int64_t>>(
               {{12, -10}, {12, 4}, {-width - 12, -10}, {-width - 12, 4}, {12, -26}, {-width - 12, 20}, {12, 20}})) {
        const Box box{x_of(plan) + dx, y_of(plan) + dy - kLabelHeight + 5, x_of(plan) + dx + width,
                      y_of(plan) + dy + 5};
        const bool is_inside = box.left >= kLeft && box.right <= kPictureWidth - 4 && box.top >= 0 &&
                               box.bottom <= kPictureHeight - kBottom;
        if (!is_inside || std::ranges::any_of(taken_, [&](const Box& other) { return box.meets(other); })) continue;
        taken_.push_back(box);
        return svg_text(is_on(plan) ? "label on" : "label off", "start", box.left, box.bottom - 5, one);
      }
    }
    return "";
  }

  const MemoryFront& front_;
  bool is_empty_ = false;
  AxisRange bytes_{}, times_{};
  std::vector<Box> taken_{};
  std::optional<std::pair<std::int64_t, std::int64_t>> step_{};  ///< the last plan on the front
};

std::string plans_table(const MemoryFront& front) {
  std::string out =
      "<div class=\"scroll\"><table class=\"plans\"><thead><tr><th>Plan</th><th class=\"r\">Bytes</th><th></th>"
      "<th class=\"r\">Worst time</th><th>By</th><th class=\"r\">Edges added</th><th>On the front</th></tr></thead>"
      "<tbody>";
  for (std::size_t i = 0; i < front.plans.size(); ++i) {
    const FrontPlan& plan = front.plans[i];
    out += "<tr><th scope=\"row\">" + std::to_string(i) + "</th><td class=\"r num\">" + format_integer(plan.bytes) +
           "</td><td class=\"num\">" + format_bytes(plan.bytes) + "</td><td class=\"r num\">" +
           (plan.time_ps ? duration_up_html(*plan.time_ps) : "unknown") + "</td><td>" +
           (plan.is_exact ? "exact" : name_html(short_name("bound: " + plan.method))) + "</td><td class=\"r num\">" +
           format_integer(plan.edges) + "</td><td>" + escape_html(standing_text(plan)) + "</td></tr>";
  }
  return out + "</tbody></table></div>";
}

}  // namespace

std::string standing_text(const FrontPlan& plan) {
  const std::string other = ": plan " + std::to_string(plan.dominated_by);
  switch (plan.standing) {
    case Standing::kOn:
      return "yes";
    case Standing::kOnByBound:
      return "by bound";
    case Standing::kOff:
      return "no" + other;
    case Standing::kOffByBound:
      return "unknown" + other;
  }
  return "";
}

std::string front_html(const MemoryFront& front) {
  const std::string title = short_name(front.model);
  std::string out =
      page_head_html(title + " \xC2\xB7 memory against time") +
      "<body><main><header class=\"top\"><p class=\"eyebrow\">Detent, memory against time</p><h1>" + name_html(title) +
      "</h1><p class=\"facts\"><span>on " + name_html(short_name(front.platform)) + "</span><span>policy " +
      escape_html(short_name(front.policy)) + "</span><span>" + count_of(front.plans.size(), "plan") +
      "</span><span>detent " + escape_html(short_name(front.version)) +
      "</span></p></header><section id=\"front\"><h2>The front</h2><p class=\"lead\">Each point is a memory plan with "
      "the longest that a run can take with it. Left is smaller, down is faster; neither axis begins at zero. "
      "Lower bound on the workspace " +
      format_bytes(front.lower_bound_bytes) + ", without sharing " + format_bytes(front.unshared_bytes) +
      ".</p><div class=\"legend front-legend\"><span><i class=\"dot\"></i>exact worst case</span>"
      "<span><i class=\"square\"></i>upper bound alone: the worst case may be lower</span>"
      "<span><i class=\"step\"></i>no known plan with so many bytes is faster</span>"
      "<span><i class=\"dot off\"></i>grey: another plan takes no more bytes and no longer than this time</span></div>";
  out += FrontPicture(front).html() + plans_table(front);
  if (!front.why_not_exact.empty()) {
    out +=
        "<p class=\"note\">Times that are not marked exact are upper bounds, so which of those plans is faster is not "
        "known: " +
        name_html(short_name(front.why_not_exact, 900)) +
        ". By bound: no plan is known to take no more bytes and no longer, but times are bounds.</p>";
  }
  return out + "</section></main></body></html>\n";
}

}  // namespace detent::reports
