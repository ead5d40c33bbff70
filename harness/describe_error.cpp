// Errors for people: status and indices -> one sentence with catalogue number, names and a remedy.
#include <string>

#include "harness/instance.hpp"

namespace detent::harness {
namespace {

/// What the reader of a message can do about it.
const char* remedy(detent_status status) {
  switch (status) {
    case DETENT_OK:
      return "";
    case DETENT_INVALID_ARGUMENT:
      return "correct the argument";
    case DETENT_NO_SPACE:
      return "give at least detent_arena_bytes() bytes";
    case DETENT_BUSY:
      return "wait for the active run, or use a second context";
    case DETENT_BAD_STATE:
      return "call detent_reset first";
    case DETENT_CANCELLED:
      return "call detent_reset to run again";
    case DETENT_TIMEOUT:
      return "raise the deadline or look at the back end of this op";
    case DETENT_KERNEL_FAILED:
      return "look up the kernel's code; detent_reset makes the context usable again";
    case DETENT_WORKER_FAILED:
      return "use fewer workers or raise the limit on threads";
    case DETENT_STALLED:
      return "check that every core class has a worker and every pending op completes";
    case DETENT_FOREIGN_COMPLETION:
      return "complete each pending op exactly once";
    case DETENT_UNSUPPORTED:
      return "choose another mode";
    case DETENT_STALE:
      return "prepare the network again on this device";
    case DETENT_INSUFFICIENT_SIZE:
      return "give as many bytes as the region has";
    case DETENT_CYCLE:
      return "remove one edge of the cycle";
    case DETENT_SELF_EDGE:
      return "remove the edge";
    case DETENT_SUCCESSOR_RANGE:
      return "name an op that exists";
    case DETENT_DUPLICATE_EDGE:
      return "list each successor once, in ascending order";
    case DETENT_INDEGREE:
      return "set entry_count to the number of edges that enter the op";
    case DETENT_NO_ENTRY:
      return "leave at least one op without predecessors";
    case DETENT_OP_ID:
      return "number the ops 0, 1, 2, ... in table order";
    case DETENT_PRODUCER:
      return "let exactly one op write each byte that is read";
    case DETENT_TOO_MANY_TENSORS:
      return "split the op, or concatenate its tensors in the memory plan";
    case DETENT_UNKNOWN_KERNEL:
      return "register a back end that has this kernel for the op's class, and configure a worker that may execute it";
    case DETENT_GUARD:
      return "let the guard be a BOOL of one element that lives through the run and one op writes, alone; let an op "
             "that "
             "may fail leave its inputs as they are, and guard those that read its outputs by its not having failed";
    case DETENT_OUTPUT_UNWRITTEN:
      return "let an op write the output";
    case DETENT_SHAPE:
      return "make dims, layout, blocks and size agree";
    case DETENT_OUT_OF_REGION:
      return "enlarge the region or move the tensor";
    case DETENT_OFFSET_WRAP:
      return "correct offset and size";
    case DETENT_OVERLAP:
      return "move one of them or make their lifetimes disjoint";
    case DETENT_ALIAS:
      return "let a view name a tensor that contains it";
    case DETENT_ALIAS_TYPE:
      return "give view and base the same type and a compatible alignment";
    case DETENT_IN_PLACE:
      return "move the output or set DETENT_OP_IN_PLACE";
    case DETENT_WEIGHT_WRITTEN:
      return "keep weights in WEIGHTS regions and everything else out of them";
    case DETENT_EMPTY:
      return "give a size above 0";
    case DETENT_ALIGNMENT:
      return "use a power of two that region and offset satisfy";
    case DETENT_LIFETIME:
      return "let live_begin and live_end be ops in topological order, and every op that uses the tensor lie between "
             "them";
    case DETENT_MEMORY_LIMIT:
      return "shrink the plan or choose a platform with more memory";
    case DETENT_TABLE_RANGE:
      return "correct the index or the count";
  }
  return "";
}

std::string named(const char* kind, unsigned index, const char* name) {
  std::string text = std::string(kind) + " " + std::to_string(index);
  if (name != nullptr && *name != '\0') text += std::string(" \"") + name + "\"";
  return text;
}

std::string op_text(const detent_desc& desc, unsigned op) {
  return named("op", op, desc.ops != nullptr && op < desc.op_count ? desc.ops[op].name : nullptr);
}

std::string tensor_text(const detent_desc& desc, unsigned tensor) {
  const bool known = desc.tensors != nullptr && tensor < desc.tensor_count;
  return named("tensor", tensor, known ? desc.tensors[tensor].name : nullptr);
}

std::string region_text(const detent_desc& desc, unsigned region) {
  const bool known = desc.regions != nullptr && region < desc.region_count;
  return named("region", region, known ? desc.regions[region].name : nullptr);
}

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

/// Has an op said that its output is larger than planned?
bool asks_for_more(const detent_desc& desc, const detent_error& error) {
  if (error.status != DETENT_KERNEL_FAILED || error.code != DETENT_INSUFFICIENT_SIZE) return false;
  return desc.ops != nullptr && error.op < desc.op_count && (desc.ops[error.op].flags & DETENT_OP_SIZED) != 0;
}

std::string place_text(const detent_desc& desc, const detent_error& error) {
  std::string list;
  if (error.op != DETENT_NONE) append(list, op_text(desc, error.op));
  if (error.other_op != DETENT_NONE) append(list, op_text(desc, error.other_op));
  if (error.tensor != DETENT_NONE) append(list, tensor_text(desc, error.tensor));
  if (error.other_tensor != DETENT_NONE) append(list, tensor_text(desc, error.other_tensor));
  if (error.region != DETENT_NONE) append(list, region_text(desc, error.region));
  if (error.status == DETENT_KERNEL_FAILED) append(list, "code " + std::to_string(error.code));
  return list;
}

}  // namespace

std::string describe_error(const detent_desc& desc, const detent_error& error) {
  if (error.status == DETENT_OK) return "ok";
  const std::string catalogue = detent_status_catalogue(error.status);
  std::string text = catalogue.empty() ? "" : catalogue + " ";
  text += std::string(detent_status_name(error.status)) + ": " + detent_status_text(error.status);
  const std::string place = place_text(desc, error);
  if (!place.empty()) text += " (" + place + ")";
  const std::string advice = asks_for_more(desc, error)
                                 ? "its output is larger in this run than planned; raise the bound of its first output"
                                 : remedy(error.status);
  if (!advice.empty()) text += "; " + advice;
  return text;
}

}  // namespace detent::harness
