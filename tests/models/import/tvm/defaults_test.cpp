// What the importer's values say before anything was read, and what its options and limits are when nobody sets them.
#include "tests/defaults.hpp"

#include <gtest/gtest.h>

#include "models/import/tvm/artifact/artifact.hpp"
#include "models/import/tvm/artifact/parts.hpp"
#include "models/import/tvm/c/limits.hpp"
#include "models/import/tvm/c/macros.hpp"
#include "models/import/tvm/c/scanner.hpp"
#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/clang/cursor.hpp"
#include "models/import/tvm/clang/expression_converter.hpp"
#include "models/import/tvm/entities/edges.hpp"
#include "models/import/tvm/entities/import.hpp"
#include "models/import/tvm/entities/static_data.hpp"
#include "models/import/tvm/entities/table.hpp"
#include "models/import/tvm/files/artifact_files.hpp"
#include "models/import/tvm/files/include_path.hpp"
#include "models/import/tvm/files/vendor_sources.hpp"
#include "models/import/tvm/footprint/memory/access_log.hpp"
#include "models/import/tvm/footprint/memory/binding.hpp"
#include "models/import/tvm/footprint/memory/function_footprint.hpp"
#include "models/import/tvm/footprint/memory/objects.hpp"
#include "models/import/tvm/footprint/memory/scope.hpp"
#include "models/import/tvm/footprint/memory/value.hpp"
#include "models/import/tvm/footprint/sets/access_set.hpp"
#include "models/import/tvm/footprint/sets/byte_set.hpp"
#include "models/import/tvm/footprint/sets/byte_sum.hpp"
#include "models/import/tvm/footprint/terms/term.hpp"
#include "models/import/tvm/footprint/walk/loop_summary.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"
#include "models/import/tvm/hazards/hazards.hpp"
#include "models/import/tvm/hazards/versions.hpp"
#include "models/import/tvm/ir/flow.hpp"
#include "models/import/tvm/ir/graph.hpp"
#include "models/import/tvm/ir/numbers.hpp"
#include "models/import/tvm/ir/taint.hpp"
#include "models/import/tvm/ir/values.hpp"
#include "models/import/tvm/model/import.hpp"
#include "models/import/tvm/module/module_text.hpp"
#include "models/import/tvm/module/scratch_layout.hpp"
#include "models/import/tvm/preprocess/macros.hpp"
#include "models/import/tvm/preprocess/preprocess.hpp"
#include "models/import/tvm/preprocess/token.hpp"
#include "models/import/tvm/program/main_memory.hpp"
#include "models/import/tvm/program/program.hpp"
#include "models/import/tvm/replan/draft.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {
namespace {

using test::expect_value;
using test::expect_zero;

TEST(ImporterDefaults, Trees) {
  expect_zero(SourceRange{}.begin, SourceRange{}.end, Expr{}.unary, Expr{}.binary, Expr{}.value, Expr{}.number,
              Expr{}.line, Variable{}.outlives, Variable{}.is_thread_local, Variable{}.line, Stmt{}.tests_last,
              Stmt{}.line, Function{}.is_static, Function{}.damaged, Function{}.line, Record{}.size_bytes,
              Record{}.line, RecordLayout::Member{}.offset, Global{}.is_static, Global{}.is_defined, Diagnostic{}.line,
              Diagnostic{}.at, Macro{}.value, MissingHeader{}.line, CUnit{}.has_headers);
  const CType type;
  EXPECT_EQ(type.scalar, CType::Scalar::kOther);
  EXPECT_EQ(type.pointer_bytes, 8U);
  expect_zero(type.scalar_bytes, type.pointers, type.is_const, type.is_vector, type.is_variable_length);
  EXPECT_EQ(Expr{}.kind, ExprKind::kUnknown);
  EXPECT_EQ(Stmt{}.kind, StmtKind::kUnknown);
  for (const std::uint32_t node : {Variable{}.init, Stmt{}.expr, Stmt{}.init, Stmt{}.step, Function{}.body})
    EXPECT_EQ(node, kNoNode);
  const TensorLayout tensor;
  EXPECT_EQ(tensor.pointer_bytes, 8U);
  EXPECT_EQ(tensor.device, 8);
  EXPECT_EQ(tensor.ndim, 16);
  EXPECT_EQ(tensor.dtype, 20);
  EXPECT_EQ(tensor.shape, 24);
  EXPECT_EQ(tensor.strides, 32);
  EXPECT_EQ(tensor.byte_offset, 40);
}

TEST(ImporterDefaults, Limits) {
  const ScanLimits scan;
  EXPECT_EQ(scan.max_bytes, 1'073'741'824U);
  EXPECT_EQ(scan.max_depth, 250U);
  EXPECT_EQ(scan.max_tokens, 8'388'608U);
  EXPECT_EQ(scan.max_statement_tokens, 8192U);
  EXPECT_EQ(scan.max_prefix_run, 64U);
  EXPECT_EQ(scan.max_casts, 600U);
  EXPECT_EQ(scan.max_else_ifs, 500U);
  EXPECT_EQ(scan.max_type_names, 256U);
  EXPECT_EQ(scan.max_condition_bytes, 1024U);
  EXPECT_EQ(scan.max_redeclarations, 8'000'000U);
  const FileLimits files;
  EXPECT_EQ(files.max_file_bytes, 1'073'741'824U);
  EXPECT_EQ(files.max_total_bytes, 3'221'225'472U);
  EXPECT_EQ(files.max_entries, 100'000U);
  EXPECT_EQ(files.archive_slack_bytes, 67'108'864U);
  EXPECT_EQ(files.archive_ratio, 50U);
  EXPECT_EQ(files.max_notes, 100U);
  EXPECT_EQ(files.max_depth, 16U);
  const PreprocessOptions preprocess;
  EXPECT_EQ(preprocess.max_bytes, 1'073'741'824U);
  EXPECT_EQ(preprocess.max_depth, 100U);
  EXPECT_EQ(preprocess.max_headers, 20'000U);
  EXPECT_EQ(FootprintOptions{}.max_points, 16'777'216U);
  EXPECT_FALSE(FootprintOptions{}.packed);
  EXPECT_TRUE(ReadOptions{}.constants);
  EXPECT_FALSE(IrTaintOptions{}.packed);
}

TEST(ImporterDefaults, Texts) {
  expect_zero(MacroUse{}.callable, MacroUse{}.tokens, MacroUse{}.max_repeats, MacroUse{}.is_doubtful, TextPlace{}.line,
              IncludeLine{}.quoted, IncludeLine{}.line, Preprocessed{}.has_headers, PpToken{}.settled, PpToken{}.spaced,
              PpMacros::Place{}.line, ArtifactFiles{}.single, VendorSource{}.is_named);
  EXPECT_EQ(SourcePlace{}.base, SIZE_MAX);
}

TEST(ImporterDefaults, Artifacts) {
  expect_zero(IoInfo{}.size_bytes, PoolInfo{}.size_bytes, PoolInfo{}.is_const, PoolInfo{}.is_external,
              PooledConstant{}.offset_bytes, Artifact{}.packed, Artifact{}.constants_complete,
              Artifact{}.has_vendor_code);
  expect_zero(MemoryObject{}.kind, MemoryObject{}.size_bytes, MemoryObject{}.position, Buffer{}.object,
              Buffer{}.offset_bytes, Buffer{}.size_bytes, Buffer{}.line, Argument{}.index, Call{}.kind,
              Call{}.copy_bytes, Call{}.line, MainParameter{}.kind, MainParameter{}.index, Program{}.prints,
              Program{}.packed, Direction{}.reads, Direction{}.writes);
  EXPECT_EQ(Argument{}.kind, Argument::Kind::kNull);
  EXPECT_EQ(Call{}.device, UINT32_MAX);
}

TEST(ImporterDefaults, Footprints) {
  const AccessSets sets;
  EXPECT_TRUE(sets.reads_exact && sets.writes_exact);
  expect_zero(sets.reads_unbounded, sets.writes_unbounded, sets.names_tell, PoolUse{}.param, PoolUse{}.offset_bytes,
              PoolUse{}.literal_size_bytes, Overwrite{}.read, Overwrite{}.written, Overwrite{}.most_displacement);
  const FunctionFootprint f;
  EXPECT_TRUE(f.understood);
  expect_zero(f.hides_accesses, f.line, f.state_line, f.is_per_thread, f.stack_bytes, f.workspace_bytes, f.flops);
  const footprint::Access access;
  EXPECT_EQ(access.object, footprint::kNone);
  EXPECT_EQ(access.offset, footprint::kNone);
  expect_zero(access.is_write, access.width, access.guards, access.path, access.whole_record, access.ends_statement,
              footprint::PathStep{}.loop, footprint::PathStep{}.statement);
  const footprint::Object object;
  EXPECT_EQ(object.kind, footprint::Object::Kind::kPrivate);
  expect_zero(object.index, object.workspace_bytes, object.reads_escape, object.writes_escape, object.is_stored,
              object.epoch, object.holds_records);
  EXPECT_EQ(footprint::Local{}.type, nullptr);
  EXPECT_EQ(footprint::Local{}.object, footprint::kNone);
  const footprint::Frame frame;
  expect_zero(frame.function, frame.addressed, frame.first_local, frame.first_guard, frame.loops, frame.has_result);
  EXPECT_EQ(footprint::Value{}.kind, footprint::Value::Kind::kUnknown);
  EXPECT_EQ(footprint::Value{}.node, footprint::kNone);
  EXPECT_EQ(footprint::Value{}.object, footprint::kNone);
  EXPECT_EQ(footprint::Place{}.local, SIZE_MAX);
  EXPECT_EQ(footprint::Place{}.object, footprint::kNone);
  EXPECT_EQ(footprint::Place{}.offset, footprint::kNone);
  EXPECT_FALSE(footprint::Place{}.whole_record);
}

TEST(ImporterDefaults, Hazards) {
  const CallAccess access;
  EXPECT_EQ(access.buffer, UINT32_MAX);
  EXPECT_EQ(access.pool_use, UINT32_MAX);
  EXPECT_TRUE(access.exact);
  EXPECT_EQ(Overlap{}.kind, kRaw);
  const Parallelism p;
  const HazardReport r;
  expect_zero(access.object, access.argument, access.unknown_end, Overlap{}.object, Conflict{}.a, Conflict{}.b,
              Conflict{}.kinds, Conflict{}.is_ordered, p.edges, p.width, p.depth, p.critical_path, p.work,
              p.unordered_pairs, r.unordered_pairs, r.racing_pairs, r.raw, r.war, r.waw);
}

TEST(ImporterDefaults, Ir) {
  EXPECT_EQ(IrNode{}.kind, IrKind::kUnknown);
  expect_zero(IrNode{}.is_pointer, IrNode{}.is_never_set, IrNode{}.line, IrNode{}.code, IrNode{}.type, IrNode{}.value,
              IrNode{}.element, IrFunction{}.argument_count, IrFunction{}.is_doubtful, IrRegion{}.is_closed,
              IrRegion{}.end, IrVerdict{}.by_place, IrVerdict{}.line);
}

TEST(ImporterDefaults, Models) {
  EXPECT_TRUE(ModelOptions{}.hazard_edges);
  EXPECT_EQ(ModelOptions{}.compile_flags, std::vector<std::string>{"-O2"});
  EXPECT_EQ(ObjectPlace{}.region, kNone);
  EXPECT_EQ(ObjectPlace{}.tensor, kNone);
  EXPECT_EQ(ReplanOptions{}.stack_limit_bytes, 16'384U);
  EXPECT_EQ(ReplanOptions{}.workers, 3U);
  EXPECT_EQ(ReplanOptions{}.arena_limit_bytes, UINT64_MAX);
  EXPECT_EQ(ReplanFigures{}.strategy, ScratchPlace::kPerCall);
  const Replan replan;
  expect_zero(ReplanOptions{}.stays_within_tvm, ReplanFigures{}.arena_bytes, ReplanFigures{}.lower_bound_bytes,
              ReplanFigures{}.leaves_all, replan.taken, replan.tvm_arena_bytes, replan.lower_bound_bytes,
              replan.stack_bytes, replan.local_buffers, replan.moved_buffers, replan.shared_in_place);
  const ScratchLayout scratch;
  expect_zero(scratch.block_bytes, scratch.stack_bytes, scratch.local_buffers, scratch.moved_buffers,
              scratch.is_opaque);
}

TEST(ImporterDefaults, ValuesOfArtifact) { expect_value(Interface{}.ordered, true); }

TEST(ImporterDefaults, ValuesOfC) { expect_zero(ScanLimits{}.max_table_bytes); }

TEST(ImporterDefaults, ValuesOfClang) {
  expect_value(BinaryNode{}.kind, ExprKind::kUnknown);
  expect_value(BinaryNode{}.op, BinaryOperator::kNone);
}

TEST(ImporterDefaults, ValuesOfEntities) {
  expect_zero(entities::EdgeChoice{}.is_end, entities::EdgeChoice{}.score, entities::EdgeReading{}.fault_line,
              entities::EdgeReading{}.faults, entities::EntityNote{}.op, entities::EntityNote{}.line,
              entities::EntityNote{}.is_superset, entities::DataObject{}.size_bytes, entities::DataObject{}.is_defined,
              entities::DataObject{}.is_constant, entities::DataObject{}.line, entities::Cell{}.number,
              entities::Cell{}.object, entities::Cell{}.line, entities::DataPlace{}.object,
              entities::DataPlace{}.offset, entities::Entity{}.line, entities::Entity{}.indegree,
              entities::Table{}.line, entities::Table{}.entry);
  expect_value(entities::EdgeChoice{}.list, SIZE_MAX);
  expect_value(entities::EdgeChoice{}.pool, UINT32_MAX);
  expect_value(entities::EdgeChoice{}.first, SIZE_MAX);
  expect_value(entities::EdgeChoice{}.count, SIZE_MAX);
  expect_value(entities::EdgeChoice{}.indegree, SIZE_MAX);
}

TEST(ImporterDefaults, ValuesOfFootprintMemory) {
  expect_zero(BoundValue{}.number, BoundValue{}.object, BoundValue{}.variable, Binding{}.object_count,
              FootprintOptions{}.binding);
}

TEST(ImporterDefaults, ValuesOfFootprintSets) {
  expect_zero(footprint::TouchedBytes{}.unbounded, ByteInterval{}.begin, ByteInterval{}.end,
              footprint::Summands{}.offset);
  expect_value(footprint::AccessShape{}.offset, footprint::kNone);
  expect_value(footprint::AccessShape{}.width, 1);
  expect_value(footprint::TouchedBytes{}.exact, true);
  expect_value(footprint::Progression{}.stride, 1);
  expect_value(footprint::Progression{}.count, 1);
  expect_value(footprint::SumResult{}.exact, true);
}

TEST(ImporterDefaults, ValuesOfFootprintTerms) {
  expect_zero(footprint::Range{}.lo, footprint::Range{}.hi, footprint::Node{}.value, footprint::Node{}.number,
              footprint::Node{}.data, footprint::LoopVariable{}.data, footprint::Slot{}.integer,
              footprint::Slot{}.number);
  expect_value(footprint::Node{}.op, footprint::Op::kSum);
}

TEST(ImporterDefaults, ValuesOfFootprintWalk) {
  expect_zero(footprint::CountedLoop{}.until_equal, footprint::Leaving{}.only_function);
  expect_value(footprint::CountedLoop{}.first, footprint::kNone);
  expect_value(footprint::CountedLoop{}.bound, footprint::kNone);
  expect_value(footprint::CountedLoop{}.step, 1);
  expect_value(footprint::Leaving{}.errors_too, true);
}

TEST(ImporterDefaults, ValuesOfHazards) {
  expect_zero(Version{}.object, Version{}.size_bytes, VersionUse{}.version, VersionUse{}.reads, VersionUse{}.writes);
  expect_value(Version{}.is_last, true);
}

TEST(ImporterDefaults, ValuesOfIr) {
  expect_zero(IrSource{}.line, IrSource{}.is_unknown, IrSource{}.is_place, IrValues::State{}.source);
}

TEST(ImporterDefaults, ValuesOfModule) { expect_zero(ThunkArgument{}.index, ThunkArgument{}.delta); }

TEST(ImporterDefaults, ValuesOfProgram) {
  expect_zero(MainValue{}.number, MainValue{}.index, MainValue{}.indexed, MainPlace{}.offset_bytes,
              MainPlace{}.size_bytes);
}

TEST(ImporterDefaults, ValuesOfReplan) {
  expect_zero(ReplanDraft{}.stack_bytes, ReplanDraft{}.local_buffers, ReplanDraft{}.moved_buffers);
}

TEST(ImporterDefaults, NumbersOfLimits) {
  expect_value(kBlankFileScopeBytes, 512);
  expect_value(kBlankLocalBytes, 8192);
  expect_value(kMaxTreeDepth, 600);
  expect_value(footprint::kFar, 1'152'921'504'606'846'976);
  expect_value(kReplanAlign, 16);
}

}  // namespace
}  // namespace detent::models::tvm
