// ReadCheck: an execution, op by op -> which read found bytes of another op than the one whose value it wants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "base/value_tables.hpp"
#include "harness/run.hpp"
#include "verify/flow/wants.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// A read that found something else. DETENT_NONE as reader: an output, read after the run; as `found`: nobody but the
/// application before the run.
struct MissedRead {
  std::uint32_t reader = DETENT_NONE;
  std::string value{};
  std::uint32_t found = DETENT_NONE;
  std::uint32_t region = 0;
  std::uint64_t offset_bytes = 0;  ///< of the first run of bytes with another writer
  std::uint64_t size_bytes = 0;
};

/// What executions showed about reads.
struct ReadRuns {
  std::uint64_t reads = 0;    ///< of values, in one execution, outputs included; 0: none name values, or see `refused`
  std::uint64_t runs = 0;     ///< executions in which they were checked
  std::uint64_t missing = 0;  ///< of them, those in which a read missed its value
  std::optional<MissedRead> first{};
  std::vector<std::uint32_t> schedule{};  ///< of the run that `first` is of, where it is known
  std::string refused{};                  ///< why reads cannot be followed; empty: they can
};

/// For every byte that some read wants: which op wrote it last. An op's writes count from its begin, and its values
/// are there from its end, so that an op that writes while another reads is found out. One run at a time, one thread.
/// Bytes that one op gives to two values hold neither. Orders that are declared not to matter (commute groups) are
/// excused as in find_value_violations.
class ReadCheck {
 public:
  /// @param desc    what check_structure and check_memory_plan accept; outlives this
  /// @param tables  values of bare ranges; null: none
  ReadCheck(const detent_desc& desc, const ValueTables* tables);

  /// Reads that are followed; 0 where `refused` says why not.
  [[nodiscard]] std::uint64_t reads() const { return wants_.all.size(); }
  [[nodiscard]] const std::string& refused() const { return refused_; }

  /// Before each run: every byte is as the application left it.
  void arm();
  /// The op reads, then claims what it writes.
  void begin(OpId op);
  /// Its values are there; what it reads must still be what it wants.
  void end(OpId op);
  /// The application reads the outputs. @return  the first read of the run that missed its value
  std::optional<MissedRead> finish();
  /// All that missed theirs since arm(), in the order in which they did; each read once.
  [[nodiscard]] const std::vector<MissedRead>& missed() const { return missed_; }

 private:
  /// Cells [first, last) of the bytes, cut wherever an access begins or ends.
  struct Cells {
    std::uint32_t first = 0, last = 0;
  };
  void cut();
  [[nodiscard]] std::vector<Cells> cells_of(const std::vector<ByteRange>& ranges) const;
  void check(std::uint32_t want);
  [[nodiscard]] bool is_fine(const Want& want, std::uint32_t found) const;
  [[nodiscard]] bool is_clashed(std::uint32_t want, std::uint32_t cell) const;
  [[nodiscard]] bool commute(std::uint32_t a, std::uint32_t b) const;

  const detent_desc& desc_;
  Wants wants_;
  std::string refused_;
  std::vector<std::uint64_t> cuts_;                   ///< ascending; cell i is [cuts_[i], cuts_[i + 1])
  std::vector<std::vector<Cells>> wanted_;            ///< by want
  std::vector<std::vector<Cells>> written_;           ///< by op
  std::vector<Cells> clashes_;                        ///< by clash of wants_: bytes that hold two values of one op
  std::vector<std::vector<std::uint32_t>> wants_of_;  ///< by op, then of the application
  std::vector<std::uint32_t> writer_;                 ///< by cell
  std::vector<bool> has_ended_;                       ///< by op
  std::vector<bool> is_missed_;                       ///< by want
  std::vector<MissedRead> missed_;
};

/// The same of a recorded run of `desc`, whose trace check_trace accepts: begins and ends by time, ends first.
/// @return  none: every read found its value
std::optional<MissedRead> check_reads(const detent_desc& desc, ReadCheck& check, const harness::Trace& trace);

/// One line: who reads what, and whose bytes it found.
std::string describe_missed(const detent_desc& desc, const MissedRead& missed);

/// Property "value_flow", from executions alone: it holds for those that were run. Vacuous where no read names a value.
Verdict judge_read_runs(const detent_desc& desc, const ReadRuns& runs);

}  // namespace detent::verify
