// The DRAM's closed queue: against a simulation request by request, and against published silicon.
#include "sim/cost/dram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/effort.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

std::vector<double> speeds_of(const std::vector<DramClient>& clients) {
  std::vector<double> speeds(clients.size());
  DramQueue queue;
  queue.solve(clients, speeds);
  return speeds;
}

/// Requests one by one: think (exponential), wait in order of arrival, be served (exponential, mean 1). Shares nothing
/// with the formula. Answers requests per unit of time of each client.
class RequestServer {
 public:
  RequestServer(const std::vector<DramClient>& clients, std::uint64_t seed) : random_(seed) {
    for (std::uint32_t c = 0; c < clients.size(); ++c) {
      const double think = (1 - clients[c].share) / clients[c].share;
      for (std::uint32_t i = 0; i < clients[c].streams; ++i) streams_.push_back({c, think, exponential(think)});
    }
    served_.assign(clients.size(), 0);
  }

  std::vector<double> throughput(std::uint32_t requests) {
    double free_at = 0;
    for (std::uint32_t i = 0; i < requests; ++i) {
      std::size_t first = 0;
      for (std::size_t s = 1; s < streams_.size(); ++s) {
        if (streams_[s].arrives < streams_[first].arrives) first = s;
      }
      Stream& stream = streams_[first];
      free_at = std::max(free_at, stream.arrives) + exponential(1);
      stream.arrives = free_at + exponential(stream.think);
      served_[stream.client] += 1;
    }
    for (double& count : served_) count /= free_at;
    return served_;
  }

 private:
  struct Stream {
    std::uint32_t client;
    double think;
    double arrives;
  };
  double exponential(double mean) {
    const double unit = static_cast<double>((random_.next() >> 11U) + 1) * 0x1.0p-53;
    return -mean * std::log(unit);
  }

  Random random_;
  std::vector<Stream> streams_;
  std::vector<double> served_;
};

TEST(Dram, AClientAloneHasItsFullSpeed) {
  for (const double share : {0.0, 1e-6, 0.3, 0.5, 0.7, 1.0}) {
    for (const std::uint32_t streams : {1U, 2U, 8U}) {
      EXPECT_NEAR(speeds_of({{share, streams}})[0], 1, 1e-12) << share << " " << streams;
    }
  }
}

TEST(Dram, TwoClientsThatAlwaysAskHalveTheBandwidth) {
  EXPECT_NEAR(speeds_of({{1, 1}, {1, 1}})[0], 0.5, 1e-12);
  EXPECT_NEAR(speeds_of({{1, 1}, {1, 1}, {1, 1}, {1, 1}})[3], 0.25, 1e-12);
}

TEST(Dram, ClientsWithoutTrafficSlowNoOtherClient) {
  const auto speeds = speeds_of({{0, 1}, {0.8, 1}, {0, 4}});
  EXPECT_NEAR(speeds[0], 1, 1e-12);
  EXPECT_NEAR(speeds[1], 1, 1e-12);
}

TEST(Dram, EqualsASimulationOfSingleRequests) {
  Random random(7);
  const std::uint32_t cases = effort(30U);
  for (std::uint32_t i = 0; i < cases; ++i) {
    std::vector<DramClient> clients;
    const std::uint32_t count = 1 + random.below(5);
    for (std::uint32_t c = 0; c < count; ++c) {
      clients.push_back({0.02 + 0.97 * random.below(1000) / 1000, random.below(3) == 0 ? 1 + random.below(6) : 1});
    }
    const std::vector<double> speeds = speeds_of(clients);
    const std::vector<double> measured = RequestServer(clients, i).throughput(400'000);
    for (std::uint32_t c = 0; c < count; ++c) {
      const double alone = clients[c].share * clients[c].streams * own_speed(clients[c].share, clients[c].streams);
      EXPECT_NEAR(measured[c] / (alone * speeds[c]), 1, 0.025) << "case " << i << " client " << c;
    }
  }
}

/// TI AM62P, memory copy on 1, 2, 4 cores: 1957, 3123, 3606 MB/s (TI SPRADG0A). Fitted on one and four.
TEST(Dram, TwoCoresOfPublishedSiliconArePredictedWithinFivePercent) {
  double low = 0;
  double high = 1;
  for (int step = 0; step < 60; ++step) {
    const double share = (low + high) / 2;
    const DramClient core{share, 1};
    (4 * 1957 * speeds_of({core, core, core, core})[0] > 3606 ? low : high) = share;
  }
  const DramClient core{low, 1};
  const double two = 2 * 1957 * speeds_of({core, core})[0];
  EXPECT_NEAR(two / 3123, 1, 0.05);
  EXPECT_GT(2 * 1957 / 3123.0, 1.2) << "a pipe that is divided would be off by more than 20 %";
}

TEST(Dram, MoreClientsSlowEachDownAndNeverServeMoreThanThereIs) {
  Random random(11);
  std::vector<DramClient> clients;
  std::vector<double> before;
  for (int i = 0; i < 64; ++i) {
    clients.push_back({0.01 + 0.98 * random.below(1000) / 1000, 1});
    const std::vector<double> now = speeds_of(clients);
    double served = 0;
    for (std::size_t c = 0; c < now.size(); ++c) {
      served += now[c] * clients[c].share;
      EXPECT_GT(now[c], 0);
      if (c < before.size()) {
        EXPECT_LE(now[c], before[c] + 1e-9);
      }
    }
    EXPECT_LE(served, 1 + 1e-6);
    before = now;
  }
}

TEST(Dram, ShareOfAStreamIsTheInverseOfWhatTheStreamsServe) {
  for (const std::uint32_t streams : {1U, 2U, 4U, 16U}) {
    for (const double busy : {0.0, 0.1, 0.5, 0.9, 0.999, 1.0}) {
      const double share = share_of_stream(busy, streams);
      EXPECT_NEAR(streams * share * own_speed(share, streams), busy, 1e-6) << streams << " " << busy;
    }
  }
}

/// The chip asks for the share of each op anew, bounds ask once: they must agree on it to more digits than bounds
/// allow.
TEST(Dram, SharesOfManyOpsAreThoseOfOne) {
  for (const std::uint32_t streams : {1U, 2U, 8U, 9U, 64U, 160U}) {
    const StreamShares shares(streams);
    for (std::uint32_t i = 0; i <= 1000; ++i) {
      const double busy = 0.001 * i;
      EXPECT_NEAR(shares.at(busy), share_of_stream(busy, streams), 1e-9) << streams << " streams, busy " << busy;
    }
    EXPECT_NEAR(shares.at(0.99999), share_of_stream(0.99999, streams), 1e-9) << streams;
  }
}

}  // namespace
}  // namespace detent::sim::test
