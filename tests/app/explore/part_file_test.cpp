#include "app/explore/part_file.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace detent::app {
namespace {

ExplorePartFile sample_file(bool weighted) {
  ExplorePartFile file{.identity = "{}"};
  file.part.first = 5;
  file.part.count = 2;
  file.part.serial_digest = 77;
  file.part.weighted = weighted;
  file.part.add(1, {}, 0.5);
  file.part.add(2, {.differs = true, .misses = true}, 1.5);
  file.part.orders.open = {3, 1};
  file.part.orders.after = verify::explore::BitMatrix(70);
  file.part.orders.after.set(69, 65);
  return file;
}

TEST(ExplorePartFile, ComesBackAsItWas) {
  for (const bool weighted : {false, true}) {
    const ExplorePartFile file = sample_file(weighted);
    const ExplorePartFile back = decode_explore_part(encode_explore_part(file), "f");
    EXPECT_EQ(back.identity, "{}");
    EXPECT_EQ(back.part.first, 5U);
    EXPECT_EQ(back.part.count, 2U);
    EXPECT_EQ(back.part.serial_digest, 77U);
    EXPECT_EQ(back.part.traces, file.part.traces);
    EXPECT_EQ(back.part.differs, file.part.differs);
    EXPECT_EQ(back.part.log_weights, file.part.log_weights);
    EXPECT_EQ(back.part.orders.open, file.part.orders.open);
    EXPECT_TRUE(back.part.orders.after.test(69, 65));
    EXPECT_TRUE(back.part.finished());
  }
}

TEST(ExplorePartFile, EveryCutAndEveryChangedByteIsRefused) {
  const std::string bytes = encode_explore_part(sample_file(true));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(decode_explore_part(std::string_view(bytes).substr(0, size), "f"), std::invalid_argument) << size;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_THROW(decode_explore_part(changed, "f"), std::invalid_argument) << at;
  }
}

// X03: a checksum that fits proves nothing about what it covers.
void expect_refused(const ExplorePartFile& file, const char* words) {
  try {
    static_cast<void>(decode_explore_part(encode_explore_part(file), "f"));
    ADD_FAILURE() << words << ": accepted";
  } catch (const std::invalid_argument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find(words), std::string::npos) << refusal.what();
  }
}

TEST(ExplorePartFile, ContradictionsUnderAValidChecksumAreRefused) {
  ExplorePartFile file = sample_file(false);
  file.part.differs[1] = 4;
  expect_refused(file, "a flag above 3");
  file = sample_file(false);
  file.part.orders.open[0] = 4;
  expect_refused(file, "a flag above 3");
  file = sample_file(false);
  file.part.count = 3;
  expect_refused(file, "fewer executions than the shard has");
  file.part.status = DETENT_TIMEOUT;
  EXPECT_TRUE(decode_explore_part(encode_explore_part(file), "f").part.finished()) << "a failed run ends its shard";
  file.part.count = 1;
  expect_refused(file, "more executions than the shard or the file has");
}

}  // namespace
}  // namespace detent::app
