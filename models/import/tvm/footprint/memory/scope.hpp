// Scope: the variables of the functions that are being walked, innermost last.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/footprint/memory/value.hpp"

namespace detent::models::tvm::footprint {

struct Local {
  std::string name;
  const CType* type = nullptr;
  Value value;
  ObjectId object = kNone;  ///< arrays, records, and scalars whose address was taken
};

/// A call that is being walked.
struct Frame {
  const Function* function = nullptr;
  const std::set<std::string>* addressed = nullptr;  ///< variables whose address is taken somewhere
  std::size_t first_local = 0, first_guard = 0;
  std::uint32_t loops = 0;  ///< around what is walked now
  Value result;
  bool has_result = false;
};

class Scope {
 public:
  /// Index of the innermost variable of the name, SIZE_MAX: the function has none.
  [[nodiscard]] std::size_t find(const std::string& name) const;
  [[nodiscard]] Local& operator[](std::size_t local) { return locals_[local]; }
  [[nodiscard]] const Local& operator[](std::size_t local) const { return locals_[local]; }
  [[nodiscard]] std::vector<Local>& locals() { return locals_; }
  [[nodiscard]] std::size_t size() const { return locals_.size(); }
  void add(Local local) { locals_.push_back(std::move(local)); }
  void shrink(std::size_t size) { locals_.resize(size); }

  // What all variables hold: to walk the branches of a condition from the same state.
  [[nodiscard]] std::vector<Value> values() const;
  void set_values(const std::vector<Value>& values);

  [[nodiscard]] Frame& frame() { return frames_.back(); }
  [[nodiscard]] Frame& frame(std::size_t depth) { return frames_[depth]; }
  [[nodiscard]] std::size_t depth() const { return frames_.size(); }
  void enter(Frame frame) { frames_.push_back(std::move(frame)); }
  /// Ends the innermost call and drops its variables.
  Frame leave();

 private:
  std::vector<Local> locals_;
  std::vector<Frame> frames_;
};

}  // namespace detent::models::tvm::footprint
