// Memory: what a function reads and writes through names and pointers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/footprint/memory/access_log.hpp"
#include "models/import/tvm/footprint/memory/arithmetic.hpp"
#include "models/import/tvm/footprint/memory/binding.hpp"
#include "models/import/tvm/footprint/memory/constants.hpp"
#include "models/import/tvm/footprint/memory/findings.hpp"
#include "models/import/tvm/footprint/memory/objects.hpp"
#include "models/import/tvm/footprint/memory/scope.hpp"

namespace detent::models::tvm::footprint {

enum class AccessKind : std::uint8_t { kRead, kWrite };

/// What code that is not here may do with what a pointer points to.
enum class OutsideUse : std::uint8_t { kReads, kReadsAndWrites };

class Memory {
 public:
  Memory(const CUnit& unit, Terms& terms, Scope& scope, Objects& objects, Arithmetic& arithmetic, AccessLog& log,
         Findings& findings)
      : terms_(terms),
        scope_(scope),
        objects_(objects),
        arithmetic_(arithmetic),
        log_(log),
        findings_(findings),
        constants_(unit, terms, objects) {}

  Value read(const Place& place, const CType& type);
  void write(const Place& place, const CType& type, const Value& value);
  /// While set, a write is the last thing that its statement does.
  void set_ends_statement(bool ends) { ends_statement_ = ends; }
  Value address_of(const Place& place);
  /// From now on the program around the function is known. @param binding  null: it is not; else outlives this
  void bind(const Binding* binding) { binding_ = binding; }
  /// The object that holds a variable at file scope.
  ObjectId object_of(const Variable& variable);
  [[nodiscard]] bool has_binding() const { return binding_ != nullptr; }
  [[nodiscard]] bool is_bound(const Variable& variable) const {
    return binding_ != nullptr && binding_->variables.contains(&variable);
  }
  /// What the program gives as a parameter or has in a member. @param type  of it
  Value bound_value(const BoundValue& value, const CType& type);

  /// Adds an access to `width` bytes at a place that has an object. @param element  its C type; "" not known
  void note(const Place& place, std::int64_t width, AccessKind kind, const std::string& element);
  /// Adds an access to `size` bytes from where a pointer points.
  void note_block(const Value& pointer, NodeId size, AccessKind kind);
  /// A pointer, or a record with pointers, gets to code that is not here.
  void escape(const Value& value, OutsideUse use);
  /// While set, pointers escape to a function of a known vendor.
  void set_calls_vendor(bool calls) { calls_vendor_ = calls; }

  /// A member of a local record, as its initialiser sets it.
  void set_field(ObjectId object, std::int64_t offset, const CType& type, const Value& value);
  /// A local record of `bytes` bytes is initialised with a copy of another one.
  void copy_fields(const Place& from, std::int64_t bytes, ObjectId object, std::int64_t at);

  /// One of the two, or anything where they are of different kinds.
  Value choose(NodeId condition, const Value& a, const Value& b, const CType& type);
  /// Variables hold the first values if the condition holds, else the others.
  void merge(NodeId condition, const std::vector<Value>& held, const std::vector<Value>& failed);
  /// An address as a number.
  Value number_of(const Value& pointer, const CType& type);

 private:
  std::optional<Value> read_field(const Place& place, const CType& type);
  std::optional<Value> read_bound(const Place& place, const CType& type);
  Value read_memory(const Place& place, const CType& type);
  Value choose_pointer(NodeId condition, const Value& a, const Value& b, const CType& type);

  Terms& terms_;
  Scope& scope_;
  Objects& objects_;
  Arithmetic& arithmetic_;
  AccessLog& log_;
  Findings& findings_;
  Constants constants_;
  const Binding* binding_ = nullptr;
  bool ends_statement_ = false;
  bool calls_vendor_ = false;
  std::uint32_t shared_epoch_ = 0;  // writes to memory of others: parameters may point to the same bytes
  std::map<std::vector<std::uint32_t>, NodeId> loads_;  // object, offset, width, epoch -> data variable
  std::map<VarId, ObjectId> addresses_;                 // pointers made numbers
  // Members of local records as their initialisers set them, by object and offset; while nobody writes to the record.
  std::map<std::pair<ObjectId, std::int64_t>, std::pair<CType, Value>> fields_;
  std::set<ObjectId> records_read_;  // of which fields_ told something
};

}  // namespace detent::models::tvm::footprint
