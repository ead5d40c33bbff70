// bundle.json: no path of what is accepted leads out of the bundle, and it is written again with a root that fits.
#include "app/bundle/bundle_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void bundle_target(std::string_view input) {
  static_cast<void>(app::begins_as_bundle(input));
  app::BundleFile bundle;
  if (!accepts([&] { bundle = app::parse_bundle(input, kInputName); })) return;
  for (const app::BundledFile& file : bundle.files) {
    require(!file.path.starts_with('/') && ("/" + file.path + "/").find("/../") == std::string::npos,
            "every path is below the bundle");
  }
  // A number may be written in another way once: 1.5e15 is read as an integer.
  const std::string text = app::bundle_text(app::parse_bundle(app::bundle_text(bundle), kInputName));
  require(app::root_fits(text), "what is written has its root");
  require(app::bundle_text(app::parse_bundle(text, kInputName)) == text, "what is written is read again");
}

}  // namespace detent::fuzz
