// The C functions of LLVM 19 that read its intermediate representation, loaded when the first operator is analysed.
// Declared here and not by LLVM's headers: the interface is stable, small, and a build needs no LLVM for it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace detent::models::tvm {

struct LlvmContext;
struct LlvmModule;
struct LlvmBuffer;
struct LlvmError;
struct LlvmPassOptions;
struct LlvmValue;
struct LlvmBlock;
struct LlvmType;
struct LlvmAttribute;
struct LlvmDataLayout;
struct LlvmDiagnostic;
using LlvmDiagnosticHandler = void (*)(LlvmDiagnostic*, void*);

/// The functions used, by LLVM's own names without their prefix: name, result, parameters. Its enumerations are int,
/// its truth values too. @see llvm-c/Core.h, IRReader.h, Linker.h, Transforms/PassBuilder.h
#define DETENT_LIBLLVM_FUNCTIONS(X)                                                            \
  X(ABISizeOfType, unsigned long long, LlvmDataLayout*, LlvmType*)                             \
  X(AddAttributeAtIndex, void, LlvmValue*, unsigned, LlvmAttribute*)                           \
  X(ConstIntGetZExtValue, unsigned long long, LlvmValue*)                                      \
  X(ConstRealGetDouble, double, LlvmValue*, int*)                                              \
  X(ContextCreate, LlvmContext*)                                                               \
  X(ContextDispose, void, LlvmContext*)                                                        \
  X(ContextSetDiagnosticHandler, void, LlvmContext*, LlvmDiagnosticHandler, void*)             \
  X(CountIncoming, unsigned, LlvmValue*)                                                       \
  X(CountParams, unsigned, LlvmValue*)                                                         \
  X(CreateEnumAttribute, LlvmAttribute*, LlvmContext*, unsigned, std::uint64_t)                \
  X(CreateMemoryBufferWithMemoryRangeCopy, LlvmBuffer*, const char*, std::size_t, const char*) \
  X(CreatePassBuilderOptions, LlvmPassOptions*)                                                \
  X(DisposeErrorMessage, void, char*)                                                          \
  X(DisposeMessage, void, char*)                                                               \
  X(DisposeModule, void, LlvmModule*)                                                          \
  X(DisposePassBuilderOptions, void, LlvmPassOptions*)                                         \
  X(GetAllocatedType, LlvmType*, LlvmValue*)                                                   \
  X(GetArrayLength2, std::uint64_t, LlvmType*)                                                 \
  X(GetBasicBlockTerminator, LlvmValue*, LlvmBlock*)                                           \
  X(GetCalledValue, LlvmValue*, LlvmValue*)                                                    \
  X(GetConstOpcode, int, LlvmValue*)                                                           \
  X(GetDebugLocFilename, const char*, LlvmValue*, unsigned*)                                   \
  X(GetDebugLocLine, unsigned, LlvmValue*)                                                     \
  X(GetElementAsConstant, LlvmValue*, LlvmValue*, unsigned)                                    \
  X(GetEnumAttributeKindForName, unsigned, const char*, std::size_t)                           \
  X(GetErrorMessage, char*, LlvmError*)                                                        \
  X(GetFirstBasicBlock, LlvmBlock*, LlvmValue*)                                                \
  X(GetFirstFunction, LlvmValue*, LlvmModule*)                                                 \
  X(GetFirstInstruction, LlvmValue*, LlvmBlock*)                                               \
  X(GetGEPSourceElementType, LlvmType*, LlvmValue*)                                            \
  X(GetIncomingBlock, LlvmBlock*, LlvmValue*, unsigned)                                        \
  X(GetIncomingValue, LlvmValue*, LlvmValue*, unsigned)                                        \
  X(GetInitializer, LlvmValue*, LlvmValue*)                                                    \
  X(GetInstructionOpcode, int, LlvmValue*)                                                     \
  X(GetLinkage, int, LlvmValue*)                                                               \
  X(GetMDKindID, unsigned, const char*, unsigned)                                              \
  X(GetMetadata, LlvmValue*, LlvmValue*, unsigned)                                             \
  X(GetModuleDataLayout, LlvmDataLayout*, LlvmModule*)                                         \
  X(GetNamedFunction, LlvmValue*, LlvmModule*, const char*)                                    \
  X(GetNextBasicBlock, LlvmBlock*, LlvmBlock*)                                                 \
  X(GetNextFunction, LlvmValue*, LlvmValue*)                                                   \
  X(GetNextInstruction, LlvmValue*, LlvmValue*)                                                \
  X(GetNumArgOperands, unsigned, LlvmValue*)                                                   \
  X(GetNumOperandBundles, unsigned, LlvmValue*)                                                \
  X(GetNumOperands, int, LlvmValue*)                                                           \
  X(GetNumSuccessors, unsigned, LlvmValue*)                                                    \
  X(GetOperand, LlvmValue*, LlvmValue*, unsigned)                                              \
  X(GetOrdering, int, LlvmValue*)                                                              \
  X(GetParam, LlvmValue*, LlvmValue*, unsigned)                                                \
  X(GetSuccessor, LlvmBlock*, LlvmValue*, unsigned)                                            \
  X(GetTypeKind, int, LlvmType*)                                                               \
  X(GetValueKind, int, LlvmValue*)                                                             \
  X(GetValueName2, const char*, LlvmValue*, std::size_t*)                                      \
  X(GetVectorSize, unsigned, LlvmType*)                                                        \
  X(GetVolatile, int, LlvmValue*)                                                              \
  X(IsDeclaration, int, LlvmValue*)                                                            \
  X(IsExternallyInitialized, int, LlvmValue*)                                                  \
  X(IsGlobalConstant, int, LlvmValue*)                                                         \
  X(IsThreadLocal, int, LlvmValue*)                                                            \
  X(LinkModules2, int, LlvmModule*, LlvmModule*)                                               \
  X(ParseIRInContext, int, LlvmContext*, LlvmBuffer*, LlvmModule**, char**)                    \
  X(RemoveEnumAttributeAtIndex, void, LlvmValue*, unsigned, unsigned)                          \
  X(RunPasses, LlvmError*, LlvmModule*, const char*, void*, LlvmPassOptions*)                  \
  X(SetLinkage, void, LlvmValue*, int)                                                         \
  X(TypeOf, LlvmType*, LlvmValue*)

struct LibLlvm {
#define DETENT_LIBLLVM_MEMBER(name, result, ...) result (*name)(__VA_ARGS__) = nullptr;
  DETENT_LIBLLVM_FUNCTIONS(DETENT_LIBLLVM_MEMBER)
#undef DETENT_LIBLLVM_MEMBER
};

/// Load LLVM 19. @param file  a path, or a name that the dynamic linker looks for
/// @throws InputError  it cannot be loaded or lacks a function; names both and the package to install
LibLlvm load_libllvm(const char* file);

/// The library that libclang 19 uses too, loaded at the first call and never unloaded. @throws as load_libllvm
const LibLlvm& libllvm();

}  // namespace detent::models::tvm
