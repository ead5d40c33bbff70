#include "harness/engine_spec.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "tests/support/desc_tables.hpp"

namespace detent::harness {
namespace {

std::string refusal_of(const char* key, const char* text) {
  EngineSpec spec;
  const EngineSpec before = spec;
  try {
    engine_field(key).read(spec, text);
  } catch (const std::invalid_argument& refused) {
    EXPECT_EQ(spec, before) << key;
    return refused.what();
  }
  return "";
}

/// A description that differs from a new one in every field.
EngineSpec other_spec() {
  return {.workers = 7,
          .mode = DETENT_MODE_STATIC,
          .scheduler = DETENT_SCHEDULER_THREAD,
          .policy = "given",
          .order = {2, 0, 1},
          .spin_limit = 9};
}

TEST(EngineSpec, EveryFieldIsReadAsItIsWritten) {
  const EngineSpec other = other_spec();
  EngineSpec back;
  for (const EngineField& field : engine_fields()) {
    EXPECT_NE(field.write(other), field.write(EngineSpec{})) << field.key;
    field.read(back, field.write(other));
  }
  EXPECT_EQ(back, other) << "the table misses a member";
}

TEST(EngineSpec, KeysAreDistinctAndFound) {
  std::set<std::string> keys;
  for (const EngineField& field : engine_fields()) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key;
    EXPECT_EQ(&engine_field(field.key), &field);
  }
  EXPECT_THROW(engine_field("speed"), std::out_of_range);
}

TEST(EngineSpec, NamesRoundTrip) {
  for (const char* name : {"serial", "layered", "closed-loop", "static"}) {
    EngineSpec spec;
    engine_field("mode").read(spec, name);
    EXPECT_STREQ(mode_name(spec.mode), name);
  }
  for (const std::string& name : policy_names()) {
    EngineSpec spec;
    engine_field("policy").read(spec, name);
    EXPECT_EQ(spec.policy, name);
  }
}

TEST(EngineSpec, RefusalListsTheValidValues) {
  EXPECT_EQ(refusal_of("mode", "Serial"), "must be serial, layered, closed-loop or static; did you mean serial?");
  EXPECT_EQ(refusal_of("scheduler", "pool"), "must be role or thread");
  EXPECT_EQ(refusal_of("policy", "lifo"),
            "must be id, priority, critical-path, fifo, random or given; did you mean fifo?");
  for (const char* key : {"workers", "spin"}) {
    for (const char* text : {"", "-1", "x", "1x", "4294967296"}) {
      EXPECT_EQ(refusal_of(key, text), "must be a whole number, 0 to 4294967295") << key << " " << text;
    }
  }
  EXPECT_EQ(refusal_of("order", "1,2,"), "ends with a comma; leave it out");
  EXPECT_EQ(refusal_of("order", "1,,2"), "must be a whole number, 0 to 4294967295");
}

TEST(EngineSpec, WorkersForAllOpsByModeAndNumber) {
  support::GraphSpec graph = support::make_ops(3);
  const auto suits = [&](std::uint32_t workers, detent_mode mode) {
    const support::DescTables tables(graph);
    return has_workers_for({.workers = workers, .mode = mode}, tables.desc);
  };
  EXPECT_TRUE(suits(1, DETENT_MODE_LAYERED)) << "no op is for some workers only";
  graph.ops[1].workers = 0b100;
  graph.ops[2].workers = 0x80000001;
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    EXPECT_TRUE(suits(0, mode)) << "the caller executes everything";
    EXPECT_FALSE(suits(2, mode));
    for (const std::uint32_t workers : {3U, 31U, 32U, 64U}) EXPECT_TRUE(suits(workers, mode)) << workers;
  }
  EXPECT_TRUE(suits(0, DETENT_MODE_LAYERED));
  EXPECT_FALSE(suits(3, DETENT_MODE_LAYERED));
  graph.ops[0].workers = 0x80000000;
  EXPECT_FALSE(suits(31, DETENT_MODE_CLOSED_LOOP));
  EXPECT_TRUE(suits(32, DETENT_MODE_CLOSED_LOOP));
}

TEST(EngineSpec, PortKeepsItsOwnSpinLimitUnlessToldOtherwise) {
  detent_port port{};
  port.spin_limit = 5;
  port.active_spin_limit = 9;
  set_port({}, port);
  EXPECT_EQ(port.spin_limit, 5U);
  EXPECT_EQ(port.active_spin_limit, 9U);
  set_port({.spin_limit = 0}, port);
  EXPECT_EQ(port.spin_limit, 0U);
  EXPECT_EQ(port.active_spin_limit, 0U) << "passive: what is given is the limit";
}

}  // namespace
}  // namespace detent::harness
