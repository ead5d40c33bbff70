// IrModule: parse, link, inline. ir_reader.cpp turns functions into plain values.
#include "models/import/tvm/ir/module.hpp"

#include <map>
#include <set>

#include "base/input_error.hpp"
#include "models/import/tvm/ir/libllvm.hpp"
#include "models/import/tvm/ir/numbers.hpp"
#include "models/import/tvm/ir/reader.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::uint64_t kMaxInstructions = 200'000;  // of one root with all that it calls
constexpr unsigned kFunctionIndex = ~0U;             // LLVMAttributeFunctionIndex
constexpr int kExternalLinkage = 0;
constexpr int kInternalLinkage = 8;
constexpr int kPrivateLinkage = 9;
constexpr int kFunctionKind = 5;
constexpr int kInstructionKind = 24;
constexpr int kLocalOpcode = 26;
constexpr int kStoreOpcode = 28;
constexpr int kAddressOpcode = 29;
constexpr int kPhiOpcode = 44;
constexpr int kCallOpcode = 45;
constexpr int kSelectOpcode = 46;

/// LLVM ends the process at an error that nobody handles.
void ignore_diagnostic(LlvmDiagnostic* /*diagnostic*/, void* /*context*/) {}

/// Every call that is made through a plain function name.
template <typename Visit>
void for_each_callee(const LibLlvm& llvm, LlvmValue* function, std::uint64_t& instructions, const Visit& visit) {
  for (LlvmBlock* block = llvm.GetFirstBasicBlock(function); block != nullptr; block = llvm.GetNextBasicBlock(block)) {
    for (LlvmValue* i = llvm.GetFirstInstruction(block); i != nullptr; i = llvm.GetNextInstruction(i)) {
      ++instructions;
      if (llvm.GetInstructionOpcode(i) != kCallOpcode) continue;
      LlvmValue* callee = llvm.GetCalledValue(i);
      if (callee != nullptr && llvm.GetValueKind(callee) == kFunctionKind && llvm.IsDeclaration(callee) == 0) {
        visit(callee);
      }
    }
  }
}

/// Chooses the functions that can take the place of their calls: no cycle through them, nobody may replace them, and
/// what results is not too large.
class InlineChoice {
 public:
  /// @param kept  functions whose calls stay
  InlineChoice(const LibLlvm& llvm, std::set<LlvmValue*> kept) : llvm_(llvm), refused_(std::move(kept)) {}

  void add_root(LlvmValue* root) {
    std::set<LlvmValue*> path;
    size_of(root, path);
  }

  [[nodiscard]] bool is_chosen(LlvmValue* function) const {
    return called_.contains(function) && !refused_.contains(function);
  }

 private:
  std::uint64_t size_of(LlvmValue* function, std::set<LlvmValue*>& path) {
    if (const auto known = sizes_.find(function); known != sizes_.end()) return known->second;
    path.insert(function);
    std::uint64_t own = 0;
    std::vector<LlvmValue*> callees;
    for_each_callee(llvm_, function, own, [&](LlvmValue* callee) { callees.push_back(callee); });
    std::uint64_t total = own;
    for (LlvmValue* callee : callees) {
      called_.insert(callee);
      if (refused_.contains(callee)) continue;
      if (path.contains(callee) || path.size() > kMaxDepth || !is_final(callee)) {
        refused_.insert(callee);
        continue;
      }
      const std::uint64_t size = size_of(callee, path);
      if (total + size > kMaxInstructions) {
        refused_.insert(callee);
      } else {
        total += size;
      }
    }
    path.erase(function);
    sizes_[function] = total;
    return total;
  }

  [[nodiscard]] bool is_final(LlvmValue* function) const {
    const int linkage = llvm_.GetLinkage(function);
    return linkage == kExternalLinkage || linkage == kInternalLinkage || linkage == kPrivateLinkage;
  }

  static constexpr std::size_t kMaxDepth = 200;
  const LibLlvm& llvm_;
  std::set<LlvmValue*> refused_, called_;
  std::map<LlvmValue*, std::uint64_t> sizes_;
};

}  // namespace

struct IrModule::Owned {
  const LibLlvm& llvm = libllvm();
  LlvmContext* context = nullptr;
  LlvmModule* module = nullptr;
  std::set<std::string> by_name;
  std::set<LlvmValue*> guarded;   ///< functions that SROA left alone
  std::set<LlvmValue*> doubtful;  ///< in which it may have loaded what the program does not

  Owned() : context(llvm.ContextCreate()) { llvm.ContextSetDiagnosticHandler(context, ignore_diagnostic, nullptr); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (module != nullptr) llvm.DisposeModule(module);
    llvm.ContextDispose(context);
  }

  [[nodiscard]] LlvmModule* parse(const std::string& text) const {
    LlvmBuffer* buffer = llvm.CreateMemoryBufferWithMemoryRangeCopy(text.data(), text.size(), "IR");
    LlvmModule* parsed = nullptr;
    char* message = nullptr;
    if (llvm.ParseIRInContext(context, buffer, &parsed, &message) == 0) return parsed;
    const std::string what = message != nullptr ? message : "is not LLVM IR";
    if (message != nullptr) llvm.DisposeMessage(message);
    throw InputError("IR", "", what);
  }

  void link(const std::string& text) {
    LlvmModule* parsed = parse(text);
    if (module == nullptr) {
      module = parsed;
    } else if (llvm.LinkModules2(module, parsed) != 0) {
      throw InputError("IR", "", "the files do not link: a function or variable is defined twice or differently");
    }
  }

  /// So that no attribute keeps a pass from a function.
  void remove_attributes(LlvmValue* function) const {
    for (const char* const name : {"noinline", "optnone", "alwaysinline"}) {
      const unsigned kind = llvm.GetEnumAttributeKindForName(name, std::char_traits<char>::length(name));
      llvm.RemoveEnumAttributeAtIndex(function, kFunctionIndex, kind);
    }
  }

  void inline_into(const std::vector<std::string>& roots) {
    std::set<LlvmValue*> kept;
    for (const std::string& name : by_name) kept.insert(llvm.GetNamedFunction(module, name.c_str()));
    InlineChoice choice(llvm, std::move(kept));
    std::vector<LlvmValue*> roots_to_keep;
    for (const std::string& root : roots) {
      LlvmValue* function = llvm.GetNamedFunction(module, root.c_str());
      if (function == nullptr || llvm.IsDeclaration(function) != 0) continue;
      choice.add_root(function);
      roots_to_keep.push_back(function);
    }
    for (LlvmValue* f = llvm.GetFirstFunction(module); f != nullptr; f = llvm.GetNextFunction(f)) {
      if (llvm.IsDeclaration(f) != 0) continue;
      remove_attributes(f);
      if (choice.is_chosen(f)) add_attribute(f, "alwaysinline");
    }
    for (LlvmValue* root : roots_to_keep) {
      // Else one that is static would be removed with its last call.
      if (llvm.GetLinkage(root) == kInternalLinkage) llvm.SetLinkage(root, kExternalLinkage);
    }
    run_passes("always-inline,function(mem2reg)");
    keep_from_speculation();
    run_passes("function(sroa<preserve-cfg>)");
    for (LlvmValue* f = llvm.GetFirstFunction(module); f != nullptr; f = llvm.GetNextFunction(f)) {
      const bool is_new = llvm.IsDeclaration(f) == 0 && !guarded.contains(f) && chooses_pointers(f);
      if (is_new) doubtful.insert(f);
    }
  }

  /// SROA may load through both pointers of a choice where the program loads through one. It leaves alone functions
  /// that are not to be optimised.
  void keep_from_speculation() {
    for (LlvmValue* f = llvm.GetFirstFunction(module); f != nullptr; f = llvm.GetNextFunction(f)) {
      if (llvm.IsDeclaration(f) != 0 || !chooses_pointers(f)) continue;
      remove_attributes(f);
      for (const char* const name : {"noinline", "optnone"}) add_attribute(f, name);
      guarded.insert(f);
    }
  }

  [[nodiscard]] bool chooses_pointers(LlvmValue* function) const {
    for (LlvmBlock* block = llvm.GetFirstBasicBlock(function); block != nullptr;
         block = llvm.GetNextBasicBlock(block)) {
      for (LlvmValue* i = llvm.GetFirstInstruction(block); i != nullptr; i = llvm.GetNextInstruction(i)) {
        const int opcode = llvm.GetInstructionOpcode(i);
        const bool is_choice = opcode == kPhiOpcode || opcode == kSelectOpcode;
        if (is_choice && llvm.GetTypeKind(llvm.TypeOf(i)) == llvm_numbers::kPointerType) return true;
        if (opcode == kStoreOpcode && is_local(llvm.GetOperand(i, 0))) return true;  // from there it may be chosen
      }
    }
    return false;
  }

  /// Is it the address of a local variable, or of a part of one?
  [[nodiscard]] bool is_local(LlvmValue* value) const {
    while (llvm.GetValueKind(value) == kInstructionKind && llvm.GetInstructionOpcode(value) == kAddressOpcode) {
      value = llvm.GetOperand(value, 0);
    }
    return llvm.GetValueKind(value) == kInstructionKind && llvm.GetInstructionOpcode(value) == kLocalOpcode;
  }

  void add_attribute(LlvmValue* function, const char* name) const {
    const unsigned kind = llvm.GetEnumAttributeKindForName(name, std::char_traits<char>::length(name));
    llvm.AddAttributeAtIndex(function, kFunctionIndex, llvm.CreateEnumAttribute(context, kind, 0));
  }

  void run_passes(const char* passes) const {
    LlvmPassOptions* options = llvm.CreatePassBuilderOptions();
    LlvmError* error = llvm.RunPasses(module, passes, nullptr, options);
    llvm.DisposePassBuilderOptions(options);
    if (error == nullptr) return;
    char* message = llvm.GetErrorMessage(error);
    const std::string what = message;
    llvm.DisposeErrorMessage(message);
    throw InputError("IR", "", what);
  }
};

IrModule::IrModule(const std::vector<std::string>& texts, const std::vector<std::string>& roots,
                   const std::vector<std::string>& by_name)
    : owned_(std::make_unique<Owned>()) {
  owned_->by_name.insert(by_name.begin(), by_name.end());
  if (texts.empty()) throw InputError("IR", "", "no file is given");
  for (const std::string& text : texts) owned_->link(text);
  owned_->inline_into(roots);
}

IrModule::~IrModule() = default;

std::optional<IrFunction> IrModule::function(const std::string& name) const {
  LlvmValue* function = owned_->llvm.GetNamedFunction(owned_->module, name.c_str());
  if (function == nullptr || owned_->llvm.IsDeclaration(function) != 0) return std::nullopt;
  IrFunction result =
      read_ir_function(owned_->llvm, owned_->llvm.GetModuleDataLayout(owned_->module), function, name, owned_->by_name);
  result.is_doubtful = owned_->doubtful.contains(function);
  return result;
}

}  // namespace detent::models::tvm
