// Names that TVM's code generators give, and what they tell.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace detent::models::tvm {

/// "global_workspace_1_var" -> "global_workspace"; nullopt for what is no pool parameter ("data_buffer_var").
std::optional<std::string> pool_of_parameter(std::string_view name);

/// "netA" -> "NETA", as macros of generated headers spell modules and tensors.
std::string upper_case(std::string text);

/// "device_context_ethos_u": a device context.
bool is_device_parameter(std::string_view name);

/// "data_buffer_var" -> "data"; others unchanged.
std::string tensor_of_parameter(std::string_view name);

/// Does this name belong to an input of an operator ("p0", "placeholder_1", "bias_3")? To an output ("out_0")?
bool is_input_name(std::string_view name);
bool is_output_name(std::string_view name);

/// "tvmgen_default_fused_add_1" of module "default" -> "fused_add_1".
std::string operator_name(std::string_view symbol, std::string_view module);

/// Open, Close, Activate or Deactivate at the end of a device hook's symbol ("TVMDeviceEthosUOpen"); "" for others.
std::string_view device_hook(std::string_view symbol);

}  // namespace detent::models::tvm
