// Still drawings: the data of the page's drawings -> SVG. Bounded in size; what is left out is said.
#include "reports/html/drawings.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "base/units.hpp"
#include "reports/html/glossary.hpp"
#include "reports/html/op_look.hpp"

namespace detent::reports {
namespace {

constexpr std::uint64_t kWidth = 10'000;  // units of a drawing; style stretches it
constexpr std::uint64_t kHeight = 1000;
constexpr std::size_t kMaxSpans = 3000;   // over all lanes of all runs
constexpr std::size_t kMaxBlocks = 1500;  // over all regions
constexpr std::size_t kMaxRegions = 16;
constexpr std::size_t kSpanFields = 3, kDenseFields = 4, kBlockFields = 8;

std::uint64_t scaled(std::uint64_t value, std::uint64_t whole, std::uint64_t size) {
  if (whole == 0) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(value) / static_cast<double>(whole) *
                                    static_cast<double>(size));
}

std::string rect_html(const std::string& style, std::uint64_t x, std::uint64_t y, std::uint64_t width,
                      std::uint64_t height, const std::string& hint) {
  return "<rect class=\"" + style + "\" x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
         std::to_string(std::max<std::uint64_t>(width, 1)) + "\" height=\"" +
         std::to_string(std::max<std::uint64_t>(height, 1)) + "\"><title>" + escape_html(hint) + "</title></rect>";
}

std::string svg_html(const std::string& style, const std::string& label, std::uint64_t height,
                     const std::string& drawing) {
  return "<svg class=\"" + style + "\" viewBox=\"0 0 " + std::to_string(kWidth) + " " + std::to_string(height) +
         "\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"" + escape_html(label) + "\">" + drawing + "</svg>";
}

/// The shortest span that is drawn, so that at most kMaxSpans are.
std::uint64_t shortest_drawn(const Json& timelines) {
  std::vector<std::uint64_t> lengths;
  for (const Json& run : timelines) {
    for (const Json& lane : run.at("lanes")) {
      const Json& spans = lane.at("spans");
      for (std::size_t i = 2; i < spans.size(); i += kSpanFields) lengths.push_back(spans.at(i).get<std::uint64_t>());
    }
  }
  if (lengths.size() <= kMaxSpans) return 0;
  const auto at = lengths.end() - static_cast<std::ptrdiff_t>(kMaxSpans + 1);
  std::nth_element(lengths.begin(), at, lengths.end());
  return *at + 1;
}

std::string lane_html(const Json& run, const Json& lane, const OpLook& look, std::uint64_t shortest,
                      std::uint64_t& left_out) {
  const auto makespan = run.at("makespan").get<std::uint64_t>();
  const auto x_of = [&](std::uint64_t ps) { return scaled(std::min(ps, makespan), makespan, kWidth); };
  std::string drawing;
  if (run.at("lost").get<std::uint64_t>() > 0) drawing += rect_html("dense", 0, 0, kWidth, kHeight, "not known");
  const Json& dense = lane.at("dense");
  for (std::size_t i = 0; i + kDenseFields <= dense.size(); i += kDenseFields) {
    const auto begin = dense.at(i).get<std::uint64_t>();
    const auto length = dense.at(i + 1).get<std::uint64_t>();
    drawing += rect_html("dense", x_of(begin), 0, x_of(begin + length) - x_of(begin), kHeight,
                         count_of(dense.at(i + 2).get<std::uint64_t>(), "short span"));
  }
  const Json& spans = lane.at("spans");
  for (std::size_t i = 0; i + kSpanFields <= spans.size(); i += kSpanFields) {
    const auto what = spans.at(i).get<std::int64_t>();
    const auto begin = spans.at(i + 1).get<std::uint64_t>();
    const auto length = spans.at(i + 2).get<std::uint64_t>();
    if (length < shortest) {
      ++left_out;
      continue;
    }
    const bool is_op = what >= 0;
    const std::string name = is_op ? look.name(static_cast<std::uint64_t>(what)) : what == -1 ? "overhead" : "load";
    drawing += rect_html(is_op ? look.style(static_cast<std::uint64_t>(what)) : name, x_of(begin), 0,
                         x_of(begin + length) - x_of(begin), kHeight, name + ", " + format_duration(length));
  }
  const std::string name = lane.at("name").get<std::string>();
  return "<div class=\"still-lane\"><span>" + name_html(name) + "</span>" +
         svg_html("strip", "What " + name + " did", kHeight, drawing) + "</div>";
}

}  // namespace

std::string still_timeline(const Json& page) {
  const Json& timelines = page.at("timelines");
  if (timelines.empty()) return "";
  const OpLook look(page.at("ops"));
  const std::uint64_t shortest = shortest_drawn(timelines);
  std::uint64_t left_out = 0;
  std::string out = "<div class=\"still\"><div class=\"legend\">";
  for (const Json& group : page.at("groups")) {
    out += "<span><i style=\"background:var(--k" + std::to_string(group.at("colour").get<int>()) + ")\"></i>" +
           escape_html(group.at("family").get<std::string>() + " " + group.at("share").get<std::string>()) + "</span>";
  }
  out += "</div>";
  for (const Json& run : timelines) {
    out += "<p class=\"run-title\"><strong>" + name_html(run.at("title").get<std::string>()) + "</strong><span>0 to " +
           format_duration(run.at("makespan").get<std::uint64_t>()) + "</span></p>";
    for (const Json& lane : run.at("lanes")) out += lane_html(run, lane, look, shortest, left_out);
  }
  if (left_out > 0) out += "<p class=\"note\">" + format_integer(left_out) + " short spans are not drawn here.</p>";
  for (const Json& note : page.at("notes")) {
    if (note.at("section") == "timeline")
      out += "<p class=\"note\">" + escape_html(note.at("text").get<std::string>()) + "</p>";
  }
  return out + "</div>";
}

std::string still_memory(const Json& page) {
  const Json& memory = page.at("memory");
  const Json& blocks = memory.at("blocks");
  if (blocks.empty()) return "";
  const OpLook look(page.at("ops"));
  const auto end = memory.at("end").get<std::uint64_t>();
  const std::size_t count = blocks.size() / kBlockFields;
  std::vector<std::uint64_t> sizes;
  for (std::size_t b = 0; b < count; ++b) sizes.push_back(blocks.at(b * kBlockFields + 2).get<std::uint64_t>());
  std::uint64_t smallest = 0;
  if (count > kMaxBlocks) {
    const auto at = sizes.end() - static_cast<std::ptrdiff_t>(kMaxBlocks + 1);
    std::nth_element(sizes.begin(), at, sizes.end());
    smallest = *at + 1;
  }
  const auto field = [&](std::size_t b, std::size_t f) { return blocks.at(b * kBlockFields + f).get<std::uint64_t>(); };
  std::map<std::uint64_t, std::uint64_t> tops;  // of regions that have blocks
  for (std::size_t b = 0; b < count; ++b) {
    tops[field(b, 0)] = std::max(tops[field(b, 0)], field(b, 1) + field(b, 2));
  }
  std::map<std::uint64_t, std::string> drawings;
  std::uint64_t left_out = 0;
  for (std::size_t b = 0; b < count; ++b) {
    if (field(b, 2) < smallest) {
      ++left_out;
      continue;
    }
    const std::uint64_t top = tops[field(b, 0)];
    const auto producer = blocks.at(b * kBlockFields + 6).get<std::int64_t>();
    const std::string style = producer < 0 ? "f6" : look.style(static_cast<std::uint64_t>(producer));
    const std::uint64_t high = scaled(field(b, 1) + field(b, 2), top, kHeight);
    drawings[field(b, 0)] += rect_html(
        style, scaled(field(b, 3), end, kWidth), kHeight - high,
        scaled(field(b, 4) - std::min(field(b, 3), field(b, 4)), end, kWidth), scaled(field(b, 2), top, kHeight),
        blocks.at(b * kBlockFields + 5).get<std::string>() + ", " + format_bytes(field(b, 2)));
  }
  for (const Json& lost : memory.value("lost", Json::array())) {
    const auto region = lost.at("region").get<std::uint64_t>();
    const std::uint64_t top = tops[region];
    const auto offset = lost.at("offset").get<std::uint64_t>(), size = lost.at("size").get<std::uint64_t>();
    const auto begin = lost.at("begin").get<std::uint64_t>();
    drawings[region] +=
        rect_html("lost", scaled(begin, end, kWidth), kHeight - std::min(kHeight, scaled(offset + size, top, kHeight)),
                  scaled(lost.at("end").get<std::uint64_t>() - begin, end, kWidth), scaled(size, top, kHeight),
                  lost.at("text").get<std::string>());
  }
  std::string out = "<div class=\"still\">";
  std::size_t drawn = 0;
  for (const auto& [region, drawing] : drawings) {
    if (++drawn > kMaxRegions) break;
    const std::string name = memory.at("regions").at(region).at("name").get<std::string>();
    out += "<p class=\"run-title\"><strong>" + name_html(name) + "</strong><span>0 to " + format_bytes(tops[region]) +
           " upwards</span></p>" + svg_html("map", "Memory map of " + name, kHeight, drawing);
  }
  if (left_out > 0) out += "<p class=\"note\">" + format_integer(left_out) + " small blocks are not drawn here.</p>";
  if (drawn > kMaxRegions) {
    out += "<p class=\"note\">" + count_of(drawings.size() - kMaxRegions, "region") + " more are not drawn here.</p>";
  }
  return out + "</div>";
}

}  // namespace detent::reports
