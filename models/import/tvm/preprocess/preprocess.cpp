#include "models/import/tvm/preprocess/preprocess.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/preprocess/file.hpp"

namespace detent::models::tvm {
namespace {

/// What every compiler of a package defines, whatever its target.
constexpr std::array kPredefined = {"__STDC__ 1", "__STDC_VERSION__ 201112L", "__STDC_HOSTED__ 1", "__GNUC__ 4",
                                    "__GNUC_MINOR__ 2", "__GNUC_PATCHLEVEL__ 1", "__CHAR_BIT__ 8", "__SIZEOF_SHORT__ 2",
                                    "__SIZEOF_INT__ 4", "__SIZEOF_LONG_LONG__ 8", "__SIZEOF_FLOAT__ 4",
                                    "__SIZEOF_DOUBLE__ 8", "__INT_MAX__ 0x7fffffff", "__ORDER_LITTLE_ENDIAN__ 1234",
                                    "__ORDER_BIG_ENDIAN__ 4321", "__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__",
                                    // What TVM's micro-kernels take for granted, whoever's header defines it.
                                    "__STATIC_FORCEINLINE static inline __attribute__((always_inline))",
                                    "__STATIC_INLINE static inline", "__INLINE inline"};

void take_flags(PpState& state) {
  for (std::size_t i = 0; i < state.options.flags.size(); ++i) {
    std::string flag = state.options.flags[i];
    if ((flag == "-D" || flag == "-U") && i + 1 < state.options.flags.size()) flag += state.options.flags[++i];
    if (flag.size() < 3 || (!flag.starts_with("-D") && !flag.starts_with("-U"))) continue;
    std::string text = flag.substr(2);
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const bool removes = flag[1] == 'U';
    if (equals == std::string::npos) {
      text += " 1";
    } else {
      text[equals] = ' ';
    }
    try {
      removes ? state.macros.undefine(name) : state.macros.define(text);
    } catch (const PpFault& fault) {
      throw InputError("--cflags", "", printable_name(flag) + ": " + fault.what);
    }
    if (!removes) state.defined.insert(name.substr(0, name.find('(')));
  }
}

}  // namespace

std::vector<IncludeLine> include_lines(const std::string& text) {
  constexpr std::size_t kMost = 10'000;
  std::vector<IncludeLine> lines;
  std::size_t counted = 0;
  std::uint32_t line = 1;
  for (std::size_t at = text.find("include"); at != std::string::npos && lines.size() < kMost;
       at = text.find("include", at + 7)) {
    const std::size_t hash = text.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    if (at == 0 || hash == std::string::npos || text[hash] != '#') continue;
    const std::size_t before = hash == 0 ? std::string::npos : text.find_last_not_of(" \t", hash - 1);
    if (before != std::string::npos && text[before] != '\n') continue;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t open = text.find_first_of("\"<", at + 7);
    const std::size_t close = open < end ? text.find(text[open] == '<' ? '>' : '"', open + 1) : std::string::npos;
    if (open >= end || close >= end) continue;
    line += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                  text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    lines.push_back({text.substr(open + 1, close - open - 1), text[open] == '"', line});
  }
  return lines;
}

bool includes_given(const std::string& text, const SourcePlace& from, const IncludePath& path) {
  const std::vector<IncludeLine> lines = include_lines(text);
  return std::any_of(lines.begin(), lines.end(), [&](const IncludeLine& one) {
    return !is_library_header(one.name) && path.find(one.name, one.quoted, from).has_value();
  });
}

Preprocessed preprocess(const std::string& text, const std::string& file, const SourcePlace& from,
                        const IncludePath& path, const PreprocessOptions& options) {
  PpState state{.path = path, .options = options};
  for (const char* one : kPredefined) state.macros.define(one);
  take_flags(state);
  FileWalk(state, text, printable_name(file.substr(file.rfind('/') + 1)), file, from).run();
  for (const std::string& name : state.defined) state.out.undefined.erase(name);
  return std::move(state.out);
}

}  // namespace detent::models::tvm
