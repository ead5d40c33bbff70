/* Enumerations of the C API: 32 bits wide for every compiler and ABI. Bare-metal ABIs (AAPCS, -fshort-enums) give an
 * enumeration as few bytes as its values need, so that tables of the Desc written by one compiler would have another
 * layout in the next. */
#ifndef DETENT_RUNTIME_ENUM_H_
#define DETENT_RUNTIME_ENUM_H_

/** `typedef DETENT_ENUM(name) { ... } name;`. In expressions they stay what they are in C, ints: an enumerator passes
 *  where an int is expected, in C++ too. */
#ifdef __cplusplus
static_assert(sizeof(int) == 4, "the runtime needs ints of 32 bits");
#define DETENT_ENUM(name) enum name : int
#else
#define DETENT_ENUM(name) enum __attribute__((mode(__SI__))) name
#endif

#endif
