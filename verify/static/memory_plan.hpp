// Memory plan: do the tensors of a Desc lie where they may, and does each live where nothing else does?
#pragma once

#include <detent/desc.h>

#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// What the summary says where tensors are bare byte ranges: nothing then answers whether buffers are used again
/// rightly.
inline constexpr const char* kRangesNameNoValue =
    "byte ranges, which name no value: whether a read finds what it wants is not judged";

/// Property "memory_plan":
/// - regions have a size, a power-of-two alignment and a known kind; a weights region has bytes (B40, B47, B48, B46);
/// - a tensor lies inside its region, its extent is what its blocks span, nothing wraps, its place is aligned
///   (B40, B41, B47, B48, B32);
/// - a view lies inside the tensor it is a view of, in one region, of one type, and views close no cycle (B43, B44);
/// - a declared lifetime begins and ends at ops, and no path leads from its end to its beginning; no op uses the
///   tensor or a view of it before or after, in the serial order: topological, lowest id first (B49);
/// - on no schedule do two tensors that live at once share a byte (B42), except an input and an output of an op that is
///   declared in place, which meet at that op (B45);
/// - no op writes into a weights or an input region (B46).
/// A tensor lives from its first user to its last, on whatever schedule: ops that touch it or a view of it, or at which
/// its declared lifetime begins or ends; the application before the run, which writes the inputs, and after it, which
/// reads the outputs. So of two that share bytes all users of one must precede all users of the other by paths. Op ids
/// are names, no order. Weights hold the same bytes for ever and may share them; bare byte ranges of op graphs name no
/// value, so nothing is said of what overwrites what there. Within one tensor and its views, who overwrites what is not
/// judged either.
///
/// Shares no code with detent_check or the planner.
/// @return  violated: up to 16 witnesses that name tensors and bytes, B42 with a schedule; unknown: the edges give no
///          order (check_structure says where), and nothing else is wrong
/// @param reads_are_named  every read of a bare range names its value: then value_flow judges what it finds
Verdict check_memory_plan(const detent_desc& desc, bool reads_are_named = false);

}  // namespace detent::verify
