// Findings: what the walk of a function has found out about it, and how much work it did.
#pragma once

#include <cstdint>
#include <string>

#include "models/import/tvm/footprint/memory/function_footprint.hpp"
#include "models/import/tvm/footprint/memory/scope.hpp"

namespace detent::models::tvm::footprint {

/// Of a function that is not understood: may it make accesses that the walk has not seen?
enum class Accesses : std::uint8_t { kMayBeHidden, kAllSeen };

class Findings {
 public:
  /// @param scope  says which function an answer is about
  explicit Findings(Scope& scope) : scope_(scope) {}
  void begin(FunctionFootprint& result) { result_ = &result; }
  [[nodiscard]] FunctionFootprint& result() { return *result_; }

  /// Something is not understood: the first reason stays.
  void fail(std::uint32_t line, const std::string& why, Accesses accesses = Accesses::kMayBeHidden);
  void use_state(std::uint32_t line, const std::string& name);
  void use_thread_local(std::uint32_t line, const std::string& name);
  /// It may return an error that depends on data: nothing of it is certain to happen.
  void fail_on_data() { fails_on_data_ = true; }
  [[nodiscard]] bool fails_on_data() const { return fails_on_data_; }
  /// Pointers are compared, subtracted or made numbers: what happens may depend on where buffers lie.
  void use_addresses() { uses_addresses_ = true; }
  [[nodiscard]] bool uses_addresses() const { return uses_addresses_; }
  /// A number is made of an address, or of the distance of two buffers.
  void number_addresses() { numbers_addresses_ = true; }
  /// An access whose index may be such a number.
  void note_far_access();
  /// At the end of the walk: not understood if there are both such numbers and such accesses.
  void check_far_accesses();

  /// Floating-point operations of one trip of the loops around.
  void count_flops(std::uint64_t operations);
  /// @return the trips before, for leave_trips
  std::uint64_t enter_trips(std::uint64_t trips);
  void leave_trips(std::uint64_t before) { trips_ = before; }
  /// False: too much text has been walked, and that is said.
  bool spend(std::uint32_t line);
  void take_stack(std::uint64_t bytes);
  [[nodiscard]] std::uint64_t stack() const { return stack_bytes_; }
  void set_stack(std::uint64_t bytes) { stack_bytes_ = bytes; }
  void take_workspace(std::uint64_t bytes);
  void release_workspace(std::uint64_t bytes);
  /// False: no function has so many arguments.
  bool need_argument(std::uint32_t index);

 private:
  Scope& scope_;
  FunctionFootprint* result_ = nullptr;
  bool fails_on_data_ = false, uses_addresses_ = false, numbers_addresses_ = false;
  std::uint32_t far_line_ = 0;  // of an access; 0 none
  std::uint64_t trips_ = 1;
  std::uint64_t stack_bytes_ = 0, workspace_bytes_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace detent::models::tvm::footprint
