#include "models/import/tvm/program/link.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "models/import/tvm/artifact/roles.hpp"

namespace detent::models::tvm {
namespace {

std::string leaf_of(const std::string& file) { return file.substr(file.rfind('/') + 1); }

bool is_same(const RecordLayout& a, const RecordLayout& b) {
  return std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                    [](const RecordLayout::Member& x, const RecordLayout::Member& y) {
                      return x.offset == y.offset && x.type.spelling == y.type.spelling;
                    });
}

class Linker {
 public:
  /// All units that are going to be added: a name that several of them know is a matter of them all.
  void count_names(const CUnit& unit) {
    std::set<std::string> names = open_symbols(unit);
    for (const Function& function : unit.functions) names.insert(function.name);
    for (const Global& global : unit.globals) names.insert(global.variable.name);
    for (const std::string& name : names) ++uses_[name];
  }

  void add(const CUnit& unit, bool is_first) {
    choose_names(unit);
    text_base_ = out_.text.size();
    expr_base_ = static_cast<std::uint32_t>(out_.exprs.size());
    stmt_base_ = static_cast<std::uint32_t>(out_.stmts.size());
    out_.text += unit.text;
    for (Expr expr : unit.exprs) {
      move(expr.range);
      for (ExprId& arg : expr.args) move(arg, expr_base_);
      if (expr.kind == ExprKind::kName) rename(expr.text);
      out_.exprs.push_back(std::move(expr));
    }
    for (Stmt stmt : unit.stmts) {
      move(stmt.range);
      move(stmt.variable);
      move(stmt.expr, expr_base_);
      move(stmt.step, expr_base_);
      move(stmt.init, stmt_base_);
      for (auto* list : {&stmt.body, &stmt.else_body}) {
        for (StmtId& id : *list) move(id, stmt_base_);
      }
      out_.stmts.push_back(std::move(stmt));
    }
    for (Function function : unit.functions) {
      move(function.range);
      move(function.body_range);
      move(function.body, stmt_base_);
      rename(function.name);
      for (Variable& param : function.params) move(param);
      if (function.file.empty() && !is_first) function.file = leaf_of(unit.file);
      out_.functions.push_back(std::move(function));
    }
    for (Global global : unit.globals) {
      move(global.variable);
      move(global.initialiser);
      out_.globals.push_back(std::move(global));
    }
    out_.records.insert(out_.records.end(), unit.records.begin(), unit.records.end());
    for (const auto& [name, layout] : unit.layouts) {
      const auto [known, is_new] = out_.layouts.emplace(name, layout);
      if (!is_new && !is_same(known->second, layout)) known->second.members.clear();  // two types of one name
    }
    if (is_first) out_.file = unit.file;
  }

  /// A definition tells more than the declarations around it.
  CUnit done() {
    std::stable_partition(out_.globals.begin(), out_.globals.end(),
                          [](const Global& global) { return !global.is_defined; });
    return std::move(out_);
  }

 private:
  void choose_names(const CUnit& unit) {
    new_names_.clear();
    std::set<std::string> own;
    for (const Function& function : unit.functions) {
      if (function.is_static) own.insert(function.name);
    }
    for (const Global& global : unit.globals) {
      if (global.is_static) own.insert(global.variable.name);
    }
    for (const std::string& name : own) {
      if (uses_.at(name) < 2) continue;
      std::string other = name + " (" + leaf_of(unit.file) + ")";
      while (!taken_.insert(other).second) other += "'";
      new_names_[name] = other;
    }
  }

  [[nodiscard]] std::string renamed(const std::string& name) const {
    const auto found = new_names_.find(name);
    return found == new_names_.end() ? name : found->second;
  }
  void rename(std::string& name) const {
    if (!new_names_.empty()) name = renamed(name);
  }
  void move(SourceRange& range) const {
    range.begin += text_base_;
    range.end += text_base_;
  }
  void move(Variable& variable) const {
    rename(variable.name);
    move(variable.range);
    move(variable.init, expr_base_);
  }
  static void move(std::uint32_t& id, std::uint32_t base) {
    if (id != kNoNode) id += base;
  }

  CUnit out_;
  std::map<std::string, std::uint32_t> uses_;  ///< units that know a name
  std::set<std::string> taken_;
  std::map<std::string, std::string> new_names_;
  std::uint64_t text_base_ = 0;
  std::uint32_t expr_base_ = 0, stmt_base_ = 0;
};

}  // namespace

CUnit linked(const CUnit& first, const std::vector<CUnit>& others) {
  Linker linker;
  linker.count_names(first);
  for (const CUnit& unit : others) linker.count_names(unit);
  linker.add(first, true);
  for (const CUnit& unit : others) linker.add(unit, false);
  return linker.done();
}

}  // namespace detent::models::tvm
