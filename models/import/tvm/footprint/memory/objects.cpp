#include "models/import/tvm/footprint/memory/objects.hpp"

#include <utility>

namespace detent::models::tvm::footprint {

ObjectId Objects::add(Object::Kind kind, std::uint32_t index) {
  Object made;
  made.kind = kind;
  made.index = index;
  objects_.push_back(std::move(made));
  return static_cast<ObjectId>(objects_.size() - 1);
}

ObjectId Objects::of(Object::Kind kind, std::uint32_t index) {
  const auto key = std::make_pair(kind, index);
  const auto found = ids_.find(key);
  if (found != ids_.end()) return found->second;
  const ObjectId id = add(kind, index);
  ids_.emplace(key, id);
  return id;
}

}  // namespace detent::models::tvm::footprint
