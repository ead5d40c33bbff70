#include "tests/models/import/tvm/line_answers.hpp"

#include <cstdio>
#include <sstream>
#include <string_view>

#include "base/input_error.hpp"
#include "models/import/tvm/artifact/values.hpp"
#include "models/import/tvm/c/doubts.hpp"
#include "models/import/tvm/c/scan.hpp"
#include "models/import/tvm/preprocess/preprocess.hpp"

namespace detent::models::tvm {
namespace {

/// "float4[2][3]": the scalar, its bytes, the extents.
CType named_type(const std::string& name) {
  CType type;
  const std::size_t digits = name.find_first_of("0123456789"), open = name.find('[');
  const std::string scalar = name.substr(0, digits);
  type.scalar = scalar == "float"  ? CType::Scalar::kFloat
                : scalar == "int"  ? CType::Scalar::kInt
                : scalar == "uint" ? CType::Scalar::kUInt
                : scalar == "bool" ? CType::Scalar::kBool
                : scalar == "void" ? CType::Scalar::kVoid
                                   : CType::Scalar::kInt;
  type.pointers = scalar == "pointer" ? 1 : 0;
  type.scalar_bytes = static_cast<std::uint32_t>(std::stoul(name.substr(digits)));
  for (std::size_t at = open; at != std::string::npos; at = name.find('[', at + 1))
    type.extents.push_back(std::stoull(name.substr(at + 1)));
  if (open == std::string::npos) type.extents = {0};
  type.spelling = name;
  return type;
}

/// Headers that the cases include: in a/, and in b/ behind it. @return  the root
std::string with_headers(const fs::path& root) {
  write_text(root / "a/guarded.h", "#ifndef GUARDED\n#define GUARDED\nguarded A\n#endif\n");
  write_text(root / "a/guarded_later.h", "before\n#ifndef LATER\n#define LATER\nlater\n#endif\n");
  write_text(root / "a/guarded_until.h", "#ifndef UNTIL\n#define UNTIL\nuntil\n#endif\nbehind\n");
  write_text(root / "a/guarded_else.h", "#ifndef ELSE\n#define ELSE\nfirst\n#else\nagain\n#endif\n");
  write_text(root / "a/once.h", "#pragma once\nonce\n");
  write_text(root / "a/both.h", "both of a\n");
  write_text(root / "b/both.h", "both of b\n");
  write_text(root / "a/sub/outer.h", "#include \"inner.h\"\n#include <both.h>\n__FILE__ __LINE__\n");
  write_text(root / "a/sub/inner.h", "inner __FILE__ __LINE__\n");
  write_text(root / "a/open.h", "#if 1\nopen\n");
  write_text(root / "a/asks.h", "#ifdef ASKED\n#elif ASKED_TOO > 1\n#endif\n");
  write_text(root / "a/defines.h", "#define FROM_HEADER 4 \\\n + 1\n");
  return root.string();
}

/// "[-DA -UB] text": with flags.
std::string preprocessed_case(std::string text, const IncludePath& path) {
  PreprocessOptions options;
  if (text.starts_with('[')) {
    const std::size_t end = text.find("] ");
    std::istringstream flags(text.substr(1, end - 1));
    for (std::string flag; flags >> flag;) options.flags.push_back(flag);
    text.erase(0, end + 2);
  }
  const Preprocessed out = preprocess(text, "dir/t.c", {}, path, options);
  std::string result = out.text + (out.has_headers ? " | headers" : "");
  for (const MissingHeader& one : out.missing)
    result += " | missing " + one.name + " " + one.file + ":" + std::to_string(one.line);
  for (const auto& [name, place] : out.undefined) result += " | asks " + name + " " + place;
  return result;
}

std::string without_all(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
  return text;
}

}  // namespace

std::string scan_answer(const std::string& text) {
  const ScannedText scanned = scan_c(text, "dir/t.c");
  std::string result = scanned.code;
  for (const Macro& macro : scanned.macros) result += " | " + macro.name + " = " + std::to_string(macro.value);
  const DoubtfulPlaces places(scanned.doubts);
  for (const Doubt& doubt : places.doubts()) {
    result += " | " + std::to_string(doubt.range.begin) + "-" + std::to_string(doubt.range.end) + " " + doubt.why +
              (doubt.name.empty() ? "" : " [" + doubt.name + "]");
  }
  for (const auto& [name, why] : doubtful_names(scanned, places, "dir/t.c")) result += " | " + name + ": " + why;
  return result;
}

std::string value_answer(const std::string& line) {
  const std::size_t colon = line.find(": ");
  CUnit unit;
  unit.file = "values.c";
  unit.text = line.substr(colon + 2);
  std::string bytes;
  read_initialiser(unit, {0, unit.text.size()}, named_type(line.substr(0, colon)), bytes);
  if (bytes.size() > 1000) return std::to_string(bytes.size()) + " bytes";
  std::string text;
  for (const char c : bytes) {
    char two[4];
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += two;
  }
  return text;
}

HeadersOfCases::HeadersOfCases() : root_(with_headers(scratch_.root())), path_({root_ + "/a", root_ + "/b"}) {}

std::string HeadersOfCases::preprocess_answer(const std::string& text) const {
  try {
    return without_all(preprocessed_case(text, path_), root_);
  } catch (const InputError& error) {
    return "refused: " + without_all(error.what(), root_);
  }
}

}  // namespace detent::models::tvm
