#include "models/import/tvm/footprint/memory/scope.hpp"

namespace detent::models::tvm::footprint {

std::size_t Scope::find(const std::string& name) const {
  for (std::size_t i = locals_.size(); i > frames_.back().first_local; --i) {
    if (locals_[i - 1].name == name) return i - 1;
  }
  return SIZE_MAX;
}

std::vector<Value> Scope::values() const {
  std::vector<Value> result;
  for (const Local& local : locals_) result.push_back(local.value);
  return result;
}

void Scope::set_values(const std::vector<Value>& values) {
  for (std::size_t i = 0; i < locals_.size(); ++i) locals_[i].value = values[i];
}

Frame Scope::leave() {
  Frame done = std::move(frames_.back());
  frames_.pop_back();
  locals_.resize(done.first_local);
  return done;
}

}  // namespace detent::models::tvm::footprint
