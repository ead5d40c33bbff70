/* The runtime's own sources as text, for host tools that write or compile them: `detent emit c` and modules that are
 * compiled at run time. In a library of its own (detent_runtime_text); never part of the target library. */
#ifndef DETENT_RUNTIME_SOURCES_TEXT_H_
#define DETENT_RUNTIME_SOURCES_TEXT_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One embedded file. Static storage. */
typedef struct detent_source_file {
  const char *path; /**< relative to the include root: "runtime/include/detent/desc.h" */
  const char *text; /**< terminated by NUL, which `size` does not count */
  uint64_t size;    /**< bytes */
} detent_source_file;

/** Every header and source under runtime/ but this one, sorted by path; `*count` (not null) is set. Static storage. */
const detent_source_file *detent_runtime_sources(uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
