// detent op NAME: one element-wise operator over raw little-endian data.
#pragma once

#include <string>
#include <vector>

#include <detent/operator.h>

#include "app/answer/verdicts.hpp"

namespace detent::app {

/// What is asked, as words. Lists are whole numbers with commas ("13,4"); an empty one is that of a single element.
struct OperatorRequest {
  Request request{};  ///< model is not used
  std::string name{};
  std::string dtype{};                    ///< f16, bf16, f32, f64; also float16 and so on
  std::vector<std::string> in_dtypes{};   ///< of each input; none: as `dtype`
  std::vector<std::string> shape{};       ///< one list, or its numbers as words
  std::vector<std::string> in_shapes{};   ///< a list for each input, or one for all; none: as `shape`
  std::vector<std::string> in_strides{};  ///< likewise; none: row major
  std::vector<std::string> out_strides{};
  std::vector<double> params{};
  std::string device = "cpu";
  std::vector<std::string> inputs{};  ///< files
  std::string output{};               ///< file; empty: nothing is calculated, the descriptor alone is checked
  std::uint32_t parts = 1;
  bool in_place = false;  ///< the output is the memory of the first input; so it is of an input whose file is its file
};

/// An answer, and the status that the operator gave.
struct OperatorAnswer {
  Answer answer{};
  detent_operator_status status = DETENT_OPERATOR_SUCCESS;
};

/// Checks the descriptor, reads the inputs, calculates and writes the output. A file holds the elements from the lowest
/// address to the highest, gaps of strides included; or all rows of the outermost dimension to their end, and then the
/// output does so too. Gaps of the output are 0, in place what the input has there.
/// @return  `detent.op/1`; whatever the operator refuses is an answer
/// @throws InputError  no such operator, type or device; words that are no lists; numbers of inputs, files that cannot
/// be read or written or have another size
OperatorAnswer run_operator(const OperatorRequest& wanted);

/// Shapes and strides in one dimension as words: where one of them has a comma, each is a list; else all are one list
/// of `rank` numbers, or lists of one number each.
std::vector<std::string> lists_of_words(const std::vector<std::string>& words, std::size_t rank);

}  // namespace detent::app
