#include "harness/tensor_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <numeric>

#include "base/arrays/npy.hpp"
#include "base/io.hpp"
#include "tests/support/error_text.hpp"

namespace detent::harness {
namespace {

detent_tensor tensor_of(detent_dtype dtype, std::vector<std::int32_t> dims, std::uint64_t bytes) {
  detent_tensor tensor{};
  tensor.dtype = static_cast<std::uint8_t>(dtype);
  tensor.rank = static_cast<std::uint8_t>(dims.size());
  std::copy(dims.begin(), dims.end(), tensor.dims);
  tensor.size_bytes = bytes;
  tensor.block_bytes = bytes;
  tensor.block_count = 1;
  return tensor;
}

class TensorFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() / ("detent_tensor_" + std::to_string(getpid()));
  }
  void TearDown() override { std::filesystem::remove(path_); }
  [[nodiscard]] std::string read(const std::string& file, const detent_tensor& tensor) const {
    write_file_atomically(path_, file);
    return read_tensor_file(path_, tensor);
  }
  [[nodiscard]] std::string refusal(const std::string& file, const detent_tensor& tensor) const {
    const std::string text = error_text([&] { static_cast<void>(read(file, tensor)); });
    return text.substr(std::min(text.size(), path_.size()));
  }
  std::string path_;
};

TEST_F(TensorFile, RawBytesAreTheBlocks) {
  const detent_tensor tensor = tensor_of(DETENT_F32, {2}, 8);
  EXPECT_EQ(read("12345678", tensor), "12345678");
  EXPECT_EQ(format_tensor_file("a.bin", tensor, "12345678"), "12345678");
  EXPECT_EQ(refusal("1234567", tensor), ": has 7 bytes, the tensor takes 8; give a .npy file or that many bytes");
  EXPECT_NE(refusal(std::string(100'000, 'x'), tensor), "");
}

TEST_F(TensorFile, EveryTypeComesBackFromNpy) {
  for (std::uint8_t dtype = DETENT_U8; dtype <= DETENT_BF16; ++dtype) {
    constexpr std::size_t kBytes[] = {1, 1, 4, 4, 1, 2, 8, 8, 2};
    const std::string blocks(6 * kBytes[dtype], '\1');
    const detent_tensor tensor = tensor_of(static_cast<detent_dtype>(dtype), {2, 3}, blocks.size());
    const std::string file = format_tensor_file("a.npy", tensor, blocks);
    EXPECT_EQ(read_npy(file, "a.npy").shape, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(read(file, tensor), blocks);
  }
}

TEST_F(TensorFile, ChannelsInBlocksOf16AreAPlainArrayInTheFile) {
  detent_tensor tensor = tensor_of(DETENT_U8, {1, 17, 1, 2}, 64);  // [2][1][2][16]
  tensor.layout = DETENT_LAYOUT_C16;
  std::string plain(34, '\0');
  std::iota(plain.begin(), plain.end(), char{1});  // channel c, pixel p: 1 + 2 * c + p
  const std::string blocks = read(format_npy({.type = "|u1", .shape = {1, 17, 1, 2}, .data = plain}), tensor);
  ASSERT_EQ(blocks.size(), 64U);
  EXPECT_EQ(blocks[0], 1);
  EXPECT_EQ(blocks[1], 3) << "channel 1 follows channel 0 of the same pixel";
  EXPECT_EQ(blocks[16], 2) << "then the next pixel";
  EXPECT_EQ(blocks[32], 33) << "channel 16 stands in the next block";
  EXPECT_EQ(blocks[33], 0) << "padding";
  EXPECT_EQ(read_npy(format_tensor_file("a.npy", tensor, blocks), "a.npy").data, plain);
}

TEST_F(TensorFile, BytesWithoutAShapeAreAsManyAsThereAre) {
  detent_tensor tensor = tensor_of(DETENT_U8, {}, 4);
  tensor.flags = DETENT_TENSOR_RANGE;
  EXPECT_EQ(read(format_npy({.type = "<u1", .shape = {4}, .data = "abcd"}), tensor), "abcd");
  EXPECT_EQ(refusal(format_npy({.type = "|u1", .shape = {}, .data = "a"}), tensor),
            ": shape is a single element, the tensor's 4; use array.reshape or another file");
}

TEST_F(TensorFile, AnotherTypeShapeOrValueIsRefused) {
  const detent_tensor floats = tensor_of(DETENT_F32, {2, 1}, 8);
  EXPECT_EQ(refusal(format_npy({.type = "<i4", .shape = {2, 1}, .data = "12345678"}), floats),
            ": elements are <i4, the tensor's <f4; use array.astype('<f4')");
  EXPECT_EQ(refusal(format_npy({.type = "<f4", .shape = {1, 2}, .data = "12345678"}), floats),
            ": shape is 1x2, the tensor's 2x1; use array.reshape or another file");
  const detent_tensor truth = tensor_of(DETENT_BOOL, {3}, 3);
  EXPECT_EQ(refusal(std::string("\0\1\2", 3), truth), ": element 2 is 2; truth values are 0 or 1");
}

}  // namespace
}  // namespace detent::harness
