// IrValues: what every value of an IrFunction depends on, and where pointers point.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/import/tvm/ir/flow.hpp"
#include "models/import/tvm/ir/verdict.hpp"

namespace detent::models::tvm {

/// Why a value is not the same in every execution.
struct IrSource {
  std::string what;         ///< "data loaded"
  std::uint32_t line = 0;   ///< 0: none
  bool is_unknown = false;  ///< it may well be the same: nobody can tell
  bool is_place = false;    ///< the same wherever memory lies at the same places
};

class IrValues {
 public:
  /// A piece of memory: the node that makes its address, or one of these.
  static constexpr std::uint32_t kOutside = UINT32_MAX;         ///< whatever a loaded pointer points to
  static constexpr std::uint32_t kDescriptor = UINT32_MAX - 1;  ///< a DLTensor
  static constexpr std::uint32_t kDescribed = UINT32_MAX - 2;   ///< what a DLTensor points to

  struct State {
    std::uint32_t source = 0;          ///< 0: the same in every execution; else number of the source
    std::vector<std::uint32_t> bases;  ///< memory that it may point to, ascending
  };

  /// Follows all values. @param function, flow, options  outlive this
  IrValues(const IrFunction& function, const IrFlow& flow, const IrTaintOptions& options);

  [[nodiscard]] const State& of(std::uint32_t node) const { return states_[node]; }
  [[nodiscard]] const IrSource& source(std::uint32_t number) const { return sources_[number]; }
  [[nodiscard]] bool is_call_description(std::uint32_t base) const;
  [[nodiscard]] bool is_kind(std::uint32_t base, IrKind kind) const;
  /// Of a block that ends in a branch on data.
  [[nodiscard]] const IrRegion& region(std::uint32_t branch_block) const { return regions_.at(branch_block); }

 private:
  void pass();
  void visit(std::uint32_t id);
  State compute(std::uint32_t id);
  State phi(std::uint32_t id);
  State subtract(const IrNode& node);
  State compare(std::uint32_t id);
  State number_of_pointer(std::uint32_t id);
  State load(std::uint32_t id);
  State load_from(std::uint32_t id, std::uint32_t base);
  [[nodiscard]] bool is_second_member(std::uint32_t address) const;
  [[nodiscard]] State load_described(const IrNode& load, std::uint32_t base) const;
  State copied(std::uint32_t id);
  State joined(const IrNode& node) const;
  void set_contents(std::uint32_t id, std::uint32_t address, State value);
  void follow_branch(std::uint32_t id);
  void taint_block(std::map<std::uint32_t, std::uint32_t>& blocks, std::uint32_t block, std::uint32_t source);
  bool join(State& to, const State& from) const;
  std::uint32_t add_source(std::uint32_t id, const std::string& what, bool is_unknown);
  std::uint32_t add_place(std::uint32_t id, const std::string& what);
  /// Data says more than the place of memory, either more than nothing.
  [[nodiscard]] std::uint32_t stronger(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool have_one_base(std::uint32_t a, std::uint32_t b) const;

  const IrFunction& function_;
  const IrFlow& flow_;
  const IrTaintOptions& options_;
  std::vector<State> states_;
  std::map<std::uint32_t, State> contents_;  ///< of local variables
  std::vector<IrSource> sources_{{}};
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> source_numbers_;
  std::map<std::uint32_t, std::uint32_t> decided_;  ///< blocks that a branch on data decides over: source
  std::map<std::uint32_t, std::uint32_t> merging_;  ///< blocks where its ways meet
  std::map<std::uint32_t, IrRegion> regions_;
  bool is_changed_ = false;
};

}  // namespace detent::models::tvm
