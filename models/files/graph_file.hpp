// Op graph files, detent.graph/1 and /2: a DAG of ops with byte ranges, values and times <-> Model. Bits in
// docs/FORMATS.md.
#pragma once

#include <string>

#include "models/core/model.hpp"

namespace detent::models {

/// Limits of the format, all checked by the reader.
inline constexpr std::uint64_t kMaxGraphOps = 2'000'000;
inline constexpr std::uint64_t kMaxGraphBytes = DETENT_MAX_BYTES;  ///< of a region, an offset, a size
/// Worst times, delays and releases of one graph together, ps (53 days): no sum of them can wrap anywhere.
inline constexpr std::uint64_t kMaxGraphTimePs = std::uint64_t{1} << 62U;

/// Read an op graph file, or a table of ops where its name ends in .csv (models/files/op_table.hpp).
///
/// Regions become WORKSPACE regions, each different byte range one RANGE tensor named "region[begin,end)", each op an
/// op with kernel "mix" that may share bytes with its own inputs, and a time of 0 where the file gives none.
/// Beyond syntax and schema it is checked that ids are dense and different (B26), edges refer to existing ops (B22),
/// join different ops (B21), stand there once (B23) and close no cycle (B20, the message walks it), that ranges lie
/// inside their regions (B40, B41) and no size is 0 (B47). Of /2: see GraphValues; ranges of different values are
/// different tensors, named "x in region[begin,end)". Races and lost updates are verify's business.
/// Regions may be far larger than memory: analyses and timing-only simulation need none; executing them does, and
/// whoever executes has to refuse.
/// @throws InputError  with file, place and remedy
/// @note   linear; 1,000,000 ops of 200 bytes take about 4 s and 1.3 GB
Model read_graph(const std::string& path);
/// The same from text, which is released as soon as it is parsed; `file` is named in errors.
Model parse_graph(std::string text, const std::string& file);

/// The file's text, one op a line; parse_graph gives the model back. Same model, same bytes. detent.graph/2 where the
/// model has values, guards, inputs or outputs, else /1.
/// @throws InputError  the model is no op graph: a tensor is no range, or a region no workspace
std::string format_graph(const Model& model);
void write_graph(const Model& model, const std::string& path);

}  // namespace detent::models
