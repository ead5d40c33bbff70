// The text of thunks is read as it is written here and in module_text.cpp, line by line.
#include "models/core/thunks.hpp"

#include <algorithm>
#include <string_view>

namespace detent::models {
namespace {

constexpr const char *kMissingBegin = "\n/* Not executable: ", *kMissingEnd = " */\n";

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
    const std::string_view arguments = body.substr(at - 1);
    ThunkCall::Kind kind = ThunkCall::Kind::kPlain;
    if (arguments.starts_with(kPackedArguments)) kind = ThunkCall::Kind::kPacked;
    if (arguments.starts_with(kKernelArguments)) kind = ThunkCall::Kind::kKernel;
    return {.kind = kind, .function = std::string(function)};
  }
  return {};
}

}  // namespace

bool names_c_function(std::string_view kernel) { return kernel.find(".c:") != kernel.npos; }

const SourceFile* thunk_file(const Model& model) {
  const auto file = std::find_if(model.sources.begin(), model.sources.end(),
                                 [](const SourceFile& source) { return source.name == kThunkFile; });
  return file != model.sources.end() && file->text.rfind(kThunkTable) != std::string::npos ? &*file : nullptr;
}

std::string thunk_head(const std::string& symbol) {
  return "static int32_t " + symbol + "(const detent_kernel_args *args) {\n";
}

std::string thunk_table(const std::string& rows, std::size_t count) {
  return "\n" + std::string(kThunkTable) + rows + "    {\"\", 0, 0},\n};\n" +
         "static const detent_kernel_table detent_thunk_table = {detent_thunks, " + std::to_string(count) + "};\n" +
         "__attribute__((visibility(\"default\"))) const detent_kernel_table *detent_module_kernels(void);\n" +
         "const detent_kernel_table *detent_module_kernels(void) { return &detent_thunk_table; }\n";
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
  const bool is_of_graph = file->text.starts_with(kThunksBegin);
  for (const Op& op : model.ops) {
    if (is_of_graph && !names_c_function(op.kernel)) continue;  // built in
    if (file->text.find("\n    {\"" + op.kernel + "\", ", table) != std::string::npos) continue;
    const std::string_view told = between(file->text, kMissingBegin, kMissingEnd, table);
    if (!told.empty()) return std::string(told);
    return op.kernel +
           " has no definition in the package that can be executed: none that compiles, or none whose arguments have "
           "known lengths";
  }
  return {};
}

}  // namespace detent::models
