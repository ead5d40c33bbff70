#include "base/words/file_kind.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/words/near.hpp"

namespace detent {
namespace {

constexpr std::size_t kLooked = 4096;
constexpr std::size_t kMostNames = 1000;  ///< of a folder

bool is_printable(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f') || u == 0x7F;
  });
}

FileKind kind_of_text(std::string_view name, std::string_view bytes) {
  const std::size_t first = std::min(bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), bytes.size());
  const std::string_view text = bytes.substr(first);
  const auto begins = [text](std::string_view with) { return text.starts_with(with); };
  if (begins("<!DOCTYPE") || begins("<!doctype") || begins("<html")) return FileKind::kHtml;
  if (name.ends_with(".toml")) return FileKind::kToml;
  if (name.ends_with(".c") || name.ends_with(".h") || begins("//") || begins("/*") || begins("#include")) {
    return FileKind::kC;
  }
  if (begins("{") || (begins("[") && !begins("[[") && name.ends_with(".json"))) return FileKind::kJson;
  if (begins("schema =") || begins("[[") || begins("name =")) return FileKind::kToml;
  return FileKind::kText;
}

}  // namespace

FileKind kind_of_file(std::string_view name, std::string_view whole) {
  const std::string_view bytes = whole.substr(0, kLooked);
  const auto begins = [bytes](std::string_view with) { return bytes.starts_with(with); };
  if (bytes.empty()) return FileKind::kEmpty;
  if (begins("DETENTPK")) return FileKind::kPackage;
  if (begins("\x89PNG") || begins("\xFF\xD8\xFF") || begins("GIF8")) return FileKind::kPicture;
  if (begins("\x7F"
             "ELF"))
    return FileKind::kProgram;
  if (begins("%PDF")) return FileKind::kPdf;
  if (begins("\x1F\x8B") || begins("BZh") ||
      begins("\xFD"
             "7zXZ") ||
      begins("PK\x03\x04") || bytes.substr(std::min<std::size_t>(257, bytes.size())).starts_with("ustar")) {
    return FileKind::kTar;
  }
  if (bytes.size() > 8 && bytes.substr(4, 4) == "TFL3") return FileKind::kTflite;
  if (name.ends_with(".onnx")) return FileKind::kOnnx;
  return is_printable(bytes) ? kind_of_text(name, bytes) : FileKind::kBinary;
}

const char* kind_text(FileKind kind) {
  switch (kind) {
    case FileKind::kEmpty:
      return "empty";
    case FileKind::kPackage:
      return "a package of detent import";
    case FileKind::kJson:
      return "a JSON file";
    case FileKind::kToml:
      return "a TOML file";
    case FileKind::kHtml:
      return "a web page";
    case FileKind::kTar:
      return "an archive";
    case FileKind::kC:
      return "a C source";
    case FileKind::kOnnx:
      return "an ONNX model";
    case FileKind::kTflite:
      return "a TFLite model";
    case FileKind::kPicture:
      return "a picture";
    case FileKind::kProgram:
      return "a program or library";
    case FileKind::kPdf:
      return "a PDF document";
    case FileKind::kText:
      return "a text file";
    case FileKind::kBinary:
      break;
  }
  return "binary data";
}

std::string near_file(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::filesystem::path folder = whole.parent_path();
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error), end; entry != end && !error;
       entry.increment(error)) {
    if (names.size() == kMostNames) break;
    names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names);
  const auto near = nearest(whole.filename().string(), names);
  return near ? "; did you mean " + (folder / *near).string() + "?" : "";
}

}  // namespace detent
