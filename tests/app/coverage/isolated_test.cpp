// Work in a process of its own: what comes back of an answer, an exception, a fault, an exit.
#include "app/coverage/isolated.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>
#include <thread>

#include "base/interrupt.hpp"
#include "base/temp_directory.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

IsolatedEnd ended(
    const std::function<std::string()>& work, const std::function<void()>& save = [] {}) {
  const TempDirectory directory;
  return run_isolated(work, save, directory.path());
}

TEST(Isolated, GivesBackWhatTheWorkReturns) {
  int here = 1;
  const std::string long_text(1U << 20U, 'x');
  const IsolatedEnd end = ended([&] {
    here = 2;
    return long_text + "\n";
  });
  EXPECT_TRUE(end.returned);
  EXPECT_FALSE(end.failed);
  EXPECT_EQ(end.answer, long_text + "\n");
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(here, 1) << "another process";
  EXPECT_TRUE(ended([] { return std::string(); }).returned);
}

TEST(Isolated, AnExceptionComesBackAsItsText) {
  const IsolatedEnd end = ended([]() -> std::string { throw std::invalid_argument("op 3 failed"); });
  EXPECT_FALSE(end.returned);
  EXPECT_TRUE(end.failed);
  EXPECT_EQ(end.answer, "op 3 failed");
}

TEST(Isolated, AFaultSavesFirst) {
  const TemporaryDirectory place;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
    const std::string saved = place.file("saved" + std::to_string(signal));
    const IsolatedEnd end = ended(
        [signal]() -> std::string {
          std::raise(signal);
          return "went on";
        },
        [&] { std::ofstream(saved) << "counters"; });
    EXPECT_FALSE(end.returned);
    EXPECT_FALSE(end.failed);
    EXPECT_EQ(end.signal, signal);
    EXPECT_EQ(end.op, DETENT_NONE) << "no op was executed";
    EXPECT_EQ(bytes_of(saved), "counters");
  }
}

TEST(Isolated, AFaultWhileSavingIsTheFirstOne) {
  const IsolatedEnd end = ended(
      []() -> std::string {
        std::raise(SIGFPE);
        return "went on";
      },
      [] { std::raise(SIGSEGV); });
  EXPECT_EQ(end.signal, SIGFPE);
}

TEST(Isolated, ASignalWithoutAHandlerIsTold) {
  const IsolatedEnd end = ended([]() -> std::string {
    std::raise(SIGKILL);
    return "went on";
  });
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_FALSE(end.returned);
}

TEST(Isolated, AnExitIsNoAnswer) {
  for (const int code : {0, 7, 120}) {
    const IsolatedEnd end = ended([code]() -> std::string { std::_Exit(code); });
    EXPECT_FALSE(end.returned) << code;
    EXPECT_FALSE(end.failed) << code;
    EXPECT_EQ(end.exit_code, code);
    EXPECT_EQ(end.signal, 0);
  }
}

TEST(Isolated, TheRequestToStopIsPassedOn) {
  std::signal(SIGINT,
              SIG_DFL);  // a shell ignores it for what it runs in the background, and so would the processes here
  const IsolatedEnd outer = ended([] {
    std::thread later([] {
      ::poll(nullptr, 0, 30);
      request_stop();
    });
    const IsolatedEnd inner = ended([] {
      while (!stop_requested()) ::poll(nullptr, 0, 1);
      return std::string("stopped");
    });
    later.join();
    return inner.answer;
  });
  EXPECT_EQ(outer.answer, "stopped");
}

detent_backend crashing_backend() {
  const auto resolve = [](void*, const char* name, detent_entity* entity) {
    if (std::string(name) != "known") return static_cast<detent_status>(DETENT_UNKNOWN_KERNEL);
    entity->run = [](const detent_kernel_args* args) -> std::int32_t {
      if (args->op == 5) std::raise(SIGSEGV);
      return static_cast<std::int32_t>(args->op) + 10;
    };
    return static_cast<detent_status>(DETENT_OK);
  };
  return {.self = nullptr, .class_name = "cpu", .resolve = resolve, .dispatch = nullptr};
}

TEST(Isolated, TheOpThatAFaultHitIsNamed) {
  detent_backend inner = crashing_backend();
  const detent_backend noting = noting_backend(inner);
  EXPECT_STREQ(noting.class_name, "cpu");
  EXPECT_EQ(noting.dispatch, nullptr) << "what watches reads takes no other";
  detent_entity other{};
  EXPECT_EQ(noting.resolve(noting.self, "other", &other), DETENT_UNKNOWN_KERNEL);
  const auto run_op = [&](std::uint32_t op) {
    detent_entity entity{};
    entity.args.op = op;
    EXPECT_EQ(noting.resolve(noting.self, "known", &entity), DETENT_OK);
    return std::to_string(entity.run(&entity.args));
  };
  EXPECT_EQ(run_op(4), "14");
  const IsolatedEnd end = ended([&] { return run_op(3) + run_op(5); });
  EXPECT_EQ(end.signal, SIGSEGV);
  EXPECT_EQ(end.op, 5U);
  const IsolatedEnd after = ended([&] {
    std::string text = run_op(3);
    std::raise(SIGABRT);
    return text;
  });
  EXPECT_EQ(after.op, DETENT_NONE) << "between two ops";
  const IsolatedEnd elsewhere = ended([&] {
    std::thread([&] { static_cast<void>(run_op(5)); }).join();
    return std::string();
  });
  EXPECT_EQ(elsewhere.op, 5U) << "on another thread";
}

}  // namespace
}  // namespace detent::app
