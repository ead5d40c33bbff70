// libclang's C functions, loaded when the first C file is read. Linked the usual way, it and LLVM would cost every
// command some 20 ms of start-up, half a million relocations for readers that few commands need.
#pragma once

#include <clang-c/Index.h>

namespace detent::models::tvm {

/// The functions used, by libclang's own names without their prefix. Types come from its header.
#define DETENT_LIBCLANG_FUNCTIONS(X) \
  X(Cursor_Evaluate)                 \
  X(Cursor_getArgument)              \
  X(Cursor_getNumArguments)          \
  X(Cursor_getOffsetOfField)         \
  X(Cursor_getStorageClass)          \
  X(Cursor_getVarDeclInitializer)    \
  X(Cursor_isAnonymous)              \
  X(Cursor_isAnonymousRecordDecl)    \
  X(Cursor_isBitField)               \
  X(Cursor_isNull)                   \
  X(EvalResult_dispose)              \
  X(EvalResult_getAsDouble)          \
  X(EvalResult_getAsLongLong)        \
  X(EvalResult_getAsUnsigned)        \
  X(EvalResult_getKind)              \
  X(EvalResult_isUnsignedInt)        \
  X(Type_getOffsetOf)                \
  X(Type_getSizeOf)                  \
  X(createIndex)                     \
  X(disposeDiagnostic)               \
  X(disposeIndex)                    \
  X(disposeString)                   \
  X(disposeTranslationUnit)          \
  X(getArrayElementType)             \
  X(getArraySize)                    \
  X(getCString)                      \
  X(getCanonicalType)                \
  X(getChildDiagnostics)             \
  X(getCursorBinaryOperatorKind)     \
  X(getCursorExtent)                 \
  X(getCursorKind)                   \
  X(getCursorKindSpelling)           \
  X(getCursorLocation)               \
  X(getCursorReferenced)             \
  X(getCursorResultType)             \
  X(getCursorSpelling)               \
  X(getCursorTLSKind)                \
  X(getCursorType)                   \
  X(getCursorUnaryOperatorKind)      \
  X(getDiagnostic)                   \
  X(getDiagnosticInSet)              \
  X(getDiagnosticLocation)           \
  X(getDiagnosticSeverity)           \
  X(getDiagnosticSpelling)           \
  X(getElementType)                  \
  X(getFileLocation)                 \
  X(getNumDiagnostics)               \
  X(getNumDiagnosticsInSet)          \
  X(getPointeeType)                  \
  X(getRangeEnd)                     \
  X(getRangeStart)                   \
  X(getTranslationUnitCursor)        \
  X(getTypeDeclaration)              \
  X(getTypeSpelling)                 \
  X(isAttribute)                     \
  X(isConstQualifiedType)            \
  X(isCursorDefinition)              \
  X(isExpression)                    \
  X(isVolatileQualifiedType)         \
  X(parseTranslationUnit2)           \
  X(toggleCrashRecovery)             \
  X(visitChildren)

struct LibClang {
#define DETENT_LIBCLANG_MEMBER(name) decltype(&clang_##name) name = nullptr;
  DETENT_LIBCLANG_FUNCTIONS(DETENT_LIBCLANG_MEMBER)
#undef DETENT_LIBCLANG_MEMBER
};

/// Load a libclang. @param file  a path, or a name that the dynamic linker looks for
/// @throws InputError  it cannot be loaded or lacks a function; names both and the package to install
LibClang load_libclang(const char* file);

/// The library that the build found, loaded at the first call and never unloaded. @throws as load_libclang
const LibClang& libclang();

}  // namespace detent::models::tvm
