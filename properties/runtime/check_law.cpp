// Laws of the artifact checks: every valid Desc is accepted, every single change that breaks a law is found as it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <string>

#include "properties/law.hpp"
#include "properties/runtime/random_desc.hpp"

namespace detent::laws {
namespace {

using test::DescBuilder;

/// Breaks one law at a random place; false when this Desc offers no place for it.
struct Mutation {
  const char* name;
  detent_status expected;
  bool (*apply)(DescBuilder& b, Tape& random);
};

std::uint32_t any_op(const DescBuilder& b, Tape& random) {
  return random.below(static_cast<std::uint32_t>(b.ops.size()));
}
std::uint32_t any_tensor(const DescBuilder& b, Tape& random) {
  return random.below(static_cast<std::uint32_t>(b.tensors.size()));
}

/// A random op whose successor list has at least `count` entries, or DETENT_NONE.
std::uint32_t op_with_successors(const DescBuilder& b, Tape& random, std::uint32_t count) {
  const std::uint32_t start = any_op(b, random);
  for (std::uint32_t i = 0; i < b.ops.size(); ++i) {
    const std::uint32_t op = (start + i) % static_cast<std::uint32_t>(b.ops.size());
    if (b.ops[op].successors.count >= count) return op;
  }
  return DETENT_NONE;
}

/// A random tensor for which `holds`, or DETENT_NONE.
template <typename Holds>
std::uint32_t tensor_where(const DescBuilder& b, Tape& random, const Holds& holds) {
  const std::uint32_t start = any_tensor(b, random);
  for (std::uint32_t i = 0; i < b.tensors.size(); ++i) {
    const std::uint32_t tensor = (start + i) % static_cast<std::uint32_t>(b.tensors.size());
    if (holds(b.tensors[tensor])) return tensor;
  }
  return DETENT_NONE;
}

bool is_view(const detent_tensor& t) { return t.alias_of != DETENT_NONE; }
bool is_live(const detent_tensor& t) { return t.live_begin != DETENT_NONE; }

bool cycle(DescBuilder& b, Tape& random) {
  const std::uint32_t op = op_with_successors(b, random, 1);
  if (op == DETENT_NONE) return false;
  b.add_edge(b.successors[b.ops[op].successors.first], op);
  return true;
}

bool self_edge(DescBuilder& b, Tape& random) {
  const std::uint32_t op = any_op(b, random);
  b.add_edge(op, op);
  return true;
}

bool successor_range(DescBuilder& b, Tape& random) {
  if (b.successors.empty()) return false;
  b.successors[random.below(static_cast<std::uint32_t>(b.successors.size()))] =
      static_cast<std::uint32_t>(b.ops.size()) + random.below(1000);
  return true;
}

bool duplicate_edge(DescBuilder& b, Tape& random) {
  const std::uint32_t op = op_with_successors(b, random, 1);
  if (op == DETENT_NONE) return false;
  b.add_edge(op, b.successors[b.ops[op].successors.first]);
  return true;
}

bool indegree(DescBuilder& b, Tape& random) {
  const std::uint32_t op = op_with_successors(b, random, 1);
  if (op == DETENT_NONE) return false;
  ++b.ops[b.successors[b.ops[op].successors.first]].entry_count;  // an op that is no entry, so entries remain
  return true;
}

bool no_entry(DescBuilder& b, Tape&) {
  for (detent_op& op : b.ops) ++op.entry_count;
  return true;
}

bool op_id(DescBuilder& b, Tape& random) {
  b.ops[any_op(b, random)].id += 1 + random.below(5);
  return true;
}

bool lost_output(DescBuilder& b, Tape&) {
  b.ops[b.ops.size() - 1].outputs.count = 0;  // nobody reads the last tensor; it is a model output
  return true;
}

bool two_producers(DescBuilder& b, Tape& random) {
  const std::uint32_t op = any_op(b, random);
  const std::uint32_t other = (op + 1) % static_cast<std::uint32_t>(b.ops.size());
  b.tensor_refs[b.ops[op].outputs.first] = b.tensor_refs[b.ops[other].outputs.first];
  return b.ops[op].inputs.count == 0 && b.ops[other].inputs.count == 0;  // no other law may break with it
}

bool unknown_kernel(DescBuilder& b, Tape& random) {
  b.ops[any_op(b, random)].kernel = 2 + random.below(100);
  return true;
}

bool shape(DescBuilder& b, Tape& random) {
  detent_tensor& t = b.tensors[any_tensor(b, random)];
  t.dims[0] = random.one_in(2) ? t.dims[0] + 1 : -t.dims[0];
  return true;
}

bool out_of_region(DescBuilder& b, Tape& random) {
  detent_tensor& t = b.tensors[any_tensor(b, random)];
  t.offset_bytes = (b.regions[t.region].size_bytes - t.size_bytes + 64) / 64 * 64 + 64 * random.below(3);
  return t.offset_bytes + t.size_bytes > b.regions[t.region].size_bytes;
}

bool offset_wrap(DescBuilder& b, Tape& random) {
  b.tensors[any_tensor(b, random)].offset_bytes = UINT64_MAX - random.below(16);
  return true;
}

bool overlap(DescBuilder& b, Tape& random) {
  const auto in_workspace = [](const detent_tensor& t) { return t.region == 1 && is_live(t); };
  const std::uint32_t first = tensor_where(b, random, in_workspace);
  const std::uint32_t second = tensor_where(b, random, [&](const detent_tensor& t) {
    return in_workspace(t) && &t != &b.tensors[first] && t.live_begin <= b.tensors[first].live_end &&
           b.tensors[first].live_begin <= t.live_end;
  });
  if (second == DETENT_NONE || b.tensors[second].size_bytes > b.tensors[first].size_bytes) return false;
  for (detent_tensor& t : b.tensors) {
    if (t.alias_of == second) t.offset_bytes += b.tensors[first].offset_bytes - b.tensors[second].offset_bytes;
  }
  b.tensors[second].offset_bytes = b.tensors[first].offset_bytes;
  return true;
}

bool alias(DescBuilder& b, Tape& random) {
  const std::uint32_t view = tensor_where(b, random, is_view);
  if (view == DETENT_NONE) return false;
  b.tensors[view].alias_of = view;
  return true;
}

bool alias_type(DescBuilder& b, Tape& random) {
  const std::uint32_t view = tensor_where(b, random, is_view);
  if (view == DETENT_NONE) return false;
  b.tensors[view].dtype = DETENT_I32;
  return true;
}

bool weight_written(DescBuilder& b, Tape& random) {
  detent_op& op = b.ops[any_op(b, random)];
  op.weights = op.outputs;
  return true;
}

bool empty(DescBuilder& b, Tape& random) {
  b.tensors[any_tensor(b, random)].size_bytes = 0;
  return true;
}

bool alignment(DescBuilder& b, Tape& random) {
  b.tensors[any_tensor(b, random)].align_bytes = 3 * (1 + random.below(40));
  return true;
}

bool lifetime(DescBuilder& b, Tape& random) {
  detent_tensor& t = b.tensors[any_tensor(b, random)];
  t.live_begin = is_live(t) ? t.live_end + 1 : 0;
  return true;
}

/// The last user of a tensor comes after the end that it claims.
bool used_after_lifetime(DescBuilder& b, Tape& random) {
  const std::uint32_t tensor =
      tensor_where(b, random, [](const detent_tensor& t) { return is_live(t) && t.live_end > t.live_begin; });
  if (tensor == DETENT_NONE) return false;
  --b.tensors[tensor].live_end;
  return true;
}

/// The op that writes it comes before the begin that it claims.
bool used_before_lifetime(DescBuilder& b, Tape& random) {
  const std::uint32_t tensor =
      tensor_where(b, random, [](const detent_tensor& t) { return is_live(t) && t.live_end > t.live_begin; });
  if (tensor == DETENT_NONE) return false;
  ++b.tensors[tensor].live_begin;
  return true;
}

bool table_range(DescBuilder& b, Tape& random) {
  b.tensor_refs[random.below(static_cast<std::uint32_t>(b.tensor_refs.size()))] =
      static_cast<std::uint32_t>(b.tensors.size());
  return true;
}

const Mutation kMutations[] = {
    {"cycle", DETENT_CYCLE, cycle},
    {"self edge", DETENT_SELF_EDGE, self_edge},
    {"successor range", DETENT_SUCCESSOR_RANGE, successor_range},
    {"duplicate edge", DETENT_DUPLICATE_EDGE, duplicate_edge},
    {"indegree", DETENT_INDEGREE, indegree},
    {"no entry", DETENT_NO_ENTRY, no_entry},
    {"op id", DETENT_OP_ID, op_id},
    {"lost output", DETENT_OUTPUT_UNWRITTEN, lost_output},
    {"two producers", DETENT_PRODUCER, two_producers},
    {"unknown kernel", DETENT_UNKNOWN_KERNEL, unknown_kernel},
    {"shape", DETENT_SHAPE, shape},
    {"out of region", DETENT_OUT_OF_REGION, out_of_region},
    {"offset wrap", DETENT_OFFSET_WRAP, offset_wrap},
    {"overlap", DETENT_OVERLAP, overlap},
    {"alias", DETENT_ALIAS, alias},
    {"alias type", DETENT_ALIAS_TYPE, alias_type},
    {"weight written", DETENT_WEIGHT_WRITTEN, weight_written},
    {"empty", DETENT_EMPTY, empty},
    {"alignment", DETENT_ALIGNMENT, alignment},
    {"lifetime", DETENT_LIFETIME, lifetime},
    {"used after lifetime", DETENT_LIFETIME, used_after_lifetime},
    {"used before lifetime", DETENT_LIFETIME, used_before_lifetime},
    {"table range", DETENT_TABLE_RANGE, table_range},
};

/// The bands of a production may be read in full only when both exist, so losing one output can break B27 instead.
bool matches(detent_status expected, detent_status found) {
  return found == expected || (expected == DETENT_OUTPUT_UNWRITTEN && found == DETENT_PRODUCER);
}

RC_GTEST_PROP(CheckLaw, ValidDescsAreAccepted, ()) {
  law_of_values(tapes(), [](const std::vector<std::uint32_t>& choices) {
    RandomDesc random(choices, 40);
    const detent_error error = test::check(random.builder().refresh());
    RC_LOG() << "status " << detent_status_name(error.status) << " op " << error.op << " tensor " << error.tensor;
    RC_ASSERT(error.status == DETENT_OK);
  });
}

RC_GTEST_PROP(CheckLaw, EachBrokenLawIsFoundAsItself, ()) {
  law_of_values(rc::gen::pair(tapes(), tapes()), [](const auto& choices) {
    for (const Mutation& mutation : kMutations) {
      RandomDesc random(choices.first, 20);
      Tape where(choices.second);
      if (!mutation.apply(random.builder(), where)) continue;
      const detent_error error = test::check(random.builder().refresh());
      RC_LOG() << mutation.name << ": found " << detent_status_name(error.status) << "\n";
      RC_ASSERT(matches(mutation.expected, error.status));
    }
  });
}

void damage(DescBuilder& b, Tape& draw) {
  const auto smash = [&draw](void* table, std::size_t bytes) {
    static_cast<std::uint8_t*>(table)[draw.below(static_cast<std::uint32_t>(bytes))] ^=
        static_cast<std::uint8_t>(1 + draw.below(255));
  };
  detent_op& op = b.ops[any_op(b, draw)];
  detent_tensor& t = b.tensors[any_tensor(b, draw)];
  switch (draw.below(4)) {
    case 0:
      smash(&op.id, sizeof op - offsetof(detent_op, id));
      break;
    case 1:
      smash(&t.region, sizeof t - offsetof(detent_tensor, region));
      break;
    case 2:
      smash(b.tensor_refs.data(), b.tensor_refs.size() * sizeof b.tensor_refs[0]);
      break;
    default:
      if (!b.successors.empty()) smash(b.successors.data(), b.successors.size() * sizeof b.successors[0]);
      break;
  }
}

/// Random damage to any table: the checks must come back, whatever they find (run under the sanitizers).
RC_GTEST_PROP(CheckLaw, RandomDamageIsSurvived, ()) {
  law_of_values(rc::gen::pair(tapes(), tapes()), [](const auto& choices) {
    RandomDesc random(choices.first, 12);
    Tape draw(choices.second);
    for (int i = 0; i < 3; ++i) damage(random.builder(), draw);
    const detent_error error = test::check(random.builder().refresh());
    RC_CLASSIFY(error.status == DETENT_OK, "harmless");
    RC_ASSERT(std::string(detent_status_name(error.status)) != "?");
  });
}

}  // namespace
}  // namespace detent::laws
