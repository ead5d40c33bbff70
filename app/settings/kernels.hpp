// [kernels] of a settings file: what computes ops instead of their own kernel, chosen before they are split into bands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/core/model.hpp"

namespace detent {
class TomlReader;
}

namespace detent::app {

/// One row of the table.
struct KernelRule {
  std::string pattern{};  ///< a name of an op, or a pattern: * stands for any letters, ? for one
  std::string kernel{};   ///< "conv2d_winograd_f32", or "conv2d_f32": what it has
  bool operator==(const KernelRule&) const = default;
};

/// The table [kernels] of a file. @throws std::invalid_argument  names file and line
std::vector<KernelRule> read_kernels(const TomlReader& top);

/// Let ops have the kernels that the rows say: by a row with an op's own name, else by the patterns that match it,
/// which leave out ops that the kernel cannot compute, those too small for it to pay, and those of other classes than
/// "cpu". A model that had its plan is planned anew.
/// @param path        of the file, for messages
/// @param by_default  ops that no row is about have conv2d_winograd_f32 as by a pattern "*"
/// @return  ops that conv2d_winograd_f32 computes now
/// @throws std::invalid_argument  a row that names no op, or one that the kernel cannot compute; patterns that say
///         different things of one op; a pattern that leaves out everything
std::size_t apply_kernels(const std::vector<KernelRule>& rules, const std::string& path, bool by_default,
                          models::Model& model);

}  // namespace detent::app
