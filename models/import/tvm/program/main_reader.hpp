// MainReader: walks the body of main and records objects, buffers and calls; the rest of read_program refines them.
//
// Main runs from its first statement to its last, once. Each kind of statement and of expression that has a meaning
// here is named here or in the parts; every other one is an InputError with its line, so that no call is dropped and
// none is counted that a run would not make.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/import/tvm/artifact/types.hpp"
#include "models/import/tvm/program/main_calls.hpp"
#include "models/import/tvm/program/main_copies.hpp"
#include "models/import/tvm/program/main_memory.hpp"
#include "models/import/tvm/program/main_objects.hpp"
#include "models/import/tvm/program/main_text.hpp"
#include "models/import/tvm/program/main_values.hpp"
#include "models/import/tvm/program/types.hpp"

namespace detent::models::tvm {

class MainReader {
 public:
  MainReader(const Artifact& artifact, Program& program);
  void read();

 private:
  /// What becomes of main in a list of statements that calls nothing.
  enum class Outcome : std::uint8_t { kGoesOn, kFails };

  void statement(StmtId id);
  void block(const std::vector<StmtId>& body);
  void declaration(const Variable& variable);
  void expression(ExprId id);
  void assignment(const Expr& e);
  void leave(const Stmt& stmt);
  MainValue assigned_value(ExprId id, const std::string& name, std::uint32_t line);
  void branch(const Stmt& stmt);
  bool is_lookup_guard(const Stmt& stmt, const Expr& condition);
  Outcome checks(const std::vector<StmtId>& body);
  Outcome check(const Stmt& stmt);
  void always_fails(const Stmt& stmt);

  MainText text_;
  Program& program_;
  MainMemory memory_;
  MainObjects objects_;
  MainValues values_;
  MainCalls calls_;
  MainCopies copies_;
  std::uint32_t returned_ = 0;  ///< line of main's return; 0: not yet
};

}  // namespace detent::models::tvm
