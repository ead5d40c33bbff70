#include "app/campaign/children.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

/// Everybody, when all have ended.
std::map<std::uint32_t, Children::Ended> collect_all(Children& children) {
  std::map<std::uint32_t, Children::Ended> ended;
  while (children.running() != 0) {
    for (const Children::Ended& one : children.collect()) ended[one.name] = one;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return ended;
}

TEST(Children, EachIsCollectedOnceUnderItsName) {
  const TemporaryDirectory place;
  Children children;
  children.start(7, {"/bin/sh", "-c", "exit 0"}, place.file("log"));
  children.start(9, {"/bin/sh", "-c", "exit 3"}, place.file("log"));
  EXPECT_EQ(children.running(), 2U);
  const auto ended = collect_all(children);
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_EQ(ended.at(7).exit_code, 0);
  EXPECT_EQ(ended.at(9).exit_code, 3);
  EXPECT_EQ(how_it_ended(ended.at(9)), "exit code 3");
  EXPECT_TRUE(children.collect().empty());
}

TEST(Children, WhatTheyPrintGoesBehindWhatTheLogHolds) {
  const TemporaryDirectory place;
  const std::string log = place.write("log", "before\n");
  Children children;
  children.start(0, {"/bin/sh", "-c", "echo said; echo cried >&2"}, log);
  (void)collect_all(children);
  EXPECT_EQ(bytes_of(log), "before\nsaid\ncried\n");
}

TEST(Children, TheyReadNothing) {
  const TemporaryDirectory place;
  Children children;
  children.start(0, {"/bin/cat"}, place.file("log"));
  EXPECT_EQ(collect_all(children).at(0).exit_code, 0) << "standard input ends at once";
}

TEST(Children, WhatTheyStartedEndsWithThem) {
  const TemporaryDirectory place;
  Children children;
  children.start(1, {"/bin/sh", "-c", "sleep 600 & wait"}, place.file("log"));
  children.terminate();
  const Children::Ended ended = collect_all(children).at(1);
  EXPECT_EQ(ended.exit_code, -1);
  EXPECT_EQ(ended.signal, SIGTERM);
  EXPECT_EQ(how_it_ended(ended), "ended by signal 15");
}

TEST(Children, AProgramThatIsNotThereIsToldAtOnceOrByItsExit) {
  const TemporaryDirectory place;
  Children children;
  try {
    children.start(0, {place.file("missing")}, place.file("log"));
    EXPECT_NE(collect_all(children).at(0).exit_code, 0);
  } catch (const std::runtime_error& refused) {
    EXPECT_NE(std::string(refused.what()), "");
    EXPECT_EQ(children.running(), 0U);
  }
}

TEST(Children, OutputBecomesOneLine) {
  EXPECT_EQ(one_line("detent: a\n  b\t c\n\n"), "detent: a b c");
  EXPECT_EQ(one_line(" \n"), "");
}

}  // namespace
}  // namespace detent::app
