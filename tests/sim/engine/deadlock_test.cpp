// A planted fault: a port that loses one notification. The kernel must find it, name it and live on.
#include <gtest/gtest.h>

#include <utility>

#include "harness/instance.hpp"
#include "sim/engine/systemc_port.hpp"
#include "sim/engine/timed_backend.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

/// Forwards everything but the notification number `lost`.
class LossyPort {
 public:
  LossyPort(const detent_port& inner, std::uint64_t lost) : inner_(inner), lost_(lost), port_(inner) {
    port_.self = this;
    port_.now_ps = [](void* p) { return in(p).now_ps(in(p).self); };
    port_.lock = [](void* p) { in(p).lock(in(p).self); };
    port_.unlock = [](void* p) { in(p).unlock(in(p).self); };
    port_.wait = [](void* p, std::uint32_t slot, std::uint64_t until) { in(p).wait(in(p).self, slot, until); };
    port_.notify = [](void* p, std::uint32_t slot) {
      auto& self = *static_cast<LossyPort*>(p);
      if (++self.count_ != self.lost_) self.inner_.notify(self.inner_.self, slot);
    };
    port_.start = [](void* p, std::uint32_t slot, void (*entry)(void*), void* arg) {
      return in(p).start(in(p).self, slot, entry, arg);
    };
    port_.join = [](void* p, std::uint32_t slot) { in(p).join(in(p).self, slot); };
    port_.pause = [](void* p) { in(p).pause(in(p).self); };
    port_.checkpoint = [](void* p, detent_checkpoint kind, std::uint32_t slot, std::uint32_t index) {
      in(p).checkpoint(in(p).self, kind, slot, index);
    };
    port_.claim = [](void* p) { return in(p).claim(in(p).self); };
    port_.release = [](void* p) { in(p).release(in(p).self); };
  }
  LossyPort(const LossyPort&) = delete;
  LossyPort& operator=(const LossyPort&) = delete;
  [[nodiscard]] const detent_port& port() const { return port_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  static const detent_port& in(void* p) { return static_cast<LossyPort*>(p)->inner_; }
  const detent_port& inner_;
  std::uint64_t lost_;
  std::uint64_t count_ = 0;
  detent_port port_;
};

class LossyRun final : public Job {
 public:
  LossyRun(const detent_desc& desc, const std::vector<OpTime>& times, std::uint64_t lost)
      : desc_(desc),
        systemc_(SimKernel::instance(), {}),
        lossy_(systemc_.port(), lost),
        backend_(SimKernel::instance(), desc, times, {}) {}

  void main() override {
    harness::InstanceOptions options;
    options.worker_count = 3;
    options.backends = {backend_.backend()};
    instance_ = std::make_unique<harness::Instance>(desc_, lossy_.port(), options);
    ASSERT_EQ(instance_->status(), DETENT_OK);
    status = instance_->run_untraced().error.status;
    notifications = lossy_.count();
    instance_.reset();
  }
  void on_deadlock() override {
    if (instance_) detent_cancel(instance_->context());
  }

  detent_status status = DETENT_OK;
  std::uint64_t notifications = 0;

 private:
  const detent_desc& desc_;
  SystemcPort systemc_;
  LossyPort lossy_;
  TimedBackend backend_;
  std::unique_ptr<harness::Instance> instance_;
};

struct Outcome {
  Session session;
  detent_status status = DETENT_OK;
  std::uint64_t notifications = 0;
};

Outcome run_losing(std::uint64_t lost) {
  const Graph graph(8, GraphOp{10, 10, kCpu, 0, {}, {}});
  const GraphDesc tables(graph, false);
  static const detent_region kNoRegion{};
  detent_desc desc = tables.desc();
  desc.regions = &kNoRegion;
  const std::vector<OpTime> times(graph.size(), {10, 10});
  std::unique_ptr<Job> job = std::make_unique<LossyRun>(desc, times, lost);
  auto* const run = static_cast<LossyRun*>(job.get());
  Outcome outcome;
  outcome.session = SimKernel::instance().run(job);
  if (job) outcome.status = run->status;
  if (job) outcome.notifications = run->notifications;
  return outcome;
}

TEST(Deadlock, WithoutALostNotificationThereIsNoDeadlock) {
  const Outcome outcome = run_losing(0);
  EXPECT_TRUE(outcome.session.deadlocks.empty());
  EXPECT_EQ(outcome.status, DETENT_OK);
  EXPECT_GT(outcome.notifications, 0U);
}

TEST(Deadlock, EachLostNotificationOfARunIsFoundAndTheThreadsEnd) {
  const std::uint64_t notifications = run_losing(0).notifications;
  std::uint64_t found = 0;
  for (std::uint64_t lost = 1; lost <= notifications; ++lost) {
    const Outcome outcome = run_losing(lost);
    EXPECT_TRUE(outcome.session.finished);
    if (outcome.session.deadlocks.empty()) continue;  // another notification reached the slot in time
    ++found;
    EXPECT_EQ(outcome.session.deadlocks[0],
              "deadlock at 30 ps: slot 0 waits for a notification; slot 1 waits for a notification; slot 2 waits for a "
              "notification; 0 interrupts pending");
  }
  EXPECT_GT(found, 0U);
  EXPECT_TRUE(run_losing(0).session.deadlocks.empty()) << "the kernel did not recover";
}

}  // namespace
}  // namespace detent::sim::test
