#include "base/arrays/npy.hpp"

#include <gtest/gtest.h>

#include "tests/support/error_text.hpp"

namespace detent {
namespace {

/// A file with this text as its header, made as long as it says.
std::string npy_file(const std::string& header, const std::string& data, char version = '\x01') {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += static_cast<char>(header.size() & 0xffU);
  file += static_cast<char>(header.size() >> 8U);
  if (version == '\x02') file += std::string(2, '\0');
  return file + header + data;
}

std::string npy_refusal(const std::string& bytes) {
  return error_text([&] { static_cast<void>(read_npy(bytes, "a.npy")); });
}

TEST(Npy, WhatNumPyWritesIsRead) {
  const std::string file =
      npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }          \n", "12345678");
  EXPECT_TRUE(is_npy(file));
  const NpyArray array = read_npy(file, "a.npy");
  EXPECT_EQ(array.type, "<f4");
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(array.data, "12345678");
}

TEST(Npy, Version2OtherQuotesAndOrdersOfKeysAreRead) {
  const std::string file = npy_file("{\"shape\":(3,),\"fortran_order\":False,\"descr\":\"|u1\"}", "abc", '\x02');
  EXPECT_EQ(read_npy(file, "a.npy").data, "abc");
}

TEST(Npy, Bfloat16IsReadAsMlDtypesSavesIt) {
  for (const char* const type : {"<V2", "|V2"}) {
    const std::string file =
        npy_file(std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (2,), }", "abcd");
    EXPECT_EQ(read_npy(file, "a.npy").type, "|V2");
    EXPECT_EQ(read_npy(file, "a.npy").data, "abcd");
  }
  const std::string four = npy_file("{'descr': '|V4', 'fortran_order': False, 'shape': (1,), }", "abcd");
  EXPECT_NE(npy_refusal(four).find("elements must be numbers or truth values"), std::string::npos);
}

TEST(Npy, WhatIsWrittenIsReadAndItsDataAreAligned) {
  const std::vector<std::vector<std::uint64_t>> shapes = {{}, {4}, {2, 2}, {4, 1, 1, 1, 1}, {0, 3}};
  for (const auto& shape : shapes) {
    const bool is_empty = !shape.empty() && shape[0] == 0;
    const std::string data(is_empty ? 0 : (shape.empty() ? 2 : 8), 'x');
    const std::string file = format_npy({.type = "<f2", .shape = shape, .data = data});
    EXPECT_EQ((file.size() - data.size()) % 64, 0U);
    const NpyArray again = read_npy(file, "a.npy");
    EXPECT_EQ(again.shape, shape);
    EXPECT_EQ(again.data, data);
    EXPECT_EQ(again.type, "<f2");
  }
}

TEST(Npy, BrokenFilesAreRefusedWithARemedy) {
  const std::string end = ", 'fortran_order': False, 'shape': (1,)}";
  EXPECT_EQ(npy_refusal("nothing"), "a.npy: is no .npy file; write it with numpy.save");
  EXPECT_EQ(npy_refusal("\x93NUMPY"), "a.npy:byte 6: is not of version 1.0 or 2.0; write it with numpy.save");
  EXPECT_EQ(npy_refusal(npy_file("{}", "", '\x03')),
            "a.npy:byte 6: is not of version 1.0 or 2.0; write it with numpy.save");
  EXPECT_EQ(npy_refusal(npy_file("{}", "").substr(0, 9)),
            "a.npy:byte 8: ends within its header; it was not written whole");
  EXPECT_EQ(npy_refusal(npy_file("{'descr': '<f4'}", "").substr(0, 20)),
            "a.npy:byte 8: ends within its header; it was not written whole");
  EXPECT_EQ(npy_refusal(std::string("\x93NUMPY\x02\0\xff\xff\xff\x7f", 12)),
            "a.npy:byte 8: the header may have 65536 bytes at most");
  EXPECT_EQ(npy_refusal(npy_file("['descr']", "")),
            "a.npy:byte 10: \"{\" is missing in the header; write it with numpy.save");
  EXPECT_EQ(npy_refusal(npy_file("{'descr': '<f4'}", "")),
            "a.npy:byte 26: the header must name descr, fortran_order and shape; write it with numpy.save");
  EXPECT_EQ(npy_refusal(npy_file("{'descr': '>f4'" + end, "1234")),
            "a.npy:byte 25: big-endian; save array.astype(array.dtype.newbyteorder('<'))");
  EXPECT_EQ(npy_refusal(npy_file("{'descr': '<c8'" + end, "12345678")),
            "a.npy:byte 25: elements must be numbers or truth values of 1, 2, 4 or 8 bytes; use array.astype");
  EXPECT_EQ(npy_refusal(npy_file("{'descr': [('a', '<f4')]" + end, "1234")),
            "a.npy:byte 20: records are not read; save one field of the array");
  EXPECT_EQ(npy_refusal(npy_file("{'fortran_order': True}", "")),
            "a.npy:byte 28: Fortran order; save numpy.ascontiguousarray(array)");
  EXPECT_EQ(npy_refusal(npy_file("{'descr': '<f4', 'descr': '<f4'" + end, "1234")),
            "a.npy:byte 35: a key of the header is duplicate; write it with numpy.save");
  for (const char* header :
       {"{'shape': (1)}", "{'shape': (-1,)}", "{'shape': (1 2)}", "{'shape': (1000000000000000,)}", "{'other': 1}",
        "{'descr", "{'descr': 'aaaaaaaaaaaaaaaaaaaa'}", "{'fortran_order': 0}", "{'descr': '<f4'"}) {
    EXPECT_NE(npy_refusal(npy_file(header, "")), "") << header;
  }
  EXPECT_NE(npy_refusal(npy_file("{'descr': '<f4'" + end + "x", "1234")), "");
  std::string ranks = "{'shape': (";
  for (int i = 0; i < 33; ++i) ranks += "1, ";
  EXPECT_NE(npy_refusal(npy_file(ranks + ")}", "")).find("at most 32 dimensions"), std::string::npos);
}

TEST(Npy, DataThatAreNotThoseOfTheShapeAreRefused) {
  const auto refusal_of_shape = [](const std::string& shape, const std::string& data) {
    return npy_refusal(npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}", data));
  };
  EXPECT_EQ(refusal_of_shape("(2, 1)", "1234567"),
            "a.npy: has 7 bytes of data, which are not 2x1 elements of 4 bytes; write it with numpy.save");
  EXPECT_NE(refusal_of_shape("(2,)", "123456789"), "");
  EXPECT_NE(refusal_of_shape("()", ""), "");
  EXPECT_NE(refusal_of_shape("(0, 3)", "1234"), "");
  EXPECT_NE(refusal_of_shape("(4294967296, 1073741824)", ""), "") << "2^64 bytes are not none";
  EXPECT_EQ(refusal_of_shape("(0, 999999999999999, 999999999999999)", ""), "");
}

}  // namespace
}  // namespace detent
