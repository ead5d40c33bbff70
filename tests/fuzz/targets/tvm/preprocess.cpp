// The preprocessor: a text and the header that stands behind a form feed. What comes out holds no macro and no
// condition any more, so that it comes out of itself again.
#include "models/import/tvm/preprocess/preprocess.hpp"

#include "models/import/tvm/preprocess/token.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

/// Without the lines that say where a text comes from.
std::string tokens_without_marks(const std::string& text) {
  std::string rest;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.compare(at, 6, "#line ") != 0) rest += text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return models::tvm::text_of(models::tvm::tokens_of(rest));
}

}  // namespace

void preprocess_target(std::string_view input) {
  using namespace models::tvm;
  const std::size_t header = std::min(input.find('\f'), input.size());
  const ArtifactFiles files{
      .files = {{kInputName + ".h", std::string(input.substr(std::min(header + 1, input.size())))}},
      .notes = {},
      .single = false};
  IncludePath path({});
  const SourcePlace place{path.add_artifact(files), kInputName};
  const PreprocessOptions options{.flags = {}, .max_bytes = 1U << 22, .max_depth = 8, .max_headers = 50};
  Preprocessed out;
  if (!accepts([&] { out = preprocess(std::string(input.substr(0, header)), kInputName, place, path, options); }))
    return;
  require(out.text.size() <= options.max_bytes, "no more than the limit");
  Preprocessed again;
  const bool is_accepted =
      accepts([&] { again = preprocess(out.text, kInputName, place, path, {.flags = {}, .max_bytes = 1U << 23}); });
  require(is_accepted, "what comes out is preprocessed text");
  require(tokens_without_marks(out.text) == tokens_without_marks(again.text), "nothing is left to be done");
}

}  // namespace detent::fuzz
