// What can be read off statements and expressions without values: which variables they assign, and where they leave.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm::footprint {

/// Is it an assignment to, or a step of, a variable? @param name  of this one; empty: of any
bool is_assignment_to(const CUnit& unit, const Expr& expr, const std::string& name);
/// Without the casts around it.
ExprId stripped(const CUnit& unit, ExprId id);
bool has_effect(const CUnit& unit, ExprId id);

/// Visits every expression of a statement and of the statements in it; not the parts of expressions.
void each_expression(const CUnit& unit, StmtId id, const std::function<void(ExprId)>& visit);
void add_assigned_names(const CUnit& unit, ExprId id, std::set<std::string>& names);
/// Variables that are set to anything but themselves plus or minus an offset: a pointer may then point elsewhere.
void add_rebased_names(const CUnit& unit, ExprId id, std::set<std::string>& names);
/// Those that are declared there, too: they hide what stood under their name.
std::set<std::string> assigned_names(const CUnit& unit, const std::vector<StmtId>& body);
std::set<std::string> rebased_names(const CUnit& unit, const std::vector<StmtId>& body);

bool has_goto(const CUnit& unit, const std::vector<StmtId>& body);
/// out: return code;
bool is_labelled_return(const CUnit& unit, const Stmt& stmt);
/// return -1;
bool returns_error(const CUnit& unit, const Stmt& stmt);

/// What counts as leaving.
struct Leaving {
  bool only_function = false;  ///< break and continue do not
  bool errors_too = true;      ///< return -1 does, too
};
/// May the statements leave their loop (break, continue, goto) or their function?
bool leaves(const CUnit& unit, const std::vector<StmtId>& body, Leaving leaving);

}  // namespace detent::models::tvm::footprint
