#include "models/import/tvm/files/ndarray.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/input_error.hpp"
#include "tests/golden.hpp"

namespace detent::models::tvm {
namespace {

std::string word(std::uint64_t value, std::uint32_t bytes) {
  std::string out;
  for (std::uint32_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

std::string ndarray(const std::vector<std::uint64_t>& shape, std::uint64_t bytes, const std::string& data) {
  std::string out = word(0xDD5E40F096B4A13FU, 8) + word(0, 8) + word(1, 4) + word(0, 4) + word(shape.size(), 4);
  out += word(2, 1) + word(32, 1) + word(1, 2);
  for (const std::uint64_t extent : shape) out += word(extent, 8);
  return out + word(bytes, 8) + data;
}

std::string params() {
  return word(0xF7E58D4F05049CB7U, 8) + word(0, 8) + word(2, 8) + word(2, 8) + "p0" + word(2, 8) + "p1" + word(2, 8) +
         ndarray({2, 1}, 8, "abcdefgh") + ndarray({}, 4, "wxyz");
}

TEST(NdArray, DictionaryOfWeights) {
  const std::vector<NamedArray> arrays = read_params(params(), "default.params");
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(arrays[0].name, "p0");
  EXPECT_EQ(arrays[0].dtype, "float32");
  EXPECT_EQ(arrays[0].shape, (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(arrays[0].bytes, "abcdefgh");
  EXPECT_TRUE(arrays[1].shape.empty());
  EXPECT_TRUE(read_params(word(0xF7E58D4F05049CB7U, 8) + std::string(24, '\0'), "default.params").empty());
}

TEST(NdArray, NamesOfTypes) {
  EXPECT_EQ(dtype_name(0, 8, 1), "int8");
  EXPECT_EQ(dtype_name(1, 1, 1), "bool");
  EXPECT_EQ(dtype_name(4, 16, 1), "bfloat16");
  EXPECT_EQ(dtype_name(2, 32, 4), "");
  EXPECT_EQ(dtype_name(9, 32, 1), "");
}

TEST(NdArray, B04_CutOffAtEveryByte) {
  const std::string whole = params();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(read_params(std::string_view(whole).substr(0, length), "a.params"), InputError) << length;
  }
}

TEST(NdArray, B05_TrailingBytes) { EXPECT_THROW(read_params(params() + "x", "a.params"), InputError); }

TEST(NdArray, B07_EveryByteExchanged) {
  const std::string whole = params();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0xff);
    try {
      read_params(changed, "a.params");
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("a.params:byte ", 0), 0U);
    }
  }
}

TEST(NdArray, B09_B10_HugeCountsAndProducts) {
  const std::string head = word(0xF7E58D4F05049CB7U, 8) + word(0, 8);
  EXPECT_THROW(read_params(head + word(UINT64_MAX, 8), "a.params"), InputError);
  EXPECT_THROW(read_params(head + word(1, 8) + word(UINT64_MAX, 8), "a.params"), InputError);
  for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{1ULL << 32, 1ULL << 32},
                                                  {UINT64_MAX},
                                                  {1ULL << 40, 1ULL << 24},
                                                  std::vector<std::uint64_t>(1000, 1)}) {
    const std::string bytes = ndarray(shape, 4, "abcd");
    std::string_view rest = bytes;
    NamedArray array;
    EXPECT_FALSE(read_ndarray(rest, array));
  }
}

/// What a dictionary's bytes give: "refused: ..." or its arrays.
std::string dictionary_text(const std::string& bytes) {
  try {
    std::string text;
    for (const NamedArray& array : read_params(bytes, "a.params")) {
      text += array.name + " " + array.dtype + " [";
      for (const std::int64_t extent : array.shape) text += std::to_string(extent) + " ";
      text += "] " + std::to_string(array.bytes.size()) + "; ";
    }
    return text;
  } catch (const InputError& error) {
    return std::string("refused: ") + error.what();
  }
}

TEST(NdArray, EveryCutAndEveryChangedByteHasItsAnswer) {
  const std::string whole = params();
  std::string text;
  for (std::size_t length = 0; length <= whole.size(); ++length)
    text += dictionary_text(whole.substr(0, length)) + "\n";
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    text += std::to_string(i) + " " + dictionary_text(changed) + "\n";
  }
  expect_golden(text, "models/import/tvm/golden/ndarray.txt");
}

TEST(NdArray, LimitsOfRanksExtentsAndElements) {
  const auto passes = [](const std::string& bytes) {
    std::string_view rest = bytes;
    NamedArray array;
    return read_ndarray(rest, array);
  };
  EXPECT_TRUE(passes(ndarray(std::vector<std::uint64_t>(32, 1), 4, "abcd")));
  EXPECT_FALSE(passes(ndarray(std::vector<std::uint64_t>(33, 1), 4, "abcd")));
  EXPECT_TRUE(passes(ndarray({0}, 0, "")));
  EXPECT_TRUE(passes(ndarray({1ULL << 40, 0}, 0, "")));
  EXPECT_FALSE(passes(ndarray({(1ULL << 40) + 1, 0}, 0, "")));
  EXPECT_TRUE(passes(ndarray({1ULL << 20, 1ULL << 20, 0}, 0, "")));
  EXPECT_FALSE(passes(ndarray({1ULL << 20, (1ULL << 20) + 1, 0}, 0, "")));
  EXPECT_TRUE(passes(ndarray({0, 1ULL << 40, 1ULL << 40}, 0, "")));
  EXPECT_FALSE(passes(ndarray({2}, 9, "abcdefghi")));
  EXPECT_FALSE(passes(ndarray({2}, 7, "abcdefg")));
  EXPECT_FALSE(passes(ndarray({2}, 8, "abcdefg")));
  const auto typed = [&](std::uint64_t code, std::uint64_t bits, std::uint64_t lanes,
                         std::size_t bytes) -> std::string {
    std::string text = ndarray({2}, bytes, std::string(bytes, 'x'));
    text.replace(28, 4, word(code, 1) + word(bits, 1) + word(lanes, 2));
    std::string_view rest = text;
    NamedArray array;
    return read_ndarray(rest, array) ? array.dtype : "refused";
  };
  EXPECT_EQ(typed(2, 32, 1, 8), "float32");
  EXPECT_EQ(typed(0, 8, 1, 2), "int8");
  EXPECT_EQ(typed(1, 1, 1, 2), "bool");
  EXPECT_EQ(typed(1, 9, 1, 4), "uint9");
  EXPECT_EQ(typed(0, 4, 1, 2), "int4");
  EXPECT_EQ(typed(2, 32, 3, 24), "custom");
  EXPECT_EQ(typed(3, 64, 1, 16), "custom");
  EXPECT_EQ(typed(4, 16, 1, 4), "bfloat16");
  EXPECT_EQ(typed(5, 16, 1, 4), "custom");
  EXPECT_EQ(typed(0, 64, 1, 16), "int64");
  EXPECT_EQ(typed(0, 65, 1, 18), "custom");
  EXPECT_EQ(typed(0, 0, 1, 0), "refused");
  EXPECT_EQ(typed(0, 8, 0, 0), "refused");
  EXPECT_EQ(dtype_name(-1, 8, 1), "");
  EXPECT_EQ(dtype_name(0, -8, 1), "");
  EXPECT_EQ(dtype_name(0, 1, 1), "int1");
}

}  // namespace
}  // namespace detent::models::tvm
