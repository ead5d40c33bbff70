#include "models/import/tvm/preprocess/lines.hpp"

#include <algorithm>

#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {

std::uint64_t JoinedText::joined_before(std::uint64_t at) const {
  const auto seen = std::upper_bound(joints.begin(), joints.end(), at) - joints.begin();
  const auto paid = std::upper_bound(owed.begin(), owed.end(), at) - owed.begin();
  return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(seen - paid, 0));
}

bool JoinedText::joins(std::uint64_t begin, std::uint64_t end) const {
  const auto first = std::upper_bound(joints.begin(), joints.end(), begin);
  return first != joints.end() && *first < end;
}

JoinedText joined_lines(const std::string& text) {
  JoinedText out;
  const auto pay = [&] {
    const std::size_t count = out.joints.size() - out.owed.size();
    out.owed.insert(out.owed.end(), count, out.text.size());
    out.text.append(count, '\n');
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      std::size_t end = i + 1;
      while (end < text.size() && is_space(text[end])) ++end;
      if (end < text.size() && text[end] == '\n') {
        out.joints.push_back(out.text.size());
        i = end;
        continue;
      }
    }
    out.text += text[i];
    if (text[i] == '\n') pay();
  }
  pay();
  return out;
}

}  // namespace detent::models::tvm
