// The verdict: every address, size and branch of an IrFunction is looked at once its values are known.
#include "models/import/tvm/ir/taint.hpp"

#include <algorithm>
#include <optional>

#include "models/import/tvm/ir/flow.hpp"
#include "models/import/tvm/ir/values.hpp"

namespace detent::models::tvm {
namespace {

using VerdictKind = IrVerdict::Kind;

class Judge {
 public:
  Judge(const IrFunction& function, const IrTaintOptions& options)
      : function_(function), options_(options), flow_(function), values_(function_, flow_, options_) {}

  /// What is not understood comes first, because it may be the reason of all else.
  IrVerdict judge() {
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
      for (const std::uint32_t id : function_.blocks[block].nodes) check(block, id);
    }
    if (function_.is_doubtful) say_unknown(0, "a structure holds a pointer that is chosen between several objects");
    if (unknown_) return *unknown_;
    if (depends_) return *depends_;
    return {.kind = VerdictKind::kIndependent, .by_place = false, .why = "", .line = 0, .file = ""};
  }

 private:
  void check(std::uint32_t block, std::uint32_t id) {
    const IrNode& node = function_.nodes[id];
    const auto& operands = node.operands;
    switch (node.kind) {
      case IrKind::kUnknown:
        return say_unknown(id, node.text);
      case IrKind::kLoad:
        return check_address(id, operands[0], "the address of a load", false);
      case IrKind::kStore:
        return check_address(id, operands[1], "the address of a store", true);
      case IrKind::kFill:
        check_address(id, operands[0], "the destination of " + node.text, true);
        return check_value(id, operands[2], "the size of " + node.text);
      case IrKind::kCopy:
        check_address(id, operands[0], "the destination of " + node.text, true);
        check_address(id, operands[1], "the source of " + node.text, false);
        return check_value(id, operands[2], "the size of " + node.text);
      case IrKind::kLocal:
        return check_value(id, operands[0], "the size of a local array");
      case IrKind::kAllocate:
      case IrKind::kRelease:
        for (const std::uint32_t operand : operands) check_value(id, operand, "an argument of " + node.text);
        return;
      case IrKind::kReturn:
        if (!operands.empty()) check_value(id, operands[0], "the value returned");
        return;
      case IrKind::kBranch:
        if (!operands.empty() && values_.of(operands[0]).source != 0) check_branch(block, id);
        return;
      case IrKind::kArgument:
      case IrKind::kNumber:
      case IrKind::kNull:
      case IrKind::kUndefined:
      case IrKind::kConstantObject:
      case IrKind::kObject:
      case IrKind::kArithmetic:
      case IrKind::kSubtract:
      case IrKind::kCompare:
      case IrKind::kAddress:
      case IrKind::kPointerToNumber:
      case IrKind::kNumberToPointer:
      case IrKind::kSelect:
      case IrKind::kPhi:
      case IrKind::kNothing:
        return;
    }
  }

  void check_address(std::uint32_t id, std::uint32_t address, const std::string& what, bool is_write) {
    check_value(id, address, what);
    const IrValues::State& state = values_.of(address);
    if (state.bases.empty() && state.source == 0) {
      return say_unknown(id, what + " is a number or belongs to no object");
    }
    if (!is_write) return;
    for (const std::uint32_t base : state.bases) {
      if (values_.is_kind(base, IrKind::kConstantObject)) say_unknown(id, what + " is that of a constant");
      if (values_.is_call_description(base)) say_unknown(id, what + " is that of the call's own description");
    }
  }

  void check_value(std::uint32_t id, std::uint32_t value, const std::string& what) {
    const std::uint32_t source = values_.of(value).source;
    if (source != 0) say(id, what, values_.source(source));
  }

  void check_branch(std::uint32_t block, std::uint32_t id) {
    const IrSource& source = values_.source(values_.of(function_.nodes[id].operands[0]).source);
    const IrRegion& region = values_.region(block);
    if (!region.is_closed) return say(id, "a branch that repeats or ends something", source);
    for (const std::uint32_t inside : region.blocks) {
      for (const std::uint32_t access : function_.blocks[inside].nodes) {
        if (!happens_anyway(access, block, region)) return say(access, "whether memory is accessed", source);
      }
    }
  }

  bool happens_anyway(std::uint32_t id, std::uint32_t branch_block, const IrRegion& region) const {
    const IrNode& node = function_.nodes[id];
    if (node.kind == IrKind::kLoad || node.kind == IrKind::kStore) {
      return is_local(node.operands[node.kind == IrKind::kLoad ? 0 : 1]) || flow_.is_preceded(id) ||
             flow_.is_on_every_way(id, branch_block, region);
    }
    return has_no_effect(node.kind);
  }

  static bool has_no_effect(IrKind kind) {
    return kind == IrKind::kArithmetic || kind == IrKind::kSubtract || kind == IrKind::kCompare ||
           kind == IrKind::kAddress || kind == IrKind::kPointerToNumber || kind == IrKind::kNumberToPointer ||
           kind == IrKind::kSelect || kind == IrKind::kPhi || kind == IrKind::kNothing || kind == IrKind::kBranch;
  }

  bool is_local(std::uint32_t address) const {
    const std::vector<std::uint32_t>& bases = values_.of(address).bases;
    return !bases.empty() && std::all_of(bases.begin(), bases.end(),
                                         [&](std::uint32_t base) { return values_.is_kind(base, IrKind::kLocal); });
  }

  void say(std::uint32_t id, const std::string& what, const IrSource& source) {
    std::string why = what + " depends on " + source.what;
    if (source.line != 0) why += " at line " + std::to_string(source.line);
    if (source.is_unknown) return say_unknown(id, why);
    if (depends_ && (!depends_->by_place || source.is_place)) return;
    depends_ = verdict(id, VerdictKind::kDepends, why);
    depends_->by_place = source.is_place;
  }

  void say_unknown(std::uint32_t id, const std::string& why) {
    if (!unknown_) unknown_ = verdict(id, VerdictKind::kUnknown, why);
  }

  [[nodiscard]] IrVerdict verdict(std::uint32_t id, VerdictKind kind, const std::string& why) const {
    const IrNode& node = function_.nodes[id];
    return {.kind = kind, .by_place = false, .why = why, .line = node.line, .file = node.file};
  }

  const IrFunction& function_;
  const IrTaintOptions& options_;
  IrFlow flow_;
  IrValues values_;
  std::optional<IrVerdict> unknown_, depends_;
};

}  // namespace

IrVerdict analyse_ir(const IrFunction& function, const IrTaintOptions& options) {
  return Judge(function, options).judge();
}

}  // namespace detent::models::tvm
