// What a file or folder is, by its first bytes: for messages about one of the wrong kind, which name the command that
// takes it.
#pragma once

#include <string>
#include <string_view>

namespace detent {

enum class FileKind {
  kEmpty,
  kFolder,          ///< none of those below
  kCheckFolder,     ///< --out of detent check
  kCampaignFolder,  ///< --out of detent campaign
  kTvmFolder,       ///< of C sources, as TVM exports them
  kPackage,         ///< of detent import
  kGraph,           ///< detent.graph/1, /2
  kPlanCase,        ///< detent.plan_case/1
  kCheckAnswer,     ///< report.json, or detent check --json
  kAnswer,          ///< --json of another command
  kSarif,
  kJson,               ///< any other
  kPlatform,           ///< detent.platform/1
  kCosts,              ///< detent.costs/1
  kSettings,           ///< detent.set/1
  kSchedule,           ///< detent.schedule/1
  kLists,              ///< detent.lists/1
  kToml,               ///< any other
  kReplay,             ///< a replay line or a failure file
  kLog,                ///< of detent run or of a firmware
  kCampaignRuns,       ///< of detent simulate --campaign
  kCampaignSchedules,  ///< of detent explore --campaign
  kTrace,              ///< Perfetto, BTF, VCD
  kHtml,
  kArchive,  ///< a tar archive, also a compressed one
  kZip,
  kC,  ///< a C source
  kCsv,
  kOnnx,
  kTflite,
  kArray,    ///< of NumPy
  kPicture,  ///< PNG, JPEG, GIF
  kProgram,  ///< ELF
  kPdf,
  kText,  ///< printable, none of the above
  kBinary
};

/// @param name  its ending decides between texts, and for ONNX, which has no magic
/// @param bytes  the whole file, or its first 4096 bytes
FileKind kind_of_file(std::string_view name, std::string_view bytes);

/// Of what is there; of what is not there or cannot be read kEmpty.
FileKind kind_at(const std::string& path);

bool is_folder_kind(FileKind kind);

/// "a picture", "an archive", "an op graph".
const char* kind_text(FileKind kind);

/// What takes a file of this kind: "detent check net.pkg --out DIR takes it"; "" where nothing here does.
std::string taker_of(FileKind kind, const std::string& path);

/// The nearest file name in the folder of a path that does not exist: "; did you mean DIR/graph.json?", or "".
std::string near_file(const std::string& path);

}  // namespace detent
