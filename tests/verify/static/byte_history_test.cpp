// Who wrote and read each byte: against lists per byte.
#include "verify/static/byte_history.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

struct Byte {
  std::uint32_t writer = DETENT_NONE;
  std::set<std::uint32_t> readers;
};

using Positions = std::set<std::uint32_t>;

Positions read(std::vector<Byte>& bytes, std::uint32_t begin, std::uint32_t end, std::uint32_t position) {
  Positions before;
  for (std::uint32_t at = begin; at < end; ++at) {
    if (bytes[at].writer != DETENT_NONE) before.insert(bytes[at].writer);
    bytes[at].readers.insert(position);
  }
  return before;
}

Positions write(std::vector<Byte>& bytes, std::uint32_t begin, std::uint32_t end, std::uint32_t position) {
  Positions before;
  for (std::uint32_t at = begin; at < end; ++at) {
    before.insert(bytes[at].readers.begin(), bytes[at].readers.end());
    if (bytes[at].readers.empty() && bytes[at].writer != DETENT_NONE) before.insert(bytes[at].writer);
    bytes[at] = {position, {}};
  }
  return before;
}

TEST(ByteHistory, NamesThoseThatListsPerByteName) {
  testing::Random random{3};
  ByteHistory history;
  std::vector<Byte> bytes(300);
  for (std::uint32_t position = 0; position < 5000; ++position) {
    const std::uint32_t begin = random.below(300);
    const std::uint32_t end = std::min(300U, begin + 1 + random.below(40));
    std::vector<std::uint32_t> before;
    if (random.below(3) == 0) {
      history.write(begin, end, position, before);
      ASSERT_EQ(Positions(before.begin(), before.end()), write(bytes, begin, end, position)) << position;
    } else {
      history.read(begin, end, position, before);
      ASSERT_EQ(Positions(before.begin(), before.end()), read(bytes, begin, end, position)) << position;
    }
  }
}

/// More readers than are kept before the old ones are forgotten, most of them overwritten by then.
TEST(ByteHistory, KeepsTheReadersThatCountAfterMillions) {
  ByteHistory history;
  std::vector<std::uint32_t> before;
  history.read(0, 64, 1, before);
  history.read(0, 32, 2, before);
  for (std::uint32_t position = 3; position < 1'200'000; ++position) {
    history.read(64, 128, position, before);
    if (position % 1000 == 0) history.write(64, 128, position, before);
  }
  before.clear();
  history.write(0, 64, 1'200'000, before);
  EXPECT_EQ(Positions(before.begin(), before.end()), (Positions{1, 2}));
}

}  // namespace
}  // namespace detent::verify
