// What each kind of file of an artifact tells about interface, pools and constants, and the answer that all give
// together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/import/tvm/artifact/types.hpp"

namespace detent::models::tvm {

/// Inputs, outputs, pools and devices as one file tells them; what it does not tell is absent.
struct Interface {
  std::optional<std::vector<IoInfo>> inputs, outputs;
  std::vector<PoolInfo> pools;
  std::vector<std::string> devices;
  std::vector<PooledConstant> constants;
  bool ordered = true;  ///< inputs and outputs stand in the order of main's parameters
};

/// Fill inputs, outputs, pools and devices of `artifact`, whose operators and main symbol are known.
/// @param interfaces  whose word counts most comes first; later ones tell only what is absent
void merge_interfaces(const std::vector<Interface>& interfaces, Artifact& artifact);

/// "model/input:0" -> "model_input_0", as generated identifiers spell it.
std::string sanitized(const std::string& name);

/// Public header: structs tvmgen_<mod>_{inputs,outputs,workspace_pools,devices}, macros TVMGEN_<MOD>_*_SIZE.
Interface interface_of_header(const CUnit& header, const std::string& module_name);

/// The order in which the glue's run function passes things to main, and the pools that it defines.
/// @param run  of the glue; null: only the pools
Interface interface_of_glue(const CUnit& glue, const Function* run, const std::string& main_symbol);

/// TVMMetadata tables. @throws InputError  they are not what any version writes
Interface interface_of_tables(const CUnit& tables);

/// metadata.json; version: of TVM. @throws InputError  no JSON, or not of this schema
Interface interface_of_json(const std::string& text, const std::string& file, const std::string& module_name,
                            std::string& version);

/// The constants of a pooled struct with their values. @throws InputError  a value that is no number; file and line
std::vector<PooledConstant> read_pooled_constants(const CUnit& glue, const Record& record, const Global& global);

/// The struct and the variable that hold the pooled constants of a glue file: {null, null} when there are none.
std::pair<const Record*, const Global*> pooled_struct(const CUnit& glue);

}  // namespace detent::models::tvm
