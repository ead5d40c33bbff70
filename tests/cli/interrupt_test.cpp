#include "cli/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "base/interrupt.hpp"

namespace detent::cli {
namespace {

struct sigaction disposition() {
  struct sigaction now {};
  ::sigaction(SIGINT, nullptr, &now);
  return now;
}

// Signals are the process's, and the flag stays: each in a process of its own.

void interrupt_once() {
  const StopOnInterrupt stop;
  if (stop_requested()) std::exit(1);
  std::raise(SIGINT);
  std::exit(stop_requested() ? 0 : 2);
}

void interrupt_twice() {
  const StopOnInterrupt stop;
  std::raise(SIGINT);
  std::raise(SIGINT);
  std::exit(0);
}

TEST(StopOnInterruptDeathTest, TheFirstInterruptAsksTheWorkToStop) {
  EXPECT_EXIT(interrupt_once(), testing::ExitedWithCode(0), "");
}

TEST(StopOnInterruptDeathTest, TheSecondInterruptEndsTheProcess) {
  EXPECT_EXIT(interrupt_twice(), testing::KilledBySignal(SIGINT), "");
}

TEST(StopOnInterrupt, WhatWasSetBeforeIsSetAgain) {
  struct sigaction before {};
  before.sa_handler = [](int) {};
  struct sigaction original {};
  ::sigaction(SIGINT, &before, &original);
  {
    const StopOnInterrupt stop;
    EXPECT_NE(disposition().sa_handler, before.sa_handler);
  }
  EXPECT_EQ(disposition().sa_handler, before.sa_handler);
  ::sigaction(SIGINT, &original, nullptr);
}

TEST(StopOnInterrupt, AnIgnoredSignalStaysIgnored) {
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  struct sigaction original {};
  ::sigaction(SIGINT, &ignored, &original);
  {
    const StopOnInterrupt stop;
    EXPECT_EQ(disposition().sa_handler, SIG_IGN);
  }
  EXPECT_EQ(disposition().sa_handler, SIG_IGN);
  ::sigaction(SIGINT, &original, nullptr);
}

}  // namespace
}  // namespace detent::cli
