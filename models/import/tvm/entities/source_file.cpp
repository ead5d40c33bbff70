#include "models/import/tvm/entities/source_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/files/include_path.hpp"
#include "models/import/tvm/files/module_support.hpp"
#include "models/import/tvm/preprocess/preprocess.hpp"

namespace detent::models::tvm::entities {
namespace {

constexpr std::uint64_t kMostTableBytes = std::uint64_t{2} << 20U;

/// What run functions use of the system. Sizes do not matter: no entity touches these.
constexpr const char* kThreads = R"(
typedef _Atomic int atomic_int; typedef _Atomic unsigned atomic_uint; typedef _Atomic _Bool atomic_bool;
typedef _Atomic unsigned char atomic_uchar; typedef _Atomic short atomic_short; typedef _Atomic long atomic_long;
typedef _Atomic unsigned short atomic_ushort; typedef _Atomic unsigned long atomic_ulong;
typedef _Atomic long long atomic_llong; typedef _Atomic unsigned long long atomic_ullong;
typedef _Atomic __SIZE_TYPE__ atomic_size_t; typedef _Atomic int atomic_flag;
typedef _Atomic __INT32_TYPE__ atomic_int_least32_t; typedef _Atomic __UINT32_TYPE__ atomic_uint_least32_t;
typedef _Atomic __INTPTR_TYPE__ atomic_intptr_t; typedef _Atomic __UINTPTR_TYPE__ atomic_uintptr_t;
typedef unsigned long pthread_t; typedef struct { long detent_words[8]; } pthread_mutex_t;
typedef struct { long detent_words[8]; } pthread_cond_t; typedef struct { long detent_words[8]; } pthread_attr_t;
typedef struct { long detent_words[8]; } pthread_barrier_t; typedef struct { long detent_words[8]; } pthread_rwlock_t;
typedef struct { long detent_words[8]; } pthread_spinlock_t; typedef struct { long detent_words[8]; } sem_t;
typedef struct { long detent_words[8]; } mtx_t; typedef struct { long detent_words[8]; } cnd_t;
typedef unsigned long thrd_t; typedef struct detent_file FILE; typedef long ssize_t; typedef long time_t;
extern FILE *stdin; extern FILE *stdout; extern FILE *stderr;
struct timespec { time_t tv_sec; long tv_nsec; };
#define ATOMIC_VAR_INIT(x) (x)
#define ATOMIC_FLAG_INIT {0}
#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_COND_INITIALIZER {{0}}
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define static_assert _Static_assert
#define alignas _Alignas
#define alignof _Alignof
#define offsetof(type, member) __builtin_offsetof(type, member)
)";

bool is_of_system(const std::string& header) {
  constexpr std::array<std::string_view, 26> kNames = {
      "assert.h",    "ctype.h",   "errno.h",  "fenv.h",      "float.h",    "inttypes.h", "limits.h",
      "math.h",      "pthread.h", "sched.h",  "semaphore.h", "signal.h",   "stdalign.h", "stdarg.h",
      "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h",    "stdio.h",    "stdlib.h",   "stdnoreturn.h",
      "string.h",    "threads.h", "time.h",   "unistd.h",    "sys/types.h"};
  return std::find(kNames.begin(), kNames.end(), header) != kNames.end() || !known_header(header).empty();
}

[[noreturn]] void refuse_header(const std::string& file, std::uint32_t line, const std::string& name) {
  throw InputError(file, line == 0 ? "" : std::to_string(line),
                   "includes " + name + ", which is not here; give its directory with --include DIR");
}

/// Far elements cost the compiler memory for all before them.
constexpr std::uint64_t kMostIndex = std::uint64_t{1} << 20U;

std::uint64_t number_in(std::string_view word) {
  std::uint64_t value = 0;
  const bool is_hexadecimal = word.starts_with("0x") || word.starts_with("0X");
  if (is_hexadecimal) word.remove_prefix(2);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, is_hexadecimal ? 16 : 10);
  return error == std::errc::result_out_of_range ? UINT64_MAX : value;
}

/// The largest number that a text gives to a name: `#define NAME 7`, `NAME = 7` of an enumeration.
std::uint64_t largest_value(std::string_view text, std::string_view name) {
  std::uint64_t most = 0;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_word(text[at - 1])) || (end < text.size() && is_word(text[end]))) continue;
    const std::size_t value = std::min(text.find_first_not_of(" \t=(", end), text.size());
    if (value < text.size() && is_digit(text[value])) most = std::max(most, number_in(text.substr(value)));
  }
  return most;
}

/// May an index of an initialiser lie far behind its first elements?
/// @param values  of names, once they are known
bool is_far(std::string_view index, std::string_view text, std::map<std::string, std::uint64_t, std::less<>>& values) {
  if (index.find("<<") != std::string_view::npos || index.find('*') != std::string_view::npos) return true;
  for (std::size_t i = 0; i < index.size();) {
    std::size_t end = i;
    while (end < index.size() && is_word(index[end])) ++end;
    const std::string_view word = index.substr(i, end - i);
    if (!word.empty() && is_digit(word[0]) && number_in(word) > kMostIndex) return true;
    if (!word.empty() && !is_digit(word[0])) {
      auto known = values.find(word);
      if (known == values.end()) known = values.emplace(std::string(word), largest_value(text, word)).first;
      if (known->second > kMostIndex) return true;
    }
    i = std::max(end, i + 1);
  }
  return false;
}

/// `{[3] = x, [4 ... 9] = y}` with indices that are not small. Only in an initialiser stands a bracket behind a brace
/// or a comma.
void refuse_far_elements(std::string_view text, const std::string& file) {
  char before = ' ';
  bool is_index = false;  // the bracket before was one of an initialiser
  std::map<std::string, std::uint64_t, std::less<>> values;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '[') {
      is_index = before == '{' || before == ',' || (before == ']' && is_index);
    }
    if (text[at] == '[' && is_index) {
      const std::size_t close = std::min(text.find(']', at), text.size());
      if (is_far(text.substr(at + 1, close - at - 1), text, values)) {
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        throw InputError(file, std::to_string(line),
                         "an index in an initialiser that is not below 2^20, or is computed; write it as a number");
      }
    }
    if (text[at] != ' ' && text[at] != '\n' && text[at] != '\t') before = text[at];
  }
}

}  // namespace

CUnit parse_source(std::string text, const std::string& file, const std::string& path, const EntityOptions& options) {
  std::vector<std::string> directories;
  if (!path.empty()) {
    const std::size_t slash = path.rfind('/');
    directories.push_back(slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash));
  }
  directories.insert(directories.end(), options.includes.begin(), options.includes.end());
  const IncludePath include(directories);
  ParseOptions parse;
  parse.target.flags = meaning_flags(options.flags);
  parse.limits.max_table_bytes = kMostTableBytes;
  parse.declarations = kThreads;
  const SourcePlace nowhere;
  const bool has_headers = includes_given(text, nowhere, include);
  if (has_headers) {
    Preprocessed whole = preprocess(text, file, nowhere, include, {.flags = parse.target.flags});
    for (const MissingHeader& missing : whole.missing) {
      if (!is_of_system(missing.name))
        refuse_header(missing.file.empty() ? file : missing.file, missing.line, missing.name);
    }
    text = std::move(whole.text);
  } else {
    for (const IncludeLine& one : include_lines(text)) {
      if (!is_of_system(one.name)) refuse_header(file, one.line, one.name);
    }
  }
  refuse_far_elements(text, file);
  CUnit unit = parse_any_c(std::move(text), file, parse);
  unit.has_headers = has_headers;
  return unit;
}

}  // namespace detent::models::tvm::entities
