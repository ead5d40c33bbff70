// What a TVM ahead-of-time export consists of: operators, interface, pools, constants, parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/import/tvm/clang/types.hpp"
#include "models/import/tvm/files/ndarray.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// Name, size and type of a model input or output, where metadata, header or glue tells them.
struct IoInfo {
  std::string name;
  std::uint64_t size_bytes = 0;  ///< 0: not told
  std::string dtype;             ///< "float32"; "": not told
  std::vector<std::int64_t> shape;
};

/// A memory pool as metadata, header or glue describe it.
struct PoolInfo {
  std::string name;              ///< "global_workspace", "global_const_workspace", "sram"
  std::uint64_t size_bytes = 0;  ///< 0: not told
  bool is_const = false;
  bool is_external = false;  ///< given by the application through a workspace_pools struct
};

/// A constant of a pooled struct (glue), with its bytes.
struct PooledConstant {
  std::string name;
  std::uint64_t offset_bytes = 0;
  std::string bytes;
};

struct Artifact {
  std::string origin;         ///< path as given
  std::string module_name;    ///< "default"
  std::string tvm_version;    ///< "" where no metadata tells
  std::vector<CTypes> types;  ///< for which all that is said of the operators is true; empty: nobody knows
  CUnit operators;            ///< the file that defines main; everything else is optional
  std::string
      main_symbol;      ///< "tvmgen_default___tvm_main__" or "..._run_model"; "" for a bare operator file without main
  bool packed = false;  ///< operators take (args, type ids, num_args, ...)
  std::vector<CUnit> externals;                        ///< further C files with function definitions (BYOC)
  std::optional<std::vector<IoInfo>> inputs, outputs;  ///< by position; absent: nothing tells them
  std::vector<PoolInfo> pools;
  std::vector<PooledConstant>
      constants;                    ///< of the const pool, by offset; empty when the glue is absent or told not to read
  bool constants_complete = false;  ///< every byte of the const pool that is given is here
  std::vector<NamedArray> parameters;  ///< of parameters/*.params: the weights of TVM 0.8, empty otherwise
  std::string run_symbol;              ///< "tvmgen_default_run" as the glue defines it; ""
  std::string glue_text, header_text;  ///< as on disk; "" where absent
  std::string glue_file, header_file;
  std::vector<std::string> device_contexts;  ///< in order of the devices struct
  bool has_vendor_code = false;              ///< headers or sources were given
  std::vector<std::string> notes;            ///< what was found odd and how it was taken, one line each
};

}  // namespace detent::models::tvm
