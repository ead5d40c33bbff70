// Objects: what the pointers of a function can point into.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/footprint/memory/value.hpp"

namespace detent::models::tvm::footprint {

struct Object {
  enum class Kind : std::uint8_t {
    kParam,     ///< memory behind parameter (packed: argument) `index`
    kPool,      ///< pool use `index`
    kPrivate,   ///< locals and workspaces: nobody else sees them
    kConstant,  ///< file-scope data; index: 0, or one more than that of a table of constants
    kNull,
    kArguments,  ///< the TVMValue array of a packed function
    kTensor,     ///< the DLTensor of argument `index`
    kWild        ///< a pointer that was read from memory or made from a number
  };
  Kind kind = Kind::kPrivate;
  std::uint32_t index = 0;
  std::uint64_t workspace_bytes = 0;
  bool reads_escape = false, writes_escape = false;  ///< handed to a function that is not known
  bool is_stored = false;                            ///< written here, or handed to one that no list of vendors has
  std::uint32_t epoch = 0;                           ///< number of writes seen; kPrivate
  bool holds_records = false;                        ///< members of records are accessed in it
  std::set<std::string> elements;
};

class Objects {
 public:
  [[nodiscard]] Object& operator[](ObjectId id) { return objects_[id]; }
  [[nodiscard]] const Object& operator[](ObjectId id) const { return objects_[id]; }
  /// A new one.
  ObjectId add(Object::Kind kind, std::uint32_t index);
  /// The one of this kind and index.
  ObjectId of(Object::Kind kind, std::uint32_t index);
  /// Memory that somebody else may know by another name.
  [[nodiscard]] bool is_shared(ObjectId id) const { return objects_[id].kind != Object::Kind::kPrivate; }
  [[nodiscard]] bool is(const Value& value, Object::Kind kind) const {
    return value.kind == Value::Kind::kPointer && objects_[value.object].kind == kind;
  }
  [[nodiscard]] const std::vector<Object>& all() const { return objects_; }

 private:
  std::vector<Object> objects_;
  std::map<std::pair<Object::Kind, std::uint32_t>, ObjectId> ids_;
};

}  // namespace detent::models::tvm::footprint
