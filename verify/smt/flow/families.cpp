// Tables -> the serial order, then touches by tensor that is no view.
#include "verify/smt/flow/families.hpp"

#include <span>
#include <stdexcept>

#include "verify/smt/solver/byte_terms.hpp"
#include "verify/smt/solver/serial_order.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::smt {
namespace {

using Row = std::span<const std::uint32_t>;

class FamilyTable {
 public:
  explicit FamilyTable(const detent_desc& desc) : desc_(desc), families_(desc.tensor_count) {}

  std::vector<Family> find() {
    const std::vector<std::uint32_t> order = serial_order(desc_);
    if (order.size() != desc_.op_count) throw std::invalid_argument("the edges close a cycle; repair the tables");
    const auto last = static_cast<std::uint32_t>(order.size() + 1);
    const Row refs{desc_.tensor_refs, desc_.tensor_ref_count};
    add_inputs();
    for (std::uint32_t step = 1; step < last; ++step) {
      const detent_op& op = desc_.ops[order[step - 1]];
      for (const std::uint32_t id : row_of(op.inputs, refs, desc_.tensor_count)) add({step, op.id, id}, false);
      for (const std::uint32_t id : row_of(op.outputs, refs, desc_.tensor_count)) add({step, op.id, id}, true);
    }
    for (const std::uint32_t id :
         row_of({0, desc_.output_count}, {desc_.outputs, desc_.output_count}, desc_.tensor_count)) {
      add({last, DETENT_NONE, id}, false);
    }
    std::vector<Family> found;
    for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
      Family& family = families_[id];
      if (family.writes.empty() || family.reads.empty()) continue;
      const char* const name = desc_.tensors[id].name;
      family.name = name != nullptr && name[0] != '\0' ? name : "tensor " + std::to_string(id);
      found.push_back(std::move(family));
    }
    return found;
  }

 private:
  void add_inputs() {
    for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
      const detent_tensor& tensor = desc_.tensors[id];
      const bool is_given = tensor.alias_of == DETENT_NONE && tensor.region < desc_.region_count &&
                            desc_.regions[tensor.region].kind == DETENT_REGION_INPUT;
      if (is_given) add({0, DETENT_NONE, id}, true);
    }
    for (const std::uint32_t id :
         row_of({0, desc_.input_count}, {desc_.inputs, desc_.input_count}, desc_.tensor_count)) {
      add({0, DETENT_NONE, id}, true);
    }
  }

  void add(const Touch& touch, bool writes) {
    const detent_tensor& tensor = desc_.tensors[touch.tensor];
    const bool has_value = (tensor.flags & DETENT_TENSOR_RANGE) == 0 && tensor.region < desc_.region_count &&
                           desc_.regions[tensor.region].kind != DETENT_REGION_WEIGHTS && describes_bytes(tensor);
    if (!has_value) return;
    Family& family = families_[base_of(touch.tensor)];
    std::vector<Touch>& touches = writes ? family.writes : family.reads;
    const bool is_known =
        !touches.empty() && touches.back().step == touch.step && touches.back().tensor == touch.tensor;
    if (!is_known) touches.push_back(touch);
  }

  [[nodiscard]] TensorId base_of(TensorId id) const {
    const TensorId view = id;
    for (std::uint32_t steps = 0; desc_.tensors[id].alias_of != DETENT_NONE; ++steps) {
      id = desc_.tensors[id].alias_of;
      if (id >= desc_.tensor_count || steps == desc_.tensor_count) {
        throw std::invalid_argument(tensor_name(desc_, view) + " is a view of nothing; repair the tables");
      }
    }
    return id;
  }

  const detent_desc& desc_;
  std::vector<Family> families_;  ///< by tensor
};

}  // namespace

std::vector<Family> find_families(const detent_desc& desc) { return FamilyTable(desc).find(); }

}  // namespace detent::verify::smt
