// Vectors of NIST (FIPS 180-4 examples, SHAVS short messages); any cut of a text gives the same hash.
#include "base/hash/sha256.hpp"

#include <gtest/gtest.h>

namespace detent {
namespace {

TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                      "mnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256_of(std::string(1, '\xbd')), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
  EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, LengthsAroundABlockAreThoseOfCoreutils) {
  EXPECT_EQ(sha256_of(std::string(55, '\0')), "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7");
  EXPECT_EQ(sha256_of(std::string(56, '\0')), "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb");
  EXPECT_EQ(sha256_of(std::string(64, '\0')), "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
}

TEST(Sha256, AnyCutGivesTheSameHash) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += static_cast<char>(i * 7);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256 hash;
    hash.add(std::string_view(text).substr(0, cut));
    static_cast<void>(hash.hex());
    hash.add(std::string_view(text).substr(cut));
    ASSERT_EQ(hash.hex(), sha256_of(text)) << cut;
  }
}

TEST(Sha256, OnlySixtyFourDigitsAreAHash) {
  EXPECT_TRUE(is_sha256(std::string(64, 'f')));
  EXPECT_FALSE(is_sha256(std::string(63, 'f')));
  EXPECT_FALSE(is_sha256(std::string(64, 'F')));
}

}  // namespace
}  // namespace detent
