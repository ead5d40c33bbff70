// Charts in report.html: DRAM bandwidth by client and lengths of queues over the worst run, as SVG in the page.
#include <algorithm>

#include "base/units.hpp"
#include "reports/html/parts.hpp"
#include "reports/view/machine_view.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kBuckets = 300;
constexpr std::size_t kMaxClients = 6;  // with a colour of their own; the rest is "other"
constexpr std::size_t kMaxQueues = 6;
constexpr double kChartHeight = 100;  // units of the drawing; style stretches it

/// Time-weighted mean of a counter per bucket of the run.
using Series = std::vector<double>;

struct Buckets {
  std::uint64_t makespan_ps = 0;

  [[nodiscard]] double width() const { return static_cast<double>(makespan_ps) / static_cast<double>(kBuckets); }

  /// Spread `value` over [begin, end).
  void add(Series& series, std::uint64_t begin_ps, std::uint64_t end_ps, double value) const {
    const double begin = static_cast<double>(begin_ps) / width();
    const double end = static_cast<double>(std::min(end_ps, makespan_ps)) / width();
    for (auto i = static_cast<std::size_t>(begin); i < kBuckets && static_cast<double>(i) < end; ++i) {
      const double from = std::max(begin, static_cast<double>(i));
      const double to = std::min(end, static_cast<double>(i + 1));
      series[i] += value * std::max(0.0, to - from);
    }
  }
};

/// One series per counter of the machine.
std::vector<Series> series_of(const harness::MachineTrace& machine, std::uint64_t makespan_ps) {
  std::vector<Series> out(machine.counters.size(), Series(kBuckets, 0.0));
  if (makespan_ps == 0) return out;
  const Buckets buckets{makespan_ps};
  struct Held {
    std::uint64_t since_ps = 0, value = 0;
  };
  std::vector<Held> held(out.size());
  for (const harness::Sample& sample : machine.samples) {
    Held& now = held[sample.counter];
    buckets.add(out[sample.counter], now.since_ps, sample.time_ps, static_cast<double>(now.value));
    now = {sample.time_ps, sample.value};
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    buckets.add(out[i], held[i].since_ps, makespan_ps, static_cast<double>(held[i].value));
  }
  return out;
}

/// A number of the drawing with two decimals, by integers: no locale, no rounding mode.
std::string coordinate(double value) {
  const auto hundredths = static_cast<std::int64_t>(value * 100 + 0.5);
  const std::string fraction = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + "." + std::string(2 - fraction.size(), '0') + fraction;
}

/// The band between two heights as one path of steps; `top` is the scale's upper end.
std::string band_path(const Series& low, const Series& high, double top) {
  const auto y = [&](double value) { return coordinate(kChartHeight * (1 - std::min(1.0, value / top))); };
  std::string path = "M0 " + y(high[0]);
  for (std::size_t i = 0; i < kBuckets; ++i) path += "V" + y(high[i]) + "H" + std::to_string(i + 1);
  for (std::size_t i = kBuckets; i-- > 0;) path += "V" + y(low[i]) + "H" + std::to_string(i);
  return path + "Z";
}

std::string chart_html(const std::string& label, const std::string& drawing, const std::string& marks,
                       const std::string& top_text, std::uint64_t makespan_ps) {
  return "<figure class=\"chart\"><div class=\"chart-plot\"><svg viewBox=\"0 0 " + std::to_string(kBuckets) +
         " 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"" + escape_html(label) + "\">" + drawing +
         "</svg>" + marks + "<span class=\"top\">" + top_text + "</span></div><div class=\"axis\">" + duration_html(0) +
         duration_html(makespan_ps / 2) + duration_html(makespan_ps) + "</div></figure>";
}

struct Client {
  std::string name;
  Series mean;
};

/// "dram cpu0", ... as clients; the largest have a name, the others become one.
std::vector<Client> clients_of(const harness::MachineTrace& machine, const std::vector<Series>& series) {
  std::vector<Client> clients;
  for (std::size_t i = 0; i < machine.counters.size(); ++i) {
    const std::string& name = machine.counters[i].name;
    if (name.starts_with("dram ")) clients.push_back({name.substr(5), series[i]});
  }
  if (clients.empty()) {
    for (std::size_t i = 0; i < machine.counters.size(); ++i) {
      if (machine.counters[i].name == "dram") clients.push_back({"all clients", series[i]});
    }
  }
  if (clients.size() <= kMaxClients) return clients;
  const auto total = [](const Client& client) {
    double sum = 0;
    for (const double value : client.mean) sum += value;
    return sum;
  };
  std::stable_sort(clients.begin(), clients.end(),
                   [&](const Client& a, const Client& b) { return total(a) > total(b); });
  Client other{std::to_string(clients.size() - kMaxClients) + " others", Series(kBuckets, 0.0)};
  for (std::size_t i = kMaxClients; i < clients.size(); ++i) {
    for (std::size_t b = 0; b < kBuckets; ++b) other.mean[b] += clients[i].mean[b];
  }
  clients.resize(kMaxClients);
  clients.push_back(std::move(other));
  return clients;
}

std::string rate_text(double bytes_per_s) {
  const auto tenths = static_cast<std::uint64_t>(bytes_per_s / 1e8 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB/s";
}

std::string bandwidth_html(const ReportData& data, const TimelineRun& run, const harness::MachineTrace& machine,
                           const std::vector<Series>& series) {
  const std::vector<Client> clients = clients_of(machine, series);
  if (clients.empty()) return "";
  const auto limit = static_cast<double>(data.dram_bytes_per_s);
  Series low(kBuckets, 0.0);
  Series sum(kBuckets, 0.0);
  for (const Client& client : clients) {
    for (std::size_t b = 0; b < kBuckets; ++b) sum[b] += client.mean[b];
  }
  const double top = std::max({limit, *std::max_element(sum.begin(), sum.end()), 1.0}) * 1.04;
  std::string drawing;
  std::string legend = "<div class=\"legend\">";
  for (std::size_t i = 0; i < clients.size(); ++i) {
    Series high = low;
    for (std::size_t b = 0; b < kBuckets; ++b) high[b] += clients[i].mean[b];
    const std::string colour = "var(--k" + std::to_string(i) + ")";
    drawing += "<path style=\"fill:" + colour + "\" d=\"" + band_path(low, high, top) + "\"/>";
    legend +=
        "<span><i style=\"background:" + colour + "\"></i>" + escape_html(short_name(clients[i].name)) + "</span>";
    low = std::move(high);
  }
  std::string marks;
  if (data.dram_bytes_per_s > 0) {
    marks =
        "<span class=\"limit\" style=\"bottom:" + percent_of(static_cast<std::uint64_t>(limit / top * 1e6), 1'000'000) +
        "\"><span>saturated at " + rate_text(limit) + "</span></span>";
    legend += "<span><i class=\"line\"></i>saturated</span>";
  }
  const DramTotals totals = dram_totals(machine, run.makespan_ps);
  return "<h3>DRAM bandwidth</h3><p class=\"lead\">" + format_bytes(totals.bytes) + " moved, " +
         rate_text(static_cast<double>(totals.mean_bytes_per_s)) + " on average, peak " +
         rate_text(static_cast<double>(totals.peak_bytes_per_s)) + ". By client, averaged over " +
         duration_html(run.makespan_ps / kBuckets) + " each.</p>" + legend + "</div>" +
         chart_html("DRAM bandwidth over time by client", drawing, marks,
                    data.dram_bytes_per_s > 0 ? "" : rate_text(top), run.makespan_ps);
}

std::string queue_html(const harness::Counter& counter, const Series& mean, std::uint64_t highest,
                       std::uint64_t makespan_ps) {
  const double top = std::max<double>(1.0, static_cast<double>(highest));
  const std::string name = escape_html(short_name(counter.name));
  return "<h3>" + name + "</h3><p class=\"lead\">At most " + format_integer(highest) +
         (highest == 1 ? " entry" : " entries") + " at once; averages over time.</p>" +
         chart_html("Length of " + counter.name + " over time",
                    "<path style=\"fill:var(--estimate)\" d=\"" + band_path(Series(kBuckets, 0.0), mean, top) + "\"/>",
                    "", format_integer(highest), makespan_ps);
}

}  // namespace

std::string charts_html(const ReportData& data) {
  if (data.timelines.empty() || data.timelines.front().machine.resources.empty()) return "";
  const TimelineRun& run = data.timelines.front();
  const harness::MachineTrace machine = machine_of(data.desc, run);
  const std::vector<Series> series = series_of(machine, run.makespan_ps);
  std::vector<std::uint64_t> highest(machine.counters.size(), 0);
  for (const harness::Sample& sample : machine.samples) {
    highest[sample.counter] = std::max(highest[sample.counter], sample.value);
  }
  const bool has_traffic = counts_dram(machine);
  const std::string title = has_traffic ? "Memory traffic and queues" : "Queues";
  std::string out = "<section id=\"memory-traffic\"><h2>" + title + "</h2><p class=\"lead\">Over the " +
                    escape_html(short_name(run.title)) + ".</p>" + bandwidth_html(data, run, machine, series);
  std::vector<std::size_t> queues;
  for (std::size_t i = 0; i < machine.counters.size(); ++i) {
    if (machine.counters[i].unit == "entries") queues.push_back(i);
  }
  if (!has_traffic && queues.empty()) return "";
  // The engine's own queue first; there may be many of the NPUs'.
  std::stable_partition(queues.begin(), queues.end(),
                        [&](std::size_t i) { return machine.counters[i].name == "ready ops"; });
  for (std::size_t i = 0; i < std::min(queues.size(), kMaxQueues); ++i) {
    out += queue_html(machine.counters[queues[i]], series[queues[i]], highest[queues[i]], run.makespan_ps);
  }
  if (queues.size() > kMaxQueues) {
    out += "<p class=\"note\">" + count_of(queues.size() - kMaxQueues, "further queue") + " in trace.pftrace.</p>";
  }
  return out + "</section>";
}

}  // namespace detent::reports
