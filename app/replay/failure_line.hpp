// A failing schedule -> the line that repeats it, and the options of the thread level back from such a line.
#pragma once

#include "app/answer/answer.hpp"
#include "app/model/loaded_model.hpp"
#include "app/replay/replay_line.hpp"
#include "verify/explore/ops/failure.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::app {

/// Orders of more ops than this are left out of the line; failure files have them whole.
inline constexpr std::uint32_t kOrderInReplay = 10'000;

/// By constraints alone where they decide the bytes; else also by the whole order, whose digest is the expected one.
/// @param line  model, seeds and split of the exploration
ReplayLine failure_line(ReplayLine line, const verify::explore::OpSpace& space,
                        const verify::explore::OpFailure& failure);

/// The same with the whole order, however long: for failure files.
ReplayLine whole_failure_line(ReplayLine line, const verify::explore::OpSpace& space,
                              const verify::explore::OpFailure& failure);

/// What `line` says of the program under the explorer; the search is left as it is.
verify::explore::ThreadOptions thread_options_of(const ReplayLine& line, const LoadedModel& loaded);

/// Hash of a listing, 16 hex digits.
std::string hash_listing(const std::string& listing);

/// line.before as constraints of `desc`. @throws std::invalid_argument  an op that the model does not have
std::vector<verify::explore::Constraint> constraints_of(const ReplayLine& line, const detent_desc& desc);

/// line.order, or the order under line.before. @throws std::invalid_argument  neither is there, not every op once, an
///         edge points back, or the constraints close a cycle with the edges
std::vector<std::uint32_t> order_of(const ReplayLine& line, const verify::explore::OpSpace& space);

/// "  replay    detent replay '...'": the line whole unless it is very long.
Lines replay_lines(const std::string& line, const std::string& file);

}  // namespace detent::app
