// What an operator function does to memory: the bytes that it reads and writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/import/tvm/footprint/memory/binding.hpp"
#include "models/import/tvm/footprint/sets/byte_set.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// Bytes touched through one pointer, relative to it.
struct AccessSets {
  ByteSet reads;  ///< but for those that the call has certainly written itself before
  ByteSet writes;
  bool reads_exact = true;  ///< false: `reads` is a superset (data-dependent condition or index with known range)
  bool writes_exact = true;
  bool reads_unbounded = false;  ///< may read anything reachable from the pointer (unknown callee, unknown index)
  bool writes_unbounded = false;
  bool names_tell = false;  ///< unbounded only since a vendor's function gets it: names say what is written
};

/// `void* X_let = (&(pool[OFFSET]));` inside a function: scratch when written, a constant when only read.
struct PoolUse {
  std::string name;         ///< X_let
  std::uint32_t param = 0;  ///< the pool's parameter
  std::uint64_t offset_bytes = 0;
  SourceRange declaration;  ///< of the whole declaration statement, with the ';'
  SourceRange literal;      ///< of OFFSET
  AccessSets access;        ///< relative to the offset
  std::string element;      ///< C type through which it is accessed, "float"; "" when several
  std::uint64_t literal_size_bytes =
      0;  ///< a size that the text gives with the buffer ({context_buffer_0_let,108}); 0: none
};

/// Every byte of `read` that lies under `written` is read for the last time before it is written there, as long as
/// `written` starts at most `most_displacement` bytes behind `read` (negative: so many before it).
struct Overwrite {
  static constexpr std::int64_t kAnywhere = INT64_MAX;  ///< all is read before anything is written

  std::uint32_t read = 0, written = 0;  ///< parameters
  std::int64_t most_displacement = 0;
};

struct FunctionFootprint {
  std::string function;
  bool understood = true;  ///< false: opaque; `why` and `line` say what was not understood
  std::string why;
  bool hides_accesses = false;  ///< opaque, and what it does to its parameters is not all seen
  std::uint32_t line = 0;
  std::string state;  ///< what it may use that outlives the call and is no argument: "rand", "count"; "" nothing
  std::uint32_t state_line = 0;
  std::string file, state_file;  ///< of `line` and `state_line`, where it is not the file of the operators
  bool is_per_thread = false;    ///< the state is one of each thread: in which order it is used is not all that matters
  std::vector<AccessSets> params;           ///< by parameter; packed: by argument number; bound: by object
  std::vector<std::string> param_names;     ///< by parameter; of a packed function: name of the unpacked variable
  std::vector<std::string> param_elements;  ///< C type of the elements, "float"; "" unknown
  std::vector<PoolUse> pool_uses;           ///< in order of the text
  std::vector<Overwrite> overwrites;        ///< pairs of buffers that may share bytes; all others must not
  std::uint64_t stack_bytes = 0;            ///< local arrays
  std::uint64_t workspace_bytes = 0;  ///< most bytes at one time from TVMBackendAllocWorkspace, private to the call
  std::uint64_t flops = 0;  ///< floating-point operations executed (branches: the dearer side); libm calls count 1
};

struct FootprintOptions {
  bool packed = false;                   ///< arguments come through TVMValue/DLTensor arrays
  std::uint64_t max_points = 1U << 24U;  ///< enumerated per access before falling back to an interval superset
  const Binding* binding = nullptr;      ///< the program around it, where that is known; outlives the analysis
};

}  // namespace detent::models::tvm
