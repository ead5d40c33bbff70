// Instructions and constants, by LLVM's numbers for them.
#include "models/import/tvm/ir/reader.hpp"

#include <map>
#include <unordered_map>

#include "models/import/tvm/ir/constants.hpp"
#include "models/import/tvm/ir/numbers.hpp"

namespace detent::models::tvm {
namespace {

using namespace llvm_numbers;  // NOLINT(google-build-using-namespace): enumerations only

const std::map<int, const char*>& odd_instructions() {
  static const std::map<int, const char*> names = {{4, "a jump to a computed label"},
                                                   {5, "a call that may throw"},
                                                   {7, "code that ends the program"},
                                                   {49, "va_arg"},
                                                   {55, "a fence"},
                                                   {56, "an atomic operation"},
                                                   {57, "an atomic operation"},
                                                   {58, "an exception"},
                                                   {59, "an exception"},
                                                   {60, "another address space"},
                                                   {67, "inline assembly (goto)"}};
  return names;
}

class Reader {
 public:
  Reader(const LibLlvm& llvm, LlvmDataLayout* layout, LlvmValue* function, const std::string& name,
         const std::set<std::string>& by_name)
      : llvm_(llvm),
        layout_(layout),
        constants_(llvm, layout),
        by_name_(by_name),
        annotation_(llvm.GetMDKindID("annotation", 10)) {
    read(function, name);
  }
  IrFunction take() { return std::move(result_); }

 private:
  void read(LlvmValue* function, const std::string& name) {
    result_.name = name;
    result_.argument_count = llvm_.CountParams(function);
    for (unsigned i = 0; i < result_.argument_count; ++i) {
      LlvmValue* argument = llvm_.GetParam(function, i);
      const std::uint32_t node = add(argument, IrKind::kArgument);
      result_.nodes[node].text = name_of(argument);
      result_.nodes[node].is_pointer = is_pointer(argument);
    }
    number_blocks(function);
    for (LlvmBlock* block : order_) {
      for (LlvmValue* i = llvm_.GetFirstInstruction(block); i != nullptr; i = llvm_.GetNextInstruction(i)) {
        result_.blocks[numbers_.at(block)].nodes.push_back(add(i, IrKind::kUnknown));
      }
    }
    for (LlvmBlock* block : order_) {
      for (LlvmValue* i = llvm_.GetFirstInstruction(block); i != nullptr; i = llvm_.GetNextInstruction(i)) fill(i);
    }
  }

  /// Depth first from the entry, so that blocks that nothing leads to do not count.
  void number_blocks(LlvmValue* function) {
    std::vector<LlvmBlock*> pending{llvm_.GetFirstBasicBlock(function)};
    while (!pending.empty()) {
      LlvmBlock* block = pending.back();
      pending.pop_back();
      if (!numbers_.emplace(block, order_.size()).second) continue;
      order_.push_back(block);
      LlvmValue* last = llvm_.GetBasicBlockTerminator(block);
      for (unsigned i = llvm_.GetNumSuccessors(last); i-- > 0;) pending.push_back(llvm_.GetSuccessor(last, i));
    }
    for (LlvmBlock* block : order_) {
      LlvmValue* last = llvm_.GetBasicBlockTerminator(block);
      IrBlock& to = result_.blocks.emplace_back();
      for (unsigned i = 0; i < llvm_.GetNumSuccessors(last); ++i) {
        to.successors.push_back(static_cast<std::uint32_t>(numbers_.at(llvm_.GetSuccessor(last, i))));
      }
    }
  }

  std::string name_of(LlvmValue* value) const {
    std::size_t size = 0;
    const char* text = llvm_.GetValueName2(value, &size);
    return {text, size};
  }

  std::uint32_t add(LlvmValue* value, IrKind kind) {
    const auto index = static_cast<std::uint32_t>(result_.nodes.size());
    nodes_.emplace(value, index);
    IrNode& node = result_.nodes.emplace_back();
    node.kind = kind;
    node.type = reinterpret_cast<std::uintptr_t>(llvm_.TypeOf(value));
    return index;
  }

  bool is_pointer(LlvmValue* value) const { return llvm_.GetTypeKind(llvm_.TypeOf(value)) == kPointerType; }

  std::uint32_t node_of(LlvmValue* value) {
    if (const auto known = nodes_.find(value); known != nodes_.end()) return known->second;
    return add_constant(value);
  }

  std::uint32_t add_constant(LlvmValue* value) {
    const std::uint32_t node = add(value, IrKind::kUnknown);
    const auto set = [&](IrKind kind, const std::string& text) {
      result_.nodes[node].kind = kind;
      result_.nodes[node].text = text;
      return node;
    };
    switch (llvm_.GetValueKind(value)) {
      case kConstantInt:
        result_.nodes[node].value = constants_.number_of(value);
        return constants_.is_never_set(value) ? set(IrKind::kUndefined, kNeverSet) : set(IrKind::kNumber, "");
      case kConstantFP:
        return constants_.is_not_a_number(value) ? set(IrKind::kUndefined, kNeverSet) : set(IrKind::kNumber, "");
      case kAggregateZero:
      case kDataArray:
      case kDataVector:
        return set(IrKind::kNumber, "");
      case kFunctionValue:
        return set(IrKind::kNumber, "function " + name_of(value));
      case kNullPointer:
        return set(IrKind::kNull, "the null pointer");
      case kUndef:
      case kPoison:
        return set(IrKind::kUndefined, kNeverSet);
      case kGlobalVariable:
        if (!constants_.is_known_constant(value)) return set(IrKind::kObject, name_of(value));
        result_.nodes[node].is_pointer = constants_.holds_addresses(llvm_.GetInitializer(value));
        result_.nodes[node].is_never_set =
            name_of(value).starts_with("__const.") && constants_.holds_never_set(llvm_.GetInitializer(value), 0);
        return set(IrKind::kConstantObject, name_of(value));
      case kConstantVector:
      case kConstantStruct:
      case kConstantArray:
        set(IrKind::kArithmetic, "");
        add_operands(node, value);
        return node;
      case kConstantExpr:
        fill_operator(node, value, llvm_.GetConstOpcode(value));
        return node;
      default:
        return set(IrKind::kUnknown, "the address of " + name_of(value) + ", an alias or label");
    }
  }

  void add_operands(std::uint32_t node, LlvmValue* value) {
    std::vector<std::uint32_t> operands;
    for (int i = 0; i < llvm_.GetNumOperands(value); ++i) {
      operands.push_back(node_of(llvm_.GetOperand(value, static_cast<unsigned>(i))));
    }
    result_.nodes[node].operands = std::move(operands);
  }

  void fill(LlvmValue* instruction) {
    const std::uint32_t node = nodes_.at(instruction);
    unsigned size = 0;
    result_.nodes[node].line = llvm_.GetDebugLocLine(instruction);
    if (const char* file = llvm_.GetDebugLocFilename(instruction, &size); file != nullptr) {
      result_.nodes[node].file.assign(file, size);
    }
    // The only use that clang-19 makes of this kind is for -ftrivial-auto-var-init.
    result_.nodes[node].is_never_set = llvm_.GetMetadata(instruction, annotation_) != nullptr;
    const int opcode = llvm_.GetInstructionOpcode(instruction);
    switch (opcode) {
      case kOpCall:
        return fill_call(node, instruction);
      case kOpBranch:
      case kOpSwitch:
        result_.nodes[node].kind = IrKind::kBranch;
        if (llvm_.GetNumSuccessors(instruction) > 1) {
          const std::uint32_t condition = node_of(llvm_.GetOperand(instruction, 0));
          result_.nodes[node].operands = {condition};
        }
        return;
      case kOpPhi:
        return fill_phi(node, instruction);
      case kOpLoad:
      case kOpStore:
        return fill_access(node, instruction, opcode == kOpLoad);
      default:
        return fill_operator(node, instruction, opcode);
    }
  }

  void fill_phi(std::uint32_t node, LlvmValue* instruction) {
    std::vector<std::uint32_t> operands;
    for (unsigned i = 0; i < llvm_.CountIncoming(instruction); ++i) {
      if (!numbers_.contains(llvm_.GetIncomingBlock(instruction, i))) continue;
      operands.push_back(node_of(llvm_.GetIncomingValue(instruction, i)));
    }
    result_.nodes[node].kind = IrKind::kPhi;
    result_.nodes[node].operands = std::move(operands);
  }

  void fill_access(std::uint32_t node, LlvmValue* instruction, bool is_load) {
    add_operands(node, instruction);
    if (llvm_.GetVolatile(instruction) != 0) {
      result_.nodes[node].text = "a volatile access";
    } else if (llvm_.GetOrdering(instruction) != 0) {
      result_.nodes[node].text = "an atomic access";
    } else {
      result_.nodes[node].kind = is_load ? IrKind::kLoad : IrKind::kStore;
      result_.nodes[node].is_pointer = is_pointer(instruction);
      if (!is_load) {
        result_.nodes[node].type = reinterpret_cast<std::uintptr_t>(llvm_.TypeOf(llvm_.GetOperand(instruction, 0)));
      }
    }
  }

  /// Operators of instructions and of constant expressions.
  void fill_operator(std::uint32_t node, LlvmValue* value, int opcode) {
    add_operands(node, value);
    IrNode& to = result_.nodes[node];
    to.kind = kind_of_operator(opcode);
    if (to.kind == IrKind::kUnknown) {
      const auto odd = odd_instructions().find(opcode);
      to.text = odd != odd_instructions().end() ? odd->second : "instruction " + std::to_string(opcode) + " of LLVM";
    } else if (to.kind == IrKind::kLocal) {
      to.text = name_of(value);
      const IrNode& count = result_.nodes[to.operands[0]];
      if (count.kind == IrKind::kNumber) {
        to.value = llvm_.ABISizeOfType(layout_, llvm_.GetAllocatedType(value)) * count.value;
      }
    } else if (to.kind == IrKind::kCompare) {
      to.is_pointer = is_pointer(llvm_.GetOperand(value, 0));
    } else if (to.kind == IrKind::kAddress) {
      to.element = reinterpret_cast<std::uintptr_t>(llvm_.GetGEPSourceElementType(value));
      to.code = static_cast<std::uint32_t>(opcode);
    } else if (opcode <= kOpBitCast || opcode == kOpFNeg) {
      to.code = static_cast<std::uint32_t>(opcode);  // comparisons, shuffles, members: more than their operands say
    }
  }

  static IrKind kind_of_operator(int opcode) {
    switch (opcode) {
      case kOpReturn:
        return IrKind::kReturn;
      case kOpSub:
        return IrKind::kSubtract;
      case kOpAlloca:
        return IrKind::kLocal;
      case kOpGetElementPtr:
        return IrKind::kAddress;
      case kOpPtrToInt:
        return IrKind::kPointerToNumber;
      case kOpIntToPtr:
        return IrKind::kNumberToPointer;
      case kOpICmp:
        return IrKind::kCompare;
      case kOpSelect:
        return IrKind::kSelect;
      case kOpFCmp:
      case kOpExtractElement:
      case kOpInsertElement:
      case kOpShuffleVector:
      case kOpExtractValue:
      case kOpInsertValue:
      case kOpFNeg:
      case kOpFreeze:
        return IrKind::kArithmetic;
      default:
        break;
    }
    const bool is_binary = opcode >= kOpAdd && opcode <= kOpXor;
    const bool is_conversion = (opcode >= kOpTrunc && opcode <= kOpFPExt) || opcode == kOpBitCast;
    return is_binary || is_conversion ? IrKind::kArithmetic : IrKind::kUnknown;
  }

  void fill_call(std::uint32_t node, LlvmValue* call) {
    LlvmValue* callee = llvm_.GetCalledValue(call);
    const int kind = llvm_.GetValueKind(callee);
    std::string& text = result_.nodes[node].text;
    if (kind == kInlineAsm) {
      text = "inline assembly";
    } else if (kind != kFunctionValue) {
      text = "a call through a pointer";
    } else if (llvm_.IsDeclaration(callee) == 0 && llvm_.GetLinkage(callee) != kAvailableElsewhere &&
               !by_name_.contains(name_of(callee))) {
      text = "a call of " + name_of(callee) + ", which is recursive, replaceable, variadic or too large to follow";
    } else {
      fill_known_call(node, call, name_of(callee));
    }
  }

  void fill_known_call(std::uint32_t node, LlvmValue* call, const std::string& name) {
    const unsigned count = llvm_.GetNumArgOperands(call);
    bool is_numeric = !is_pointer(call);
    bool is_volatile = false;
    for (unsigned i = 0; i < count; ++i) is_numeric = is_numeric && !is_pointer(llvm_.GetOperand(call, i));
    IrKind kind = kind_of_callee(name, is_numeric);
    if (name.starts_with("llvm.mem") && count == 4) is_volatile = !is_zero(llvm_.GetOperand(call, 3));
    if (is_volatile || !fits(kind, count) || (llvm_.GetNumOperandBundles(call) != 0 && kind != IrKind::kNothing)) {
      kind = IrKind::kUnknown;
    }
    IrNode& to = result_.nodes[node];
    to.kind = kind;
    to.text = kind != IrKind::kUnknown ? name : is_volatile ? "a volatile access" : "a call of " + name;
    if (kind == IrKind::kNothing || kind == IrKind::kNumber) return;
    std::vector<std::uint32_t> operands;
    for (unsigned i = 0; i < count; ++i) operands.push_back(node_of(llvm_.GetOperand(call, i)));
    if (kind == IrKind::kFill && is_first_value(operands[1])) result_.nodes[node].is_never_set = true;
    result_.nodes[node].operands = std::move(operands);
  }

  /// Numbers begin as bytes 0xaa, real numbers as 0xff. SROA takes such a memset apart and drops what marks it.
  bool is_first_value(std::uint32_t byte) const {
    const IrNode& node = result_.nodes[byte];
    return node.kind == IrKind::kUndefined || (node.kind == IrKind::kNumber && node.value == 0xffU);
  }

  /// Has a call as many arguments as that function takes? A file may declare it otherwise.
  static bool fits(IrKind kind, unsigned count) {
    if (kind == IrKind::kCopy || kind == IrKind::kFill) return count >= 3;
    if (kind == IrKind::kAllocate) return count == 5;
    return kind != IrKind::kRelease || count == 3;
  }

  bool is_zero(LlvmValue* value) const {
    return llvm_.GetValueKind(value) == kConstantInt && constants_.number_of(value) == 0;
  }

  const LibLlvm& llvm_;
  LlvmDataLayout* layout_;
  IrConstants constants_;
  const std::set<std::string>& by_name_;
  unsigned annotation_;
  IrFunction result_;
  std::vector<LlvmBlock*> order_;
  std::unordered_map<LlvmBlock*, std::size_t> numbers_;
  std::unordered_map<LlvmValue*, std::uint32_t> nodes_;
};

}  // namespace

IrFunction read_ir_function(const LibLlvm& llvm, LlvmDataLayout* layout, LlvmValue* function, const std::string& name,
                            const std::set<std::string>& by_name) {
  return Reader(llvm, layout, function, name, by_name).take();
}

}  // namespace detent::models::tvm
