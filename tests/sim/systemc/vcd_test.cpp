// trace.vcd: a reader of value change dumps finds in SystemC's text exactly what the machine trace says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include <detent/limits.h>

#include "base/temp_directory.hpp"
#include "sim/platform/platform.hpp"
#include "sim/simulate.hpp"
#include "sim/systemc/machine_vcd.hpp"
#include "tests/effort.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim {
namespace {

using harness::MachineTrace;
using harness::ResourceKind;
using harness::Use;
using harness::UseKind;

/// Value changes of one signal, "z" where it has none.
using Wave = std::map<std::uint64_t, std::string>;

struct VcdFile {
  std::string timescale;
  std::string comments;
  std::map<std::string, Wave> waves;  ///< by scoped name without SystemC's own scope
  std::uint64_t last_time = 0;
  bool is_valid = true;
};

std::string decimal(const std::string& bits) {
  if (bits.find_first_not_of("zZ") == std::string::npos) return "z";
  std::uint64_t value = 0;
  for (const char bit : bits) value = 2 * value + static_cast<std::uint64_t>(bit - '0');
  return std::to_string(value);
}

/// IEEE 1364, clause 18, as far as wires go.
VcdFile read_vcd(const std::string& text) {
  VcdFile file;
  std::istringstream in(text);
  std::map<std::string, std::string> name_of;
  std::vector<std::string> scopes;
  const auto until_end = [&] {
    std::string all;
    for (std::string word; in >> word && word != "$end";) all += (all.empty() ? "" : " ") + word;
    return all;
  };
  std::uint64_t now = 0;
  bool has_time = false;
  for (std::string word; in >> word;) {
    if (word == "$timescale")
      file.timescale = until_end();
    else if (word == "$comment")
      file.comments += until_end() + "\n";
    else if (word == "$version" || word == "$enddefinitions")
      until_end();
    else if (word == "$dumpvars" || word == "$end")
      continue;
    else if (word == "$scope")
      scopes.push_back(until_end().substr(7));
    else if (word == "$upscope")
      until_end(), scopes.pop_back();
    else if (word == "$var") {
      std::string type, width, code, name;
      in >> type >> width >> code >> name;
      until_end();
      for (std::size_t i = scopes.size(); i-- > 1;) name.insert(0, scopes[i] + ".");
      name_of[code] = name;
      file.waves[name];
    } else if (word[0] == '#') {
      const std::uint64_t time = std::stoull(word.substr(1));
      if (has_time && time <= now) file.is_valid = false;
      now = file.last_time = time;
      has_time = true;
    } else {
      std::string value = word.substr(0, 1), code = word.substr(1);
      if (word[0] == 'b') {
        value = word.substr(1);
        in >> code;
      }
      if (!has_time || !name_of.contains(code)) file.is_valid = false;
      file.waves[name_of[code]][now] = decimal(value);
    }
  }
  return file;
}

std::string value_at(const Wave& wave, std::uint64_t time) {
  auto after = wave.upper_bound(time);
  return after == wave.begin() ? "none" : std::prev(after)->second;
}

std::uint64_t next_number(std::uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return state >> 33U;
}

/// Two cores, an NPU with a DMA channel and a DRAM, uses one after the other on each, two counters.
MachineTrace random_trace(std::uint64_t seed, std::uint64_t uses, std::uint64_t& end_ps) {
  MachineTrace machine;
  machine.resources = {{"cpu0", ResourceKind::kCore},
                       {"cpu 1", ResourceKind::kCore},
                       {"npu0", ResourceKind::kAccelerator},
                       {"npu0.dma", ResourceKind::kDma},
                       {"dram", ResourceKind::kDram}};
  machine.loads = {"tick"};
  machine.counters = {{"dram", "B/s"}, {"ready ops", "entries"}};
  machine.samples = {{0, 0, 0}, {1, 0, 1}};
  std::uint64_t random = seed;
  end_ps = 0;
  for (std::uint32_t part = 0; part < 4; ++part) {
    std::uint64_t now = 0;
    for (std::uint64_t i = 0; i < uses; ++i) {
      now += next_number(random) % 3 == 0 ? next_number(random) % 1000 : 0;
      Use use{part, UseKind::kOp, static_cast<std::uint32_t>(part * uses + i), DETENT_NONE, now, 0};
      if (part == 3) use.kind = UseKind::kTransfer;
      if (part < 2 && next_number(random) % 4 == 0) use = {part, UseKind::kLoad, DETENT_NONE, 0, now, 0};
      if (part < 3 && next_number(random) % 4 == 0) use = {part, UseKind::kOverhead, DETENT_NONE, DETENT_NONE, now, 0};
      now = use.end_ps = now + next_number(random) % 2000;
      machine.uses.push_back(use);
      machine.samples.push_back({part % 2, now, next_number(random) % 5'000'000'000});
    }
    end_ps = std::max(end_ps, now);
  }
  std::stable_sort(machine.uses.begin(), machine.uses.end(), [](const Use& a, const Use& b) {
    return std::tie(a.begin_ps, a.resource) < std::tie(b.begin_ps, b.resource);
  });
  std::stable_sort(machine.samples.begin(), machine.samples.end(), [](const auto& a, const auto& b) {
    return std::tie(a.time_ps, a.counter) < std::tie(b.time_ps, b.counter);
  });
  return machine;
}

const char* const kNames[] = {"cpu0", "cpu_1", "npu0", "npu0_dma"};

/// State, op and load of a part as the machine trace has them.
std::tuple<std::string, std::string, std::string> expected_at(const MachineTrace& machine, std::uint32_t part,
                                                              std::uint64_t time) {
  for (const Use& use : machine.uses) {
    if (use.resource != part || use.begin_ps > time || use.end_ps <= time) continue;
    const int state = use.kind == UseKind::kOp         ? 1
                      : use.kind == UseKind::kOverhead ? 2
                      : use.kind == UseKind::kLoad     ? 3
                                                       : 4;
    return {std::to_string(state), use.op == DETENT_NONE ? "z" : std::to_string(use.op),
            use.kind == UseKind::kLoad ? std::to_string(use.load) : "z"};
  }
  return {"0", "z", "z"};
}

TEST(Vcd, EverySignalHasTheMachinesValueAtEveryInstant) {
  for (std::uint64_t seed = 1; seed <= effort(30U) + 2; ++seed) {
    std::uint64_t end_ps = 0;
    const MachineTrace machine = random_trace(seed, 40, end_ps);
    const VcdFile file = read_vcd(vcd_trace(machine, {.end_ps = end_ps, .comment = "seed"}));
    ASSERT_TRUE(file.is_valid) << seed;
    ASSERT_EQ(file.timescale, "1 ps");
    ASSERT_EQ(file.last_time, end_ps);
    for (const Use& probe : machine.uses) {
      for (std::uint32_t part = 0; part < 4; ++part) {
        const std::string name = kNames[part];
        for (const std::uint64_t time : {probe.begin_ps, probe.end_ps}) {
          const auto [state, op, load] = expected_at(machine, part, time);
          ASSERT_EQ(value_at(file.waves.at(name + ".state"), time), state) << seed << " " << name << " " << time;
          ASSERT_EQ(value_at(file.waves.at(name + ".op"), time), op) << seed << " " << name << " " << time;
          if (part == 0 || part == 1) {
            ASSERT_EQ(value_at(file.waves.at(name + ".load"), time), load) << seed;
          }
        }
      }
    }
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> last;
    for (const harness::Sample& sample : machine.samples) last[{sample.counter, sample.time_ps}] = sample.value;
    for (const auto& [key, value] : last) {
      const Wave& wave = file.waves.at(key.first == 0 ? "dram" : "ready_ops");
      ASSERT_EQ(value_at(wave, key.second), std::to_string(value)) << seed;
    }
  }
}

/// So a trace takes little more than half of what SystemC writes.
TEST(Vcd, CodesAreShortAndOneZStandsForAll) {
  MachineTrace machine;
  for (int part = 0; part < 60; ++part) machine.resources.push_back({"c" + std::to_string(part), ResourceKind::kCore});
  machine.uses = {{0, UseKind::kOp, 5000, DETENT_NONE, 10, 20}, {59, UseKind::kOp, 4999, DETENT_NONE, 10, 30}};
  const std::string text = vcd_trace(machine, {.end_ps = 40, .comment = ""});
  const VcdFile file = read_vcd(text);
  EXPECT_TRUE(file.is_valid);
  EXPECT_EQ(file.waves.size(), 121U) << "no code stands for two signals";
  EXPECT_EQ(file.waves.at("c0.op"), (Wave{{0, "z"}, {10, "5000"}, {20, "z"}}));
  EXPECT_EQ(file.waves.at("c59.op"), (Wave{{0, "z"}, {10, "4999"}, {30, "z"}}));
  EXPECT_EQ(text.find("zz"), std::string::npos);
  EXPECT_NE(text.find("$var wire    1  a  run "), std::string::npos);
  EXPECT_NE(text.find("\n1a\n"), std::string::npos);
}

TEST(Vcd, TheRunSignalFallsAtTheEnd) {
  std::uint64_t end_ps = 0;
  const MachineTrace machine = random_trace(1, 5, end_ps);
  const VcdFile file = read_vcd(vcd_trace(machine, {.end_ps = end_ps, .comment = ""}));
  EXPECT_EQ(file.waves.at("run"), (Wave{{0, "1"}, {end_ps, "0"}}));
}

TEST(Vcd, EqualInputsGiveEqualBytesWhateverSystemCsClockSays) {
  std::uint64_t end_ps = 0;
  const MachineTrace machine = random_trace(9, 20, end_ps);
  const std::string first = vcd_trace(machine, {.end_ps = end_ps, .comment = "model"});
  std::uint64_t other_end = 0;
  const MachineTrace other = random_trace(10, 7, other_end);
  vcd_trace(other, {.end_ps = other_end, .comment = ""});
  EXPECT_EQ(vcd_trace(machine, {.end_ps = end_ps, .comment = "model"}), first);
  EXPECT_EQ(first.find("$date"), std::string::npos);
  EXPECT_EQ(first.find("2.3"), std::string::npos) << "the build of SystemC";
}

TEST(Vcd, SimulationsGoOnBetweenTraces) {
  const test::GraphDesc graph(test::random_graph(5, {}));
  const Platform platform = find_platform("quad_npu");
  SimOptions options;
  options.timing_only = true;
  const SimResult before = simulate(graph.desc(), platform, options);
  std::uint64_t end_ps = 0;
  const MachineTrace machine = random_trace(2, 20, end_ps);
  const std::string first = vcd_trace(machine, {.end_ps = end_ps, .comment = ""});
  EXPECT_EQ(simulate(graph.desc(), platform, options).makespans_ps, before.makespans_ps);
  EXPECT_EQ(vcd_trace(machine, {.end_ps = end_ps, .comment = ""}), first);
}

TEST(Vcd, EmptyRunGivesOneSignal) {
  const VcdFile file = read_vcd(vcd_trace({}, {.end_ps = 0, .comment = ""}));
  EXPECT_TRUE(file.is_valid);
  EXPECT_EQ(file.waves.size(), 1U);
  EXPECT_EQ(file.waves.at("run"), (Wave{{0, "0"}}));
}

TEST(Vcd, LimitCutsTheEndWithANote) {
  std::uint64_t end_ps = 0;
  const MachineTrace machine = random_trace(4, 200, end_ps);
  for (const std::uint64_t limit : {1U, 50U, 300U}) {
    const std::string text = vcd_trace(machine, {.end_ps = end_ps, .comment = "", .max_events = limit});
    const VcdFile file = read_vcd(text);
    EXPECT_TRUE(file.is_valid);
    EXPECT_NE(file.comments.find("truncated: from "), std::string::npos);
    std::size_t changes = 0;
    for (const auto& [name, wave] : file.waves) changes += wave.size();
    EXPECT_LE(changes, limit + 2 * file.waves.size()) << limit;
    EXPECT_EQ(file.last_time, end_ps);
  }
}

TEST(Vcd, ALimitKeepsWhatFitsIntoItExactly) {
  MachineTrace machine;
  machine.counters = {{"ready ops", "entries"}};
  for (std::uint64_t i = 0; i < 20; ++i) machine.samples.push_back({0, 100 * i, i % 2});
  const auto cut_at = [&](std::uint64_t limit) {
    const std::string comments =
        read_vcd(vcd_trace(machine, {.end_ps = 2000, .comment = "", .max_events = limit})).comments;
    const std::size_t at = comments.find("truncated: from ");
    return at == std::string::npos ? "all" : comments.substr(at + 16, comments.find(' ', at + 16) - at - 16);
  };
  // Twenty samples, and that the run begins and ends; the end always stays.
  EXPECT_EQ(cut_at(22), "all");
  EXPECT_EQ(cut_at(21), "1900");
  EXPECT_EQ(cut_at(20), "1800");
  EXPECT_EQ(cut_at(10), "800");
}

TEST(Vcd, LongRunsCountNanoseconds) {
  MachineTrace machine;
  machine.resources = {{"cpu0", ResourceKind::kCore}};
  const std::uint64_t late = 18'000'000'000'000'000'000U;
  machine.uses = {{0, UseKind::kOp, 3, DETENT_NONE, 5'000, late}};
  const VcdFile file = read_vcd(vcd_trace(machine, {.end_ps = late, .comment = ""}));
  EXPECT_EQ(file.timescale, "1 ns");
  EXPECT_EQ(file.waves.at("cpu0.op"), (Wave{{0, "z"}, {5, "3"}, {late / 1000, "z"}}));
}

TEST(Vcd, B14_HostileNamesBecomePlainSignals) {
  MachineTrace machine;
  machine.resources = {{"a b", ResourceKind::kCore},
                       {"a\nb", ResourceKind::kCore},
                       {"$end", ResourceKind::kDma},
                       {"", ResourceKind::kAccelerator},
                       {"9[0]", ResourceKind::kCore}};
  machine.counters = {{std::string(5000, 'x'), "B/s"}, {"run", "entries"}, {"\xC3\xBC $comment", "B/s"}};
  for (std::uint32_t counter = 0; counter < 3; ++counter) machine.samples.push_back({counter, 0, counter});
  machine.uses = {{7, UseKind::kOp, 1, DETENT_NONE, 0, 5}, {0, UseKind::kLoad, DETENT_NONE, 44, 2, 9}};
  const VcdFile file = read_vcd(vcd_trace(machine, {.end_ps = 10, .comment = "m $end\n$var wire"}));
  EXPECT_TRUE(file.is_valid);
  for (const char* name : {"a_b.op", "a_b_2.state", "_end.op", "_.state", "_9_0_.op", "run", "run_2", "____comment"}) {
    EXPECT_TRUE(file.waves.contains(name)) << name;
  }
}

std::map<std::string, Wave> without_leading_z(std::map<std::string, Wave> waves) {
  for (auto& [name, wave] : waves) {
    if (!wave.empty() && wave.begin()->second == "z") wave.erase(wave.begin());
  }
  return waves;
}

TEST(Vcd, GtkwavesOwnReaderTakesIt) {
  if (std::system("command -v vcd2fst >/dev/null 2>&1") != 0) GTEST_SKIP() << "no vcd2fst in PATH (Debian: gtkwave)";
  std::uint64_t end_ps = 0;
  const MachineTrace machine = random_trace(6, 100, end_ps);
  const TempDirectory directory;
  const std::string base = directory.path() / "trace";
  const std::string text = vcd_trace(machine, {.end_ps = end_ps, .comment = "model"});
  std::ofstream(base + ".vcd", std::ios::binary) << text;
  const std::string command =
      "vcd2fst '" + base + ".vcd' '" + base + ".fst' && fst2vcd '" + base + ".fst' > '" + base + ".back'";
  ASSERT_EQ(std::system((command + " 2>/dev/null").c_str()), 0);
  std::ifstream back(base + ".back", std::ios::binary);
  std::string again{std::istreambuf_iterator<char>(back), std::istreambuf_iterator<char>()};
  const std::size_t date = again.find("$date");
  if (date != std::string::npos) again.erase(date, again.find("$end", date) + 4 - date);
  // It leaves out what is z from the beginning; and waves are long to print.
  EXPECT_TRUE(without_leading_z(read_vcd(again).waves) == without_leading_z(read_vcd(text).waves));
}

}  // namespace
}  // namespace detent::sim
