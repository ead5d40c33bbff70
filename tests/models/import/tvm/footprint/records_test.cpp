// Pointers that travel in local records: what they point to may be touched as soon as somebody else knows the record.
#include <gtest/gtest.h>

#include "models/import/tvm/footprint/footprint.hpp"
#include "tests/models/import/tvm/footprint/text.hpp"

namespace detent::models::tvm {
namespace {

FunctionFootprint of_records(const std::string& body) {
  return footprint_of(R"(
struct args { float* from; float* to; };
struct outer { int32_t tag; struct args inner; };
void look(const struct args* a);
void use(struct args* a);
void use_outer(struct outer* a);
void later(void);
int32_t f(float* p0, float* out) {
)" + body + "\n  return 0;\n}\n");
}

/// Nobody touches a byte of it.
void expect_untouched(const AccessSets& sets) { expect_exact(sets, {}, {}); }

void expect_unbounded(const AccessSets& sets, bool reads, bool writes) {
  EXPECT_EQ(sets.reads_unbounded, reads);
  EXPECT_EQ(sets.writes_unbounded, writes);
}

TEST(FootprintOfRecords, AMemberThatNobodyElseSeesTouchesNothing) {
  const FunctionFootprint f = of_records("struct args a; a.from = p0; a.to = out;");
  expect_untouched(f.params[0]);
  expect_untouched(f.params[1]);
  const FunctionFootprint nested = of_records("struct outer a; a.inner.from = p0; a.inner.to = out;");
  expect_untouched(nested.params[0]);
  expect_untouched(nested.params[1]);
}

TEST(FootprintOfRecords, WhatItsMembersPointToIsGivenAwayWithTheRecord) {
  const FunctionFootprint looked = of_records("struct args a; a.from = p0; look(&a);");
  expect_unbounded(looked.params[0], true, false);
  expect_untouched(looked.params[1]);
  const FunctionFootprint used = of_records("struct args a; a.to = out; use(&a);");
  expect_untouched(used.params[0]);
  expect_unbounded(used.params[1], true, true);
  const FunctionFootprint nested = of_records("struct outer a; a.inner.to = out; use_outer(&a);");
  expect_untouched(nested.params[0]);
  expect_unbounded(nested.params[1], true, true);
}

TEST(FootprintOfRecords, AMemberStoredAfterTheRecordWasGivenAwayIsKnownOutsideAtOnce) {
  const FunctionFootprint kept = of_records("struct args a; use(&a); a.to = out; later();");
  expect_untouched(kept.params[0]);
  expect_unbounded(kept.params[1], true, true);
  const FunctionFootprint nested = of_records("struct outer a; use_outer(&a); a.inner.from = p0; later();");
  expect_unbounded(nested.params[0], true, true);
  expect_untouched(nested.params[1]);
}

TEST(FootprintOfRecords, WhoOnlyLookedAtTheRecordDoesNotKeepIt) {
  const FunctionFootprint f = of_records("struct args a; a.from = p0; look(&a); a.to = out;");
  expect_unbounded(f.params[0], true, false);
  expect_untouched(f.params[1]);
}

TEST(FootprintOfRecords, PointersOfAnInitialiserAreFollowed) {
  const FunctionFootprint f = of_records("struct args a = {p0, out}; a.to[1] = a.from[3];");
  EXPECT_TRUE(f.understood) << f.why;
  expect_exact(f.params[0], bytes({{12, 16}}), {});
  expect_exact(f.params[1], {}, bytes({{4, 8}}));
  const FunctionFootprint copied =
      of_records("struct args a = {p0, out}; struct args b = a; struct args* c = &b; c->to[1] = c->from[3];");
  EXPECT_TRUE(copied.understood) << copied.why;
  expect_exact(copied.params[0], bytes({{12, 16}}), {});
  expect_exact(copied.params[1], {}, bytes({{4, 8}}));
  const FunctionFootprint nested =
      of_records("struct outer a = {1, {p0, out}}; struct args b = a.inner; b.to[a.tag] = b.from[a.tag + 2];");
  EXPECT_TRUE(nested.understood) << nested.why;
  expect_exact(nested.params[0], bytes({{12, 16}}), {});
  expect_exact(nested.params[1], {}, bytes({{4, 8}}));
}

TEST(FootprintOfRecords, AMemberThatChangesAfterItWasReadIsNotUnderstood) {
  const FunctionFootprint stored = of_records("struct args a = {p0, out}; a.to[0] = 1.0f; a.to = p0;");
  EXPECT_FALSE(stored.understood);
  EXPECT_EQ(stored.why, "a record that changes after it was read");
  const FunctionFootprint given = of_records("struct args a = {p0, out}; a.to[0] = 1.0f; use(&a);");
  EXPECT_FALSE(given.understood);
  EXPECT_EQ(given.why, "a record that may change after it was read");
  const FunctionFootprint looked = of_records("struct args a = {p0, out}; a.to[0] = 1.0f; look(&a);");
  EXPECT_TRUE(looked.understood) << looked.why;
}

TEST(FootprintOfRecords, AnIndexThatIsReadBackFromAMemberMayBeAny) {
  const FunctionFootprint f = of_records("struct outer a; a.tag = 2; out[a.tag] = 1.0f;");
  expect_untouched(f.params[0]);
  EXPECT_TRUE(f.params[1].writes_unbounded || bytes({{8, 12}}).difference(f.params[1].writes).empty());
  EXPECT_FALSE(f.params[1].reads_unbounded);
}

}  // namespace
}  // namespace detent::models::tvm
