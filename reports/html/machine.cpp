// Accounts in report.html: where the time of each core went, as stacked bars with their numbers.
#include <algorithm>
#include <array>

#include "base/units.hpp"
#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"
#include "reports/view/machine_view.hpp"

namespace detent::reports {
namespace {

struct Part {
  const char* style;
  const char* name;
  std::uint64_t ps;
};

/// In the order of the bar; they add up to the makespan.
std::array<Part, 6> parts_of(const harness::Account& a) {
  const std::uint64_t contention = std::min(a.contention_ps, a.memory_ps);
  return {{{"compute", "computing", a.compute_ps},
           {"memory", "waiting for memory", a.memory_ps - contention},
           {"contention", "waiting for other clients of memory", contention},
           {"overhead", "runtime overhead", a.overhead_ps},
           {"load", "taken by other loads", a.load_ps},
           {"idle", "idle", a.idle_ps}}};
}

std::string account_row(const std::string& name, const harness::Account& account, bool counts_bytes) {
  std::uint64_t sum = 0;
  for (const Part& part : parts_of(account)) sum += part.ps;
  std::string bar;
  std::string cells;
  for (const Part& part : parts_of(account)) {
    const double share = sum == 0 ? 0.0 : static_cast<double>(part.ps) / static_cast<double>(sum);
    if (part.ps > 0) {
      bar += "<b class=\"" + std::string(part.style) + "\" style=\"width:" + percent_of(part.ps, sum) + "\" title=\"" +
             part.name + ": " + format_duration(part.ps) + ", " + format_share(share) + "\"></b>";
    }
    cells += "<td class=\"r num\">" + duration_html(part.ps) + "<small>" + format_share(share) + "</small></td>";
  }
  return "<tr><th scope=\"row\">" + name_html(short_name(name)) + "</th><td class=\"stack\"><span>" + bar +
         "</span></td>" + cells +
         (counts_bytes ? "<td class=\"r num\">" + format_bytes(account.dram_bytes) + "</td>" : "") + "</tr>";
}

std::string legend_head(bool counts_bytes) {
  std::string out = "<thead><tr><th>Core</th><th class=\"stack\">Share of the run</th>";
  static constexpr std::array<std::array<const char*, 2>, 6> kHeads = {{{"compute", "Compute"},
                                                                        {"memory", "Memory"},
                                                                        {"contention", "Contention"},
                                                                        {"overhead", "Overhead"},
                                                                        {"load", "Loads"},
                                                                        {"idle", "Idle"}}};
  for (const auto& [style, name] : kHeads) {
    const std::string_view key = style;
    const bool has_term = key == "contention" || key == "overhead" || key == "load";
    out += "<th class=\"r\"><i class=\"chip " + std::string(style) + "\"></i>" +
           (has_term ? term_html(key, name) : std::string(name)) + "</th>";
  }
  return out + (counts_bytes ? "<th class=\"r\">DRAM moved</th>" : "") + "</tr></thead>";
}

}  // namespace

bool has_machine(const ReportData& data) {
  return !data.timelines.empty() && !data.timelines.front().machine.accounts.empty();
}

std::string accounts_html(const ReportData& data) {
  if (!has_machine(data)) return "";
  const TimelineRun& run = data.timelines.front();
  std::string out = "<section id=\"accounts\"><h2>Where the time went</h2><p class=\"lead\">Each core of the " +
                    escape_html(short_name(run.title)) +
                    ". Memory is time in which an op waits for DRAM alone, contention what other clients add to it; "
                    "loads are other software of higher priority.";
  const bool counts_bytes = counts_dram(run.machine);
  if (!counts_bytes) {
    out +=
        " On this platform every op sees the whole bandwidth of the DRAM (contention = none): contention is zero by "
        "assumption, and the bytes moved are not counted.";
  }
  out += "</p><div class=\"scroll\"><table class=\"accounts\">" + legend_head(counts_bytes) + "<tbody>";
  for (const harness::Account& account : run.machine.accounts) {
    if (account.resource >= run.machine.resources.size()) continue;
    out += account_row(run.machine.resources[account.resource].name, account, counts_bytes);
  }
  return out + "</tbody></table></div></section>";
}

}  // namespace detent::reports
