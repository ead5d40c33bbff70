#include "base/words/file_kind.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "base/words/near.hpp"
#include "base/words/quote.hpp"

namespace detent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLooked = 4096;
constexpr std::size_t kMostNames = 1000;  ///< of a folder

using Start = std::pair<std::string_view, FileKind>;

constexpr Start kMagics[] = {
    {"DETENTPK", FileKind::kPackage},
    {"DETENTLG", FileKind::kLog},
    {"DETCAMPN", FileKind::kCampaignRuns},
    {"DETXPLOR", FileKind::kCampaignSchedules},
    {"detent-replay/", FileKind::kReplay},
    {"detent-failure/", FileKind::kReplay},
    {"\x89PNG", FileKind::kPicture},
    {"\xFF\xD8\xFF", FileKind::kPicture},
    {"GIF8", FileKind::kPicture},
    {"\x7F"
     "ELF",
     FileKind::kProgram},
    {"%PDF", FileKind::kPdf},
    {"\x93NUMPY", FileKind::kArray},
    {"\x1F\x8B", FileKind::kArchive},
    {"BZh", FileKind::kArchive},
    {"\xFD"
     "7zXZ",
     FileKind::kArchive},
    {"\x28\xB5\x2F\xFD", FileKind::kArchive},
    {"PK\x03\x04", FileKind::kZip},
};

/// By what stands behind "detent." in the schema of a JSON or TOML file.
constexpr Start kJsonSchemas[] = {{"graph/", FileKind::kGraph},
                                  {"plan_case/", FileKind::kPlanCase},
                                  {"check/", FileKind::kCheckAnswer},
                                  {"lists/", FileKind::kLists}};
constexpr Start kTomlSchemas[] = {{"platform/", FileKind::kPlatform},
                                  {"costs/", FileKind::kCosts},
                                  {"set/", FileKind::kSettings},
                                  {"schedule/", FileKind::kSchedule}};

constexpr Start kTraceEnds[] = {{".pftrace", FileKind::kTrace}, {".btf", FileKind::kTrace}, {".vcd", FileKind::kTrace}};

bool is_printable(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f') || u == 0x7F;
  });
}

/// The text behind "detent." of the value of the first `key`; "" where there is none.
std::string_view schema_in(std::string_view text, std::string_view key) {
  constexpr std::string_view kFamily = "detent.";
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = text.substr(at + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n:="), rest.size()));
  if (!rest.starts_with('"') && !rest.starts_with('\'')) return {};
  rest.remove_prefix(1);
  return rest.starts_with(kFamily) ? rest.substr(kFamily.size()) : std::string_view();
}

FileKind kind_of_json(std::string_view text) {
  const std::string_view schema = schema_in(text, "\"schema\"");
  for (const auto& [start, kind] : kJsonSchemas) {
    if (schema.starts_with(start)) return kind;
  }
  if (!schema.empty()) return FileKind::kAnswer;
  return text.find("sarif") != std::string_view::npos ? FileKind::kSarif : FileKind::kJson;
}

FileKind kind_of_toml(std::string_view text) {
  for (const auto& [start, kind] : kTomlSchemas) {
    if (schema_in(text, "schema").starts_with(start)) return kind;
  }
  return FileKind::kToml;
}

FileKind kind_of_text(std::string_view name, std::string_view bytes) {
  const std::size_t first = std::min(bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), bytes.size());
  const std::string_view text = bytes.substr(first);
  const auto begins = [text](std::string_view with) { return text.starts_with(with); };
  if (begins("<!DOCTYPE") || begins("<!doctype") || begins("<html")) return FileKind::kHtml;
  if (name.ends_with(".toml")) return kind_of_toml(text);
  if (name.ends_with(".c") || name.ends_with(".h") || begins("//") || begins("/*") || begins("#include")) {
    return FileKind::kC;
  }
  if (begins("{") || (begins("[") && !begins("[[") && name.ends_with(".json"))) return kind_of_json(text);
  if (begins("schema =") || begins("[[") || begins("name =")) return kind_of_toml(text);
  return name.ends_with(".csv") ? FileKind::kCsv : FileKind::kText;
}

/// A protocol buffer that begins with a version and the name of a producer, as exporters write ONNX.
bool looks_like_onnx(std::string_view bytes) {
  return bytes.size() > 8 && bytes[0] == '\x08' && bytes[2] == '\x12' && is_printable(bytes.substr(4, 4));
}

FileKind kind_of_folder(const std::string& path) {
  std::error_code error;
  const fs::path folder(path);
  if (fs::is_regular_file(folder / "report.json", error)) return FileKind::kCheckFolder;
  if (fs::is_regular_file(folder / "campaign.json", error)) return FileKind::kCampaignFolder;
  const bool is_export =
      fs::is_regular_file(folder / "metadata.json", error) || fs::is_directory(folder / "codegen", error);
  return is_export ? FileKind::kTvmFolder : FileKind::kFolder;
}

std::string package_name(const std::string& path) {
  const std::string name = fs::path(path).lexically_normal().stem().string();
  return quote_word(name.empty() || name.front() == '.' ? "NAME.pkg" : name + ".pkg");
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return quote_word(folder.empty() ? "." : folder);
}

}  // namespace

FileKind kind_of_file(std::string_view name, std::string_view whole) {
  const std::string_view bytes = whole.substr(0, kLooked);
  if (bytes.empty()) return FileKind::kEmpty;
  for (const auto& [start, kind] : kMagics) {
    if (bytes.starts_with(start)) return kind;
  }
  if (bytes.substr(std::min<std::size_t>(257, bytes.size())).starts_with("ustar")) return FileKind::kArchive;
  if (bytes.size() > 8 && bytes.substr(4, 4) == "TFL3") return FileKind::kTflite;
  for (const auto& [end, kind] : kTraceEnds) {
    if (name.ends_with(end)) return kind;
  }
  if (name.ends_with(".onnx") || looks_like_onnx(bytes)) return FileKind::kOnnx;
  return is_printable(bytes) ? kind_of_text(name, bytes) : FileKind::kBinary;
}

FileKind kind_at(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return kind_of_folder(path);
  if (!fs::is_regular_file(path, error)) return FileKind::kEmpty;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kLooked, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return kind_of_file(path, bytes);
}

bool is_folder_kind(FileKind kind) {
  return kind == FileKind::kFolder || kind == FileKind::kCheckFolder || kind == FileKind::kCampaignFolder ||
         kind == FileKind::kTvmFolder;
}

const char* kind_text(FileKind kind) {
  switch (kind) {
    case FileKind::kEmpty:
      return "empty";
    case FileKind::kFolder:
      return "a folder";
    case FileKind::kCheckFolder:
      return "the folder of a finished check";
    case FileKind::kCampaignFolder:
      return "the folder of a campaign";
    case FileKind::kTvmFolder:
      return "the folder of a TVM artifact";
    case FileKind::kPackage:
      return "a package of detent import";
    case FileKind::kGraph:
      return "an op graph";
    case FileKind::kPlanCase:
      return "a plan case";
    case FileKind::kCheckAnswer:
      return "the answer of detent check";
    case FileKind::kAnswer:
      return "the JSON answer of a detent command";
    case FileKind::kSarif:
      return "a SARIF file";
    case FileKind::kJson:
      return "a JSON file";
    case FileKind::kPlatform:
      return "a platform";
    case FileKind::kCosts:
      return "a table of op times";
    case FileKind::kSettings:
      return "a table of op settings";
    case FileKind::kSchedule:
      return "a schedule of ops";
    case FileKind::kLists:
      return "a file of static lists";
    case FileKind::kToml:
      return "a TOML file";
    case FileKind::kReplay:
      return "a run to replay";
    case FileKind::kLog:
      return "a log of runs";
    case FileKind::kCampaignRuns:
      return "a campaign file of detent simulate";
    case FileKind::kCampaignSchedules:
      return "a campaign file of detent explore";
    case FileKind::kTrace:
      return "a trace";
    case FileKind::kHtml:
      return "a web page";
    case FileKind::kArchive:
      return "an archive";
    case FileKind::kZip:
      return "a zip file";
    case FileKind::kC:
      return "a C source";
    case FileKind::kCsv:
      return "a CSV file";
    case FileKind::kOnnx:
      return "an ONNX file";
    case FileKind::kTflite:
      return "a TFLite file";
    case FileKind::kArray:
      return "a NumPy array";
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

std::string taker_of(FileKind kind, const std::string& path) {
  const std::string word = quote_word(path);
  switch (kind) {
    case FileKind::kCheckFolder:
      return "detent report " + word + " shows it";
    case FileKind::kCampaignFolder:
      return "detent campaign --resume --out " + word + " goes on with it";
    case FileKind::kTvmFolder:
      return "detent import tvm " + word + " -o " + package_name(path) + " makes a package of it";
    case FileKind::kArchive:
      return "of a TVM artifact make a package: detent import tvm " + word + " -o " + package_name(path);
    case FileKind::kC:
      return "of a TVM artifact make a package: detent import tvm " + word + " -o " + package_name(path) +
             "; of a table of entities an op graph: detent import entities " + word + " -o GRAPH";
    case FileKind::kPackage:
    case FileKind::kGraph:
      return "detent check " + word + " --out DIR takes it";
    case FileKind::kPlanCase:
      return "detent partition " + word + " answers it";
    case FileKind::kCheckAnswer:
    case FileKind::kReplay:
      return "detent replay " + word + " repeats it";
    case FileKind::kSarif:
      return "--baseline " + word + " takes it";
    case FileKind::kPlatform:
      return "a chip is given by --platform " + word;
    case FileKind::kCosts:
      return "op times are given by --costs " + word;
    case FileKind::kSettings:
      return "op settings are given by --set " + word;
    case FileKind::kSchedule:
      return "a schedule is given by --schedule " + word;
    case FileKind::kLists:
      return "lists are given by --lists " + word;
    case FileKind::kLog:
      return "detent log " + word + " decodes it";
    case FileKind::kCampaignRuns:
    case FileKind::kCampaignSchedules:
      return "detent merge " + word + " shows its answer";
    case FileKind::kTrace:
      return "a trace viewer shows it, such as ui.perfetto.dev";
    case FileKind::kHtml:
      return "a browser shows it, and detent report " + folder_of(path) + " the check beside it";
    case FileKind::kZip:
      return "unpack it first";
    case FileKind::kCsv:
      return "detent check " + word + " --out DIR takes a table of ops, detent npu --layers " + word +
             " --array 32,32 sizes of layers";
    case FileKind::kOnnx:
    case FileKind::kTflite:
      return "compile it with TVM's ahead-of-time executor, then: detent import tvm ARTIFACT -o " + package_name(path);
    case FileKind::kArray:
      return "detent run MODEL --input " + word + " takes it";
    case FileKind::kEmpty:
    case FileKind::kFolder:
    case FileKind::kAnswer:
    case FileKind::kJson:
    case FileKind::kToml:
    case FileKind::kPicture:
    case FileKind::kProgram:
    case FileKind::kPdf:
    case FileKind::kText:
    case FileKind::kBinary:
      break;
  }
  return "";
}

std::string near_file(const std::string& path) {
  const fs::path whole(path);
  const fs::path folder = whole.parent_path();
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; entry != end && !error;
       entry.increment(error)) {
    if (names.size() == kMostNames) break;
    names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names);
  const auto near = nearest(whole.filename().string(), names);
  return near ? "; did you mean " + (folder / *near).string() + "?" : "";
}

}  // namespace detent
