// CCompiler: command lines, and what a compiler's messages mean.
#include "harness/module/c_compiler.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <stdexcept>

#include "base/subprocess.hpp"

namespace detent::harness {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstall = "install one (Debian: apt install gcc libc6-dev) or name it";
constexpr std::size_t kMaxNameBytes = 200;
constexpr std::size_t kMaxMessageBytes = 400;

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \t", at);
    if (begin == std::string::npos) break;
    at = std::min(text.find_first_of(" \t", begin), text.size());
    words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

/// The command of a name as a user gives it; empty when there is no such program. A path may hold spaces.
std::vector<std::string> resolve_command(const std::string& text) {
  if (const std::string whole = find_program(text); !whole.empty()) return {whole};
  std::vector<std::string> words = split_words(text);
  if (words.empty()) return {};
  words[0] = find_program(words[0]);
  return words[0].empty() ? std::vector<std::string>{} : words;
}

std::vector<std::string> default_command() {
  for (const char* const name : {"cc", "gcc", "clang"}) {
    if (std::vector<std::string> command = resolve_command(name); !command.empty()) return command;
  }
  throw std::invalid_argument(std::string("compiler: none of cc, gcc and clang is on PATH; ") + kInstall);
}

std::vector<std::string> named_command(const std::string& text, const char* origin) {
  std::vector<std::string> command = resolve_command(text);
  if (!command.empty()) return command;
  throw std::invalid_argument("compiler: \"" + text + "\" (" + origin + ") is not an executable program; " + kInstall);
}

bool is_safe_part(const std::string& part) {
  static constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
  return !part.empty() && part[0] != '.' && part[0] != '-' && part.find_first_not_of(kAllowed) == std::string::npos;
}

bool is_safe_name(const std::string& name) {
  if (name.empty() || name.size() > kMaxNameBytes) return false;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    if (!is_safe_part(name.substr(at, end - at))) return false;
    at = end + 1;
  }
  return true;
}

/// Printable and short, whatever a name or a compiler holds.
std::string printable(std::string text) {
  if (text.size() > kMaxMessageBytes) text = text.substr(0, kMaxMessageBytes) + "...";
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

bool is_unit(const CSource& source) { return source.name.ends_with(".c"); }

void write_sources(const std::vector<CSource>& sources, const fs::path& root) {
  for (const CSource& source : sources) {
    const fs::path path = root / source.name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error || fs::is_directory(path)) {
      throw std::invalid_argument("source \"" + source.name + "\": a file and a directory of one name; rename one");
    }
    std::ofstream file(path, std::ios::binary);
    file.write(source.text.data(), static_cast<std::streamsize>(source.text.size()));
    file.close();
    if (!file) throw std::runtime_error(path.string() + ": cannot be written; free some space or set TMPDIR");
  }
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

const std::vector<std::string>& fixed_flags() {
  static const std::vector<std::string> flags = {
      "-ffp-contract=off", "-fno-strict-aliasing",     "-fPIC", "-fvisibility=hidden", "-w",
      "-std=gnu11",        "-fdiagnostics-color=never"};
  return flags;
}

std::vector<std::string> compile_command(const CSource& source, const std::string& object,
                                         const std::string& include_first, const CCompiler& compiler,
                                         const CCompileOptions& options, const char* mode = "-c") {
  std::vector<std::string> command = compiler.command;
  append(command, options.flags);
  append(command, fixed_flags());
  if (!source.is_support) append(command, options.instrument_flags);
  append(command, {"-I.", "-Iruntime/include", "-include", include_first, mode, source.name, "-o", object});
  return command;
}

std::vector<std::string> link_command(const std::vector<std::string>& objects, const std::string& result,
                                      const CCompiler& compiler, const CCompileOptions& options) {
  std::vector<std::string> command = compiler.command;
  append(command, options.flags);
  append(command, fixed_flags());
  append(command, objects);
  append(command, options.link_flags);
  append(command, {"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-lm", "-o", result});
  return command;
}

std::string describe_end(const ProcessResult& result, const std::string& compiler, std::uint64_t limit_ms) {
  switch (result.end) {
    case ProcessEnd::kTimedOut:
      return compiler + " took longer than " + std::to_string(limit_ms) + " ms; raise the limit or lower -O";
    case ProcessEnd::kSpawnFailed:
      return compiler + " cannot be started (" + std::strerror(result.code) + "); " + kInstall;
    case ProcessEnd::kSignalled:
      return compiler + " was ended by signal " + std::to_string(result.code) + "; is there enough memory?";
    case ProcessEnd::kExited:
    case ProcessEnd::kNotStarted:
      break;
  }
  return "";
}

[[noreturn]] void throw_failure(const std::string& what, const ProcessResult& result, const CCompiler& compiler,
                                const CCompileOptions& options) {
  const std::string& program = compiler.command[0];
  const std::string end = describe_end(result, program, options.time_limit_ms);
  if (!end.empty()) throw std::invalid_argument(what + ": " + end);
  std::string message = first_error(result.output);
  if (message.empty()) message = what + ": " + program + " failed with exit code " + std::to_string(result.code);
  const bool lacks_header =
      message.find("No such file") != std::string::npos || message.find("file not found") != std::string::npos;
  const char* const remedy = lacks_header
                                 ? "; give that file with the sources (C library headers: apt install libc6-dev)"
                                 : "; repair the source or change the compiler's flags";
  throw std::invalid_argument(message + remedy);
}

/// A line of gcc or clang that states an error: "a.c:3:7: error: ..." or "a.c:3:10: fatal error: ...".
bool states_error(const std::string& line) {
  return line.find(": error: ") != std::string::npos || line.find(": fatal error: ") != std::string::npos;
}

/// A driver's own last word, which only repeats that something failed.
bool is_summary(const std::string& line) {
  return line.starts_with("collect2:") || line.find("linker command failed") != std::string::npos;
}

bool states_link_error(const std::string& line) {
  return line.find("undefined reference") != std::string::npos ||
         line.find("multiple definition") != std::string::npos || line.find("undefined symbol") != std::string::npos ||
         line.find("cannot find -l") != std::string::npos;
}

/// "a.c:3:7: error: text" -> "a.c:3: text".
std::string without_column(const std::string& line) {
  const std::size_t mark = std::min(line.find(": error: "), line.find(": fatal error: "));
  const std::size_t text = line.find("error: ", mark) + std::strlen("error: ");
  std::string place = line.substr(0, mark);
  const std::size_t last = place.rfind(':');
  const std::size_t before = last == std::string::npos || last == 0 ? std::string::npos : place.rfind(':', last - 1);
  const bool has_column = before != std::string::npos && last + 1 < place.size() &&
                          place.find_first_not_of("0123456789", before + 1) == last;
  if (has_column) place.resize(last);
  return place + ": " + line.substr(std::min(text, line.size()));
}

}  // namespace

CCompiler find_compiler(const std::string& option) {
  const char* const environment = std::getenv("CC");
  CCompiler compiler;
  if (!option.empty()) {
    compiler.command = named_command(option, "as given");
  } else if (environment != nullptr && !split_words(environment).empty()) {
    compiler.command = named_command(environment, "from CC");
  } else {
    compiler.command = default_command();
  }
  std::vector<std::string> question = compiler.command;
  question.push_back("--version");
  const ProcessResult answer = run_processes({question}, {.directory = "", .jobs = 1, .time_limit_ms = 10'000})[0];
  if (!answer.succeeded() || answer.output.empty()) {
    throw std::invalid_argument("compiler: " + printable(compiler.command[0]) + " does not answer --version; " +
                                kInstall);
  }
  compiler.version = answer.output;
  compiler.is_clang = answer.output.find("clang") != std::string::npos;
  return compiler;
}

void require_safe_sources(const std::vector<CSource>& sources, const CCompileOptions& options) {
  std::set<std::string> names;
  bool has_unit = false;
  for (const CSource& source : sources) {
    const std::string shown = "source \"" + printable(source.name) + "\": ";
    if (!is_safe_name(source.name)) {
      throw std::invalid_argument(shown + "not a safe relative name; use letters, digits and ._+- below the directory");
    }
    if (!names.insert(source.name).second) throw std::invalid_argument(shown + "duplicate name; rename one");
    has_unit = has_unit || (is_unit(source) && !source.is_support);
  }
  if (!has_unit) throw std::invalid_argument("sources: no file ends in .c; nothing to compile");
  for (const auto* flags : {&options.flags, &options.instrument_flags, &options.link_flags}) {
    for (const std::string& flag : *flags) {
      if (flag.size() < 2 || flag[0] != '-' || flag.find('\0') != std::string::npos) {
        throw std::invalid_argument("compiler flag \"" + printable(flag) +
                                    "\": does not begin with -; give options only");
      }
    }
  }
}

void run_compilers(const std::vector<std::vector<std::string>>& commands, const std::vector<std::string>& names,
                   const CCompiler& compiler, const CCompileOptions& options, const fs::path& directory) {
  const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  const std::uint32_t jobs = options.jobs != 0 ? options.jobs : static_cast<std::uint32_t>(std::max(1L, cores));
  const std::vector<ProcessResult> results =
      run_processes(commands, {.directory = directory.string(), .jobs = jobs, .time_limit_ms = options.time_limit_ms});
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].succeeded()) throw_failure(names[i], results[i], compiler, options);
  }
}

std::vector<std::string> preprocess_sources(const std::vector<CSource>& sources, const std::string& include_first,
                                            const CCompiler& compiler, const CCompileOptions& options,
                                            const fs::path& directory) {
  write_sources(sources, directory);
  std::vector<std::vector<std::string>> commands;
  std::vector<std::string> names;
  std::vector<std::string> texts;
  for (const CSource& source : sources) {
    if (!is_unit(source) || source.is_support) continue;
    texts.push_back(".text" + std::to_string(texts.size()) + ".c");  // no source has such a name
    commands.push_back(compile_command(source, texts.back(), include_first, compiler, options, "-E"));
    names.push_back(source.name);
  }
  run_compilers(commands, names, compiler, options, directory);
  return texts;
}

fs::path compile_shared_object(const std::vector<CSource>& sources, const std::string& include_first,
                               const CCompiler& compiler, const CCompileOptions& options, const fs::path& directory) {
  write_sources(sources, directory);
  std::vector<std::vector<std::string>> commands;
  std::vector<std::string> names;
  std::vector<std::string> objects;
  for (const CSource& source : sources) {
    if (!is_unit(source)) continue;
    objects.push_back(".unit" + std::to_string(objects.size()) + ".o");  // no source has such a name
    commands.push_back(compile_command(source, objects.back(), include_first, compiler, options));
    names.push_back(source.name);
  }
  run_compilers(commands, names, compiler, options, directory);
  const std::string result = ".module.so";
  run_compilers({link_command(objects, result, compiler, options)}, {"link"}, compiler, options, directory);
  if (!fs::is_regular_file(directory / result)) {
    throw std::invalid_argument("link: " + printable(compiler.command[0]) +
                                " made no file; is it a C compiler that links?");
  }
  return directory / result;
}

std::string first_error(const std::string& output) {
  std::string link_error;
  std::string first;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    at = end + 1;
    if (is_summary(line)) continue;
    if (states_error(line)) return printable(without_column(line));
    if (link_error.empty() && states_link_error(line)) link_error = line;
    if (first.empty()) first = line;
  }
  return printable(link_error.empty() ? first : link_error);
}

}  // namespace detent::harness
