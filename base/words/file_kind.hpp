// What a file is, by its first bytes: for messages about a file of the wrong kind.
#pragma once

#include <string>
#include <string_view>

namespace detent {

enum class FileKind {
  kEmpty,
  kPackage,  ///< of detent import
  kJson,
  kToml,
  kHtml,
  kTar,  ///< a tar archive, also a compressed one
  kC,    ///< a C source
  kOnnx,
  kTflite,
  kPicture,  ///< PNG, JPEG, GIF
  kProgram,  ///< ELF
  kPdf,
  kText,  ///< printable, none of the above
  kBinary
};

/// @param name  its ending decides between texts, and for ONNX, which has no magic
FileKind kind_of_file(std::string_view name, std::string_view bytes);

/// "a PNG or other picture", "a tar archive", "an op graph or other JSON".
const char* kind_text(FileKind kind);

/// The nearest file name in the folder of a path that does not exist: "; did you mean DIR/graph.json?", or "".
std::string near_file(const std::string& path);

}  // namespace detent
