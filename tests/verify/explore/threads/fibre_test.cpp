// Fibres: values survive switches, stacks are reused, both kinds behave alike.
#include "verify/explore/threads/fibre/fibre.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace detent::verify::explore {
namespace {

template <typename F>
class Fibres : public ::testing::Test {
 protected:
  void SetUp() override { host_.adopt_host(); }

  struct Pair {
    F* host = nullptr;
    F* self = nullptr;
    F* other = nullptr;
    std::string* log = nullptr;
    int rounds = 0;
    char name = '?';
  };
  static void count(void* arg) {
    Pair& pair = *static_cast<Pair*>(arg);
    double kept = 0.5;  // a register that calls may change, kept on the stack
    for (int i = 0; i < pair.rounds; ++i) {
      *pair.log += pair.name;
      kept *= 2;
      switch_to(*pair.self, pair.other != nullptr ? *pair.other : *pair.host);
    }
    *pair.log += kept == static_cast<double>(1 << pair.rounds) / 2 ? '.' : '!';
    leave_to(*pair.self, *pair.host);
  }

  StackPool pool_;
  F host_;
};

#if defined(DETENT_FAST_FIBRES)
using Kinds = ::testing::Types<FastFibre, PortableFibre>;
#else
using Kinds = ::testing::Types<PortableFibre>;
#endif
TYPED_TEST_SUITE(Fibres, Kinds);

TYPED_TEST(Fibres, HostAndFibreTakeTurns) {
  std::string log;
  TypeParam fibre;
  typename Fibres<TypeParam>::Pair pair{&this->host_, &fibre, nullptr, &log, 3, 'a'};
  fibre.prepare(this->pool_.take(), Fibres<TypeParam>::count, &pair);
  for (int i = 0; i < 4; ++i) {
    log += 'h';
    switch_to(this->host_, fibre);
  }
  EXPECT_EQ(log, "hahahah.");
}

TYPED_TEST(Fibres, TwoFibresSwitchWithoutTheHost) {
  std::string log;
  TypeParam one;
  TypeParam two;
  typename Fibres<TypeParam>::Pair first{&this->host_, &one, &two, &log, 3, 'a'};
  typename Fibres<TypeParam>::Pair second{&this->host_, &two, &one, &log, 3, 'b'};
  one.prepare(this->pool_.take(), Fibres<TypeParam>::count, &first);
  two.prepare(this->pool_.take(), Fibres<TypeParam>::count, &second);
  switch_to(this->host_, one);
  EXPECT_EQ(log, "ababab.");
}

TYPED_TEST(Fibres, AnAbandonedStackIsUsedAgain) {
  std::string log;
  const StackRange stack = this->pool_.take();
  for (int i = 0; i < 100; ++i) {
    TypeParam fibre;
    typename Fibres<TypeParam>::Pair pair{&this->host_, &fibre, nullptr, &log, 5, 'a'};
    fibre.prepare(stack, Fibres<TypeParam>::count, &pair);
    switch_to(this->host_, fibre);
  }
  EXPECT_EQ(log, std::string(100, 'a'));
}

TEST(StackPool, HandsOutWhatCameBack) {
  StackPool pool(10'000);
  const StackRange first = pool.take();
  EXPECT_GE(first.bytes, 10'000U);
  std::memset(first.base, 1, first.bytes);
  pool.give(first);
  EXPECT_EQ(pool.take().base, first.base);
  EXPECT_NE(pool.take().base, first.base);
}

TEST(StackPoolDeathTest, ThePageBelowAStackIsGuarded) {
  StackPool pool;
  const StackRange stack = pool.take();
  EXPECT_DEATH(std::memset(stack.base - 8, 1, 8), "");
}

}  // namespace
}  // namespace detent::verify::explore
