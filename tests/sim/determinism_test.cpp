// Same inputs and seed, same bytes: in another process too.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "sim/cost/jitter.hpp"
#include "sim/simulate.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

/// All that a few campaigns observe, folded into one number.
std::uint64_t fingerprint() {
  std::uint64_t hash = 0;
  const auto fold = [&hash](std::uint64_t value) { hash = mix_bits(hash ^ mix_bits(value + 1)); };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const GraphDesc tables(
        random_graph(seed, {.max_ops = 50, .max_time_ps = 5000, .npu = true, .delays = true, .range = true}));
    const SimResult result = simulate(tables.desc(), find_platform("quad_npu"),
                                      {.engine = {.policy = "random"}, .runs = 20, .seeds = {.schedule = seed}});
    EXPECT_FALSE(result.failure);
    for (const std::uint64_t makespan_ps : result.makespans_ps) fold(makespan_ps);
    for (const std::uint64_t digest : result.digests) fold(digest);
    for (const auto& span : result.worst.trace.spans) {
      fold(span.op);
      fold(span.slot);
      fold(span.begin_ps);
      fold(span.end_ps);
    }
  }
  return hash;
}

std::string fingerprint_of_another_process() {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "'" + self + "' --gtest_filter=DeterminismHelper.PrintsTheFingerprint 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no process";
  std::string output;
  char buffer[256];
  while (fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
  pclose(pipe);
  const std::size_t at = output.find("fingerprint ");
  return at == std::string::npos ? output : output.substr(at, output.find('\n', at) - at);
}

TEST(DeterminismHelper, PrintsTheFingerprint) {
  std::printf("fingerprint %llu\n", static_cast<unsigned long long>(fingerprint()));
}

TEST(Determinism, AnotherProcessSeesTheSameBytes) {
  const std::string own = "fingerprint " + std::to_string(fingerprint());
  EXPECT_EQ(own, "fingerprint " + std::to_string(fingerprint())) << "twice in this process";
  EXPECT_EQ(own, fingerprint_of_another_process());
}

}  // namespace
}  // namespace detent::sim::test
