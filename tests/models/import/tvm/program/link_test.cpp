// Several parsed files as one: names that meet, positions and ids that move, types of one name.
#include "models/import/tvm/program/link.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace detent::models::tvm {
namespace {

/// A file that calls `scale`, which is static to it: one function, one statement, two expressions.
CUnit unit_of(const std::string& file, const std::string& text, const std::string& caller) {
  CUnit unit;
  unit.file = file;
  unit.text = text;
  Expr name;
  name.kind = ExprKind::kName;
  name.text = "scale";
  name.range = {0, 1};
  Expr call;
  call.kind = ExprKind::kCall;
  call.args = {0};
  call.range = {0, 2};
  unit.exprs = {name, call};
  Stmt statement;
  statement.expr = 1;
  statement.range = {0, 2};
  unit.stmts = {statement};
  Function helper;
  helper.name = "scale";
  helper.is_static = true;
  Function function;
  function.name = caller;
  function.body = 0;
  function.range = {0, 2};
  function.body_range = {1, 2};
  unit.functions = {helper, function};
  return unit;
}

std::vector<std::string> names_of(const CUnit& unit) {
  std::vector<std::string> names;
  for (const Function& function : unit.functions) names.push_back(function.name);
  return names;
}

TEST(Link, StaticNamesOfSeveralFilesAreToldApartByTheirFiles) {
  const CUnit linked_unit = linked(unit_of("lib/ops.c", "AB", "f"), {unit_of("x/y/vendor.c", "CDE", "g")});
  EXPECT_EQ(names_of(linked_unit), (std::vector<std::string>{"scale (ops.c)", "f", "scale (vendor.c)", "g"}));
  EXPECT_EQ(linked_unit.exprs[0].text, "scale (ops.c)");
  EXPECT_EQ(linked_unit.exprs[2].text, "scale (vendor.c)");
  EXPECT_EQ(linked_unit.functions[1].file, "") << "of the first file";
  EXPECT_EQ(linked_unit.functions[3].file, "vendor.c");
  EXPECT_EQ(linked_unit.file, "lib/ops.c");
  const CUnit twice = linked(unit_of("a.c", "", "f"), {unit_of("b/c.c", "", "g"), unit_of("d/c.c", "", "h")});
  EXPECT_EQ(names_of(twice), (std::vector<std::string>{"scale (a.c)", "f", "scale (c.c)", "g", "scale (c.c)'", "h"}));
  EXPECT_EQ(names_of(linked(unit_of("a.c", "", "f"), {})), (std::vector<std::string>{"scale", "f"})) << "one file";
}

TEST(Link, TextsFollowEachOtherAndPositionsAndIdsMoveWithThem) {
  const CUnit unit = linked(unit_of("a.c", "AB", "f"), {unit_of("b.c", "CDE", "g")});
  EXPECT_EQ(unit.text, "ABCDE");
  ASSERT_EQ(unit.exprs.size(), 4U);
  EXPECT_EQ(unit.exprs[1].args, std::vector<ExprId>{0});
  EXPECT_EQ(unit.exprs[3].args, std::vector<ExprId>{2});
  EXPECT_EQ(unit.exprs[3].range.begin, 2U);
  EXPECT_EQ(unit.exprs[3].range.end, 4U);
  ASSERT_EQ(unit.stmts.size(), 2U);
  EXPECT_EQ(unit.stmts[0].expr, 1U);
  EXPECT_EQ(unit.stmts[1].expr, 3U);
  EXPECT_EQ(unit.stmts[1].range.begin, 2U);
  EXPECT_EQ(unit.functions[1].body, 0U);
  EXPECT_EQ(unit.functions[2].body, kNoNode) << "only declared";
  EXPECT_EQ(unit.functions[3].body, 1U);
  EXPECT_EQ(unit.functions[3].range.end, 4U);
  EXPECT_EQ(unit.functions[3].body_range.begin, 3U);
}

/// A record that two files lay out otherwise tells nothing of its members.
TEST(Link, TypesOfOneNameMustBeOneType) {
  RecordLayout layout;
  layout.members.resize(2);
  layout.members[1].offset = 8;
  layout.members[1].type.spelling = "int";
  const auto members_with = [&](const RecordLayout& other) {
    CUnit first, second;
    first.layouts["pair"] = layout;
    second.layouts["pair"] = other;
    return linked(first, {second}).layouts.at("pair").members.size();
  };
  EXPECT_EQ(members_with(layout), 2U);
  RecordLayout other = layout;
  other.members[1].offset = 4;
  EXPECT_EQ(members_with(other), 0U);
  other = layout;
  other.members[1].type.spelling = "long";
  EXPECT_EQ(members_with(other), 0U);
  other = layout;
  other.members.resize(1);
  EXPECT_EQ(members_with(other), 0U);
  other = layout;
  other.members.resize(3);
  EXPECT_EQ(members_with(other), 0U);
}

TEST(Link, DefinitionsOfVariablesStandBehindTheirDeclarations) {
  CUnit first, second;
  first.globals.resize(2);
  first.globals[0].variable.name = "x";
  first.globals[0].is_defined = true;
  first.globals[1].variable.name = "y";
  second.globals.resize(1);
  second.globals[0].variable.name = "x";
  const CUnit unit = linked(first, {second});
  ASSERT_EQ(unit.globals.size(), 3U);
  EXPECT_EQ(unit.globals[0].variable.name, "y");
  EXPECT_FALSE(unit.globals[1].is_defined);
  EXPECT_TRUE(unit.globals[2].is_defined);
}

}  // namespace
}  // namespace detent::models::tvm
