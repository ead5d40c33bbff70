/* What the C API asks of a compiler beyond ISO C11: an attribute and a width, filled in for each family. The runtime's
 * own sources ask for more, in runtime/base/compiler.h.
 *
 * gcc, clang and Arm Compiler 6 are one family (they define __GNUC__). Every other compiler gets what the language
 * itself has, and so does each of them under -DDETENT_STANDARD_ONLY, which is how the standard's filling is tested. */
#ifndef DETENT_RUNTIME_COMPILER_H_
#define DETENT_RUNTIME_COMPILER_H_

#if defined(__GNUC__) && !defined(DETENT_STANDARD_ONLY)
#define DETENT_COMPILER_GNU 1
#else
#define DETENT_COMPILER_GNU 0
#endif

/** `typedef DETENT_ENUM(name) { ... } name;`: an enumeration of 32 bits for every compiler and ABI. Bare-metal ABIs
 *  (AAPCS, -fshort-enums) give an enumeration as few bytes as its values need, so that tables of the Desc written by
 * one compiler would have another layout in the next. C11 cannot ask for a width: where nothing else does, the
 * compiler's own must be 32 bits (runtime/api/abi.h refuses another). In expressions enumerations stay what they are in
 * C, ints: an enumerator passes where an int is expected, in C++ too. */
#ifdef __cplusplus
static_assert(sizeof(int) == 4, "the runtime needs ints of 32 bits");
#define DETENT_ENUM(name) enum name : int
#elif DETENT_COMPILER_GNU
#define DETENT_ENUM(name) enum __attribute__((mode(__SI__))) name
#else
#define DETENT_ENUM(name) enum name
#endif

/** Of functions whose status must be looked at: the compiler warns where it is ignored, if it can. */
#ifdef __cplusplus
#define DETENT_NODISCARD [[nodiscard]]
#elif DETENT_COMPILER_GNU
#define DETENT_NODISCARD __attribute__((warn_unused_result))
#else
#define DETENT_NODISCARD
#endif

#endif
