// Verdict table of report.html: what was checked, with what outcome, and the evidence where it does not hold.
#include <algorithm>
#include <set>

#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"
#include "reports/text/report_text.hpp"
#include "reports/view/desc_view.hpp"
#include "reports/view/schedule.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kOpenWitnesses = 3;
constexpr std::size_t kMaxWitnesses = 40;
constexpr std::size_t kShownConflicts = 12;
constexpr std::size_t kMaxSteps = 200;
constexpr std::size_t kMaxOpsListed = 64;

/// Built once per page, because a large network has many edges.
struct Context {
  const ReportData& data;
  std::vector<std::vector<std::uint32_t>> predecessors;
  std::set<std::string> told{};  ///< texts of witnesses that stand on the page: none stands there twice
};

/// A link that selects the op in the drawings; the script listens for data-op.
std::string op_link(const detent_desc* desc, OpId op) {
  return "<a class=\"op\" href=\"#graph\" data-op=\"" + std::to_string(op) + "\"><span class=\"id\">" +
         std::to_string(op) + "</span>" + name_html(short_name(op_name(desc, op))) + "</a>";
}

std::string range_text(const detent_tensor& tensor) {
  return "[" + format_integer(tensor.offset_bytes) + ", " + format_integer(tensor.offset_bytes + tensor.size_bytes) +
         ")";
}

/// Both accesses and the bytes they share on one scale.
std::string overlap_html(const detent_desc* desc, const Conflict& c) {
  const detent_tensor& a = desc->tensors[c.tensor_a];
  const detent_tensor& b = desc->tensors[c.tensor_b];
  const std::uint64_t begin = std::min(a.offset_bytes, b.offset_bytes);
  const std::uint64_t scale = std::max(a.offset_bytes + a.size_bytes, b.offset_bytes + b.size_bytes) - begin;
  const auto bar = [&](const char* kind, std::uint64_t offset, std::uint64_t size) {
    return "<b class=\"" + std::string(kind) + "\" style=\"left:" + percent_of(offset - begin, scale) +
           ";width:" + percent_of(size, scale) + "\"></b>";
  };
  return "<span class=\"overlap\" aria-hidden=\"true\">" + bar("a", a.offset_bytes, a.size_bytes) +
         bar("b", b.offset_bytes, b.size_bytes) + bar("both", c.offset_bytes, c.size_bytes) + "</span>";
}

std::string access_cell(const detent_desc* desc, const char* verb, TensorId tensor) {
  return "<td><span class=\"verb\">" + std::string(verb) + "</span> " +
         name_html(short_name(tensor_name(desc, tensor))) + "<small class=\"num\">" +
         range_text(desc->tensors[tensor]) + "</small></td>";
}

std::string conflict_row(const detent_desc* desc, const Conflict& c) {
  const std::string kind = c.kind;
  const char* verb_a = kind == "war" ? "reads" : "writes";
  const char* verb_b = kind == "raw" ? "reads" : "writes";
  const std::string shared = "<td>" + overlap_html(desc, c) + "<span class=\"num\">" + format_integer(c.size_bytes) +
                             " B</span> of " + name_html(short_name(region_name(desc, c.region))) +
                             "<small class=\"num\">[" + format_integer(c.offset_bytes) + ", " +
                             format_integer(c.offset_bytes + c.size_bytes) + ")</small></td>";
  return "<tr>" + access_cell(desc, verb_a, c.tensor_a) + access_cell(desc, verb_b, c.tensor_b) + shared + "</tr>";
}

std::string conflicts_html(const detent_desc* desc, const std::vector<std::uint32_t>& ops) {
  if (ops.size() != 2) return "";
  const std::vector<Conflict> conflicts = conflicts_of(desc, ops[0], ops[1], kShownConflicts);
  if (conflicts.empty()) return "";
  std::string out = "<div class=\"scroll\"><table class=\"conflicts\"><thead><tr><th>A: " + op_link(desc, ops[0]) +
                    "</th><th>B: " + op_link(desc, ops[1]) + "</th><th>Shared bytes</th></tr></thead><tbody>";
  for (const Conflict& c : conflicts) out += conflict_row(desc, c);
  out += "</tbody></table></div>";
  if (conflicts.size() == kShownConflicts) out += "<p class=\"note\">Further shared ranges are in report.json.</p>";
  return out;
}

std::string ops_html(const detent_desc* desc, const std::vector<std::uint32_t>& ops) {
  if (ops.empty()) return "";
  std::string out = "<p class=\"ops\">Ops: ";
  const std::size_t shown = std::min(ops.size(), kMaxOpsListed);
  for (std::size_t i = 0; i < shown; ++i) out += op_link(desc, ops[i]) + " ";
  if (shown < ops.size()) out += "and " + format_integer(ops.size() - shown) + " more";
  return out + "</p>";
}

std::string step_number(std::uint64_t step) { return "<td class=\"r num step\">" + std::to_string(step) + "</td>"; }

/// One row a step: left what A waits for, right what B waits for, across both what neither or both wait for.
std::string race_table(const Context& page, const std::vector<std::uint32_t>& ops, const ScheduleView& view) {
  const detent_desc* desc = page.data.desc;
  const std::vector<bool> before_a = ancestors_of(page.predecessors, ops[0]);
  const std::vector<bool> before_b = ancestors_of(page.predecessors, ops[1]);
  std::string out =
      "<thead><tr><th class=\"r\">Step</th><th>What leads to A</th><th>What leads to B</th></tr></thead><tbody>";
  std::uint64_t step = view.cut;
  for (const OpId op : view.prefix) {
    const bool a = op < before_a.size() && before_a[op];
    const bool b = op < before_b.size() && before_b[op];
    out += "<tr>" + step_number(++step);
    if (a == b) {
      out +=
          "<td colspan=\"2\" class=\"" + std::string(a ? "shared" : "aside") + "\">" + op_link(desc, op) + "</td></tr>";
    } else {
      out += "<td>" + (a ? op_link(desc, op) : "") + "</td><td>" + (b ? op_link(desc, op) : "") + "</td></tr>";
    }
  }
  out += "<tr class=\"clash\">" + step_number(++step) + "<td>A: " + op_link(desc, ops[0]) +
         "</td><td>B: " + op_link(desc, ops[1]) + "</td></tr>";
  return out + "</tbody>";
}

std::string order_table(const Context& page, const std::vector<std::uint32_t>& ops, const ScheduleView& view) {
  std::string out = "<thead><tr><th class=\"r\">Step</th><th>Op</th></tr></thead><tbody>";
  std::uint64_t step = view.cut;
  for (const OpId op : view.prefix) {
    const bool is_concerned = std::find(ops.begin(), ops.end(), op) != ops.end();
    out += std::string(is_concerned ? "<tr class=\"clash\">" : "<tr>") + step_number(++step) + "<td>" +
           op_link(page.data.desc, op) + "</td></tr>";
  }
  return out + "</tbody>";
}

std::string schedule_html(const Context& page, const verify::Witness& witness, bool may_race) {
  if (witness.schedule.empty()) return "";
  const ScheduleView view = view_schedule(witness, may_race, kMaxSteps);
  std::string out = "<details class=\"schedule\"><summary>Schedule that shows it (" +
                    count_of(view.cut + view.prefix.size() + (view.is_race ? 1 : 0), "step") + ")</summary>";
  if (view.cut > 0)
    out +=
        "<p class=\"note\">The first " + count_of(view.cut, "step") + " are left out here; report.json has them.</p>";
  if (view.is_race) out += "<p class=\"note\">In the last step both ops run at the same time: no edge orders them.</p>";
  out += "<div class=\"scroll\"><table class=\"steps\">";
  out += view.is_race ? race_table(page, witness.ops, view) : order_table(page, witness.ops, view);
  return out + "</table></div></details>";
}

std::string witness_html(const Context& page, const verify::Witness& witness, bool may_race) {
  std::string out = "<article class=\"witness\"><p class=\"text\">" +
                    name_html(short_name(race_in_words(witness.text), 1000)) + "</p>";
  const std::string conflicts = conflicts_html(page.data.desc, witness.ops);
  out += conflicts.empty() ? ops_html(page.data.desc, witness.ops) : conflicts;
  return out + schedule_html(page, witness, may_race) + "</article>";
}

/// Of this verdict alone: what is told of races stands with theirs.
std::vector<const verify::Witness*> own_witnesses(const Context& page, const verify::Verdict& verdict) {
  std::vector<const verify::Witness*> own;
  for (const verify::Witness& witness : verdict.witnesses) {
    const auto begins = [&](const std::string& text) { return !text.empty() && witness.text.starts_with(text); };
    if (std::ranges::none_of(page.told, begins)) own.push_back(&witness);
  }
  return own;
}

std::string witnesses_html(const Context& page, const verify::Verdict& verdict) {
  if (verdict.witnesses.empty()) return "";
  const std::vector<const verify::Witness*> own = own_witnesses(page, verdict);
  const std::size_t total = own.size();
  if (total == 0) return "<p class=\"note\">The witness stands with the verdict on buffer races.</p>";
  const bool is_open = verdict.outcome == verify::Outcome::kViolated;
  std::string out = "<details class=\"witnesses\"" + std::string(is_open ? " open" : "") + "><summary>" +
                    (total == 1 ? std::string("1 witness") : format_integer(total) + " witnesses") + "</summary>";
  const bool may_race = verdict.property == verify::Property::kBufferRaces;
  const std::size_t shown = std::min(total, kMaxWitnesses);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i == kOpenWitnesses) out += "<details class=\"more\"><summary>Further witnesses</summary>";
    out += witness_html(page, *own[i], may_race);
  }
  if (shown > kOpenWitnesses) out += "</details>";
  if (shown < total) out += "<p class=\"note\">" + format_integer(total - shown) + " more are in report.json.</p>";
  return out + "</details>";
}

std::string verdict_row(Context& page, const verify::Verdict& verdict) {
  const verify::PropertyText& property = verify::text_of(verdict.property);
  const bool is_open = verify::is_vacuous(verdict) || verify::is_assumed(verdict);
  const verify::Outcome colour = is_open ? verify::Outcome::kUnknown : verdict.outcome;
  std::string out = "<tr class=\"verdict\"><td>" + badge_html(colour, verify::outcome_word(verdict)) +
                    "</td><th scope=\"row\">" + hint_html(property.claim, property.title) + "<small>" +
                    name_html(property.name) + "</small></th><td>" + name_html(short_name(verdict.summary, 1000));
  if (verify::is_assumed(verdict)) {
    out += "<p class=\"note\">If " + name_html(short_name(verdict.assumes, 1000)) + ".</p>";
  }
  out += "</td></tr>";
  const std::string witnesses = witnesses_html(page, verdict);
  if (!witnesses.empty()) out += "<tr class=\"evidence\"><td colspan=\"3\">" + witnesses + "</td></tr>";
  return out;
}

}  // namespace

std::string verdicts_html(const ReportData& data) {
  std::string out = "<section id=\"verdicts\"><h2>" + term_html("verdict", "Verdicts") + "</h2>";
  if (data.verdicts.empty()) return out + "<p class=\"empty\">No property was checked.</p></section>";
  Context page{data, all_predecessors(data.desc)};
  out +=
      "<table class=\"verdicts\"><thead><tr><th>Outcome</th><th>Property</th><th>What was "
      "checked</th></tr></thead><tbody>";
  // Witnesses of races stand with their own verdict, whichever comes first.
  const auto races = std::ranges::find_if(
      data.verdicts, [](const verify::Verdict& verdict) { return verdict.property == verify::Property::kBufferRaces; });
  std::set<std::string> of_races;
  if (races != data.verdicts.end()) {
    for (const verify::Witness& witness : races->witnesses) of_races.insert(witness.text);
  }
  for (const verify::Verdict& verdict : data.verdicts) {
    page.told = verdict.property == verify::Property::kBufferRaces ? std::set<std::string>() : of_races;
    out += verdict_row(page, verdict);
  }
  return out + "</tbody></table></section>";
}

}  // namespace detent::reports
