// The text of thunks is read as it is written here and in module_text.cpp, line by line.
#include "models/import/tvm/module/thunks.hpp"

#include <algorithm>
#include <string_view>

namespace detent::models::tvm {
namespace {

constexpr const char *kMissingBegin = "\n/* Not executable: ", *kMissingEnd = " */\n";

const SourceFile* thunk_file(const Model& model) {
  const auto file = std::find_if(model.sources.begin(), model.sources.end(),
                                 [](const SourceFile& source) { return source.name == kThunkFile; });
  return file != model.sources.end() && file->text.rfind(kThunkTable) != std::string::npos ? &*file : nullptr;
}

/// What stands between `begin` and `end`, the first time behind `at`; moves `at` behind it. "" when it is not there.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end, std::size_t& at) {
  const std::size_t first = text.find(begin, at);
  const std::size_t last = first == text.npos ? first : text.find(end, first + begin.size());
  if (last == text.npos) return {};
  at = last + end.size();
  return text.substr(first + begin.size(), last - first - begin.size());
}

ThunkCall call_of(std::string_view body) {
  std::size_t at = 0;
  if (body.find(std::string("\n") + kCopyStatement) != body.npos)
    return {.kind = ThunkCall::Kind::kCopy, .function = {}};
  for (const char* const begin : {"\n  return ", "\n  result = "}) {
    at = 0;
    const std::string_view function = between(body, begin, "(", at);
    if (function.empty()) continue;
    const bool is_packed = body.substr(at - 1).starts_with(kPackedArguments);
    return {.kind = is_packed ? ThunkCall::Kind::kPacked : ThunkCall::Kind::kPlain, .function = std::string(function)};
  }
  return {};
}

}  // namespace

const char* const kAllocatorText = R"(
DETENT_TVM_PER_THREAD detent_tvm_stack detent_tvm_workspace;
void *TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes, int code, int bits) {
  const uint64_t size = (nbytes + 63u) & ~(uint64_t)63u;
  uint8_t *block = detent_tvm_workspace.base + detent_tvm_workspace.used;
  (void)device_type, (void)device_id, (void)code, (void)bits;
  if (size > detent_tvm_workspace.size - detent_tvm_workspace.used) return NULL;
  detent_tvm_workspace.used += size;
  return block;
}
int TVMBackendFreeWorkspace(int device_type, int device_id, void *ptr) {
  (void)device_type, (void)device_id;
  detent_tvm_workspace.used = (uint64_t)((uint8_t *)ptr - detent_tvm_workspace.base);
  return 0;
}
void TVMAPISetLastError(const char *message) { (void)message; }
)";

std::string thunk_head(const std::string& symbol) {
  return "static int32_t " + symbol + "(const detent_kernel_args *args) {\n";
}

std::map<std::string, ThunkCall> thunk_calls(const Model& model) {
  std::map<std::string, ThunkCall> calls;
  const SourceFile* const file = thunk_file(model);
  if (file == nullptr) return calls;
  const std::string_view text = file->text;
  std::size_t at = text.rfind(kThunkTable) + std::string_view(kThunkTable).size();
  for (std::string_view row = between(text, "    {\"", "},\n", at); !row.empty();
       row = between(text, "    {\"", "},\n", at)) {
    const std::size_t quote = row.find("\", ");
    const std::size_t comma = quote == row.npos ? quote : row.find(", ", quote + 3);
    if (comma == row.npos || quote == 0) break;
    const std::string head = thunk_head(std::string(row.substr(quote + 3, comma - quote - 3)));
    std::size_t begin = text.rfind(head);
    if (begin == text.npos) continue;
    begin += head.size() - 1;  // the body begins with a line end, as all its lines do
    const std::size_t end = text.find("\n}\n", begin);
    if (end != text.npos) calls[std::string(row.substr(0, quote))] = call_of(text.substr(begin, end - begin));
  }
  return calls;
}

std::string missing_comment(const std::string& text) { return kMissingBegin + text + kMissingEnd; }

std::string missing_code(const Model& model) {
  const SourceFile* const file = thunk_file(model);
  if (file == nullptr) return {};
  std::size_t table = file->text.rfind(kThunkTable);
  for (const Op& op : model.ops) {
    if (file->text.find("\n    {\"" + op.kernel + "\", ", table) != std::string::npos) continue;
    const std::string_view told = between(file->text, kMissingBegin, kMissingEnd, table);
    if (!told.empty()) return std::string(told);
    return op.kernel +
           " has no definition in the package that can be executed: none that compiles, or none whose arguments have "
           "known lengths";
  }
  return {};
}

bool has_own_allocator(const Model& model) {
  const SourceFile* const file = thunk_file(model);
  return file != nullptr && file->text.find(kAllocatorText) != std::string::npos;
}

}  // namespace detent::models::tvm
