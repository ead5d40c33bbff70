#include "sim/together/joint_desc.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include <detent/limits.h>

namespace detent::sim {

JointDesc::JointDesc(const std::vector<const detent_desc*>& descs) {
  classes_.reserve(DETENT_MAX_CLASSES);  // descs point to it
  for (const detent_desc* const desc : descs) {
    std::vector<std::uint32_t> joint(desc->class_count);
    for (std::uint32_t i = 0; i < desc->class_count; ++i) joint[i] = class_of(desc->classes[i]);
    std::vector<detent_op> ops(desc->ops, desc->ops + desc->op_count);
    for (detent_op& op : ops) op.core_class = joint[op.core_class];
    first_ops_.emplace_back(static_cast<std::uint32_t>(all_ops_.size()));
    all_ops_.insert(all_ops_.end(), ops.begin(), ops.end());
    network_ops_.push_back(std::move(ops));
  }
  for (std::size_t i = 0; i < descs.size(); ++i) {
    detent_desc network = *descs[i];
    network.ops = network_ops_[i].data();
    network.classes = classes_.data();
    network.class_count = static_cast<std::uint32_t>(classes_.size());
    networks_.push_back(network);
  }
  ops_desc_.ops = all_ops_.data();
  ops_desc_.op_count = static_cast<std::uint32_t>(all_ops_.size());
  ops_desc_.classes = classes_.data();
  ops_desc_.class_count = static_cast<std::uint32_t>(classes_.size());
}

std::uint32_t JointDesc::class_of(const detent_class& wanted) {
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    if (std::string_view(classes_[i].name) != wanted.name) continue;
    if (classes_[i].kind == wanted.kind) return i;
    throw std::invalid_argument(std::string("together: class '") + wanted.name +
                                "' has workers in one network and none in another");
  }
  if (classes_.size() == DETENT_MAX_CLASSES) {
    throw std::invalid_argument("together: the networks have more than " + std::to_string(DETENT_MAX_CLASSES) +
                                " classes of cores");
  }
  classes_.push_back(wanted);
  return static_cast<std::uint32_t>(classes_.size() - 1);
}

}  // namespace detent::sim
