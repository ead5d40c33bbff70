// B09, B15: archives cost what their size allows: many members, padded members, members that say they are larger than
// they are. Refused with archive, member and limit.
#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/input_error.hpp"
#include "models/import/tvm/files/artifact_files.hpp"
#include "tests/build.hpp"
#include "tests/effort.hpp"

namespace detent::models::tvm {
namespace {

namespace fs = std::filesystem;

/// An archive that is written member by member, packed by gzip.
class TarGz {
 public:
  explicit TarGz(const std::string& path) : out_(archive_write_new()) {
    archive_write_set_format_pax_restricted(out_);
    archive_write_add_filter_gzip(out_);
    EXPECT_EQ(archive_write_open_filename(out_, path.c_str()), ARCHIVE_OK);
  }
  ~TarGz() { close(); }
  TarGz(const TarGz&) = delete;
  TarGz& operator=(const TarGz&) = delete;

  void add(const std::string& name, std::uint64_t bytes, char fill = ' ') {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes));
    archive_write_header(out_, entry);
    const std::string chunk(1U << 16U, fill);
    for (std::uint64_t left = bytes; left > 0; left -= std::min<std::uint64_t>(left, chunk.size())) {
      archive_write_data(out_, chunk.data(), std::min<std::uint64_t>(left, chunk.size()));
    }
    archive_entry_free(entry);
  }
  void close() {
    if (out_ == nullptr) return;
    archive_write_close(out_);
    archive_write_free(out_);
    out_ = nullptr;
  }

 private:
  archive* out_;
};

std::string scratch_file(const std::string& name) {
  const fs::path folder = fs::path(kBuildFolder) / "scratch";
  fs::create_directories(folder);
  return (folder / name).string();
}

std::string refusal(const std::string& path, const FileLimits& limits = {}) {
  ArtifactFiles files;
  try {
    load_archive(path, limits, files);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string unpacks_to_too_much(const std::string& path) {
  const std::uint64_t allowed = FileLimits{}.archive_slack_bytes + FileLimits{}.archive_ratio * fs::file_size(path);
  return ": with this member the archive unpacks to more than " + std::to_string(allowed) +
         " bytes, the limit for its size; unpack it yourself and name the directory";
}

TEST(Regress, B15_APaddedMemberIsRefusedByTheArchivesSize) {
  const std::string path = scratch_file("padded.tar.gz");
  TarGz tar(path);
  tar.add("small.c", 100);
  tar.add("padded.c", std::uint64_t{96} << 20U);
  tar.close();
  EXPECT_EQ(refusal(path), path + ":padded.c" + unpacks_to_too_much(path));
}

/// Whatever a member is named: what is not kept is unpacked all the same.
TEST(Regress, B15_MembersThatAreNotKeptCountToo) {
  const std::string path = scratch_file("unwanted.tar.gz");
  TarGz tar(path);
  for (int i = 0; i < 8; ++i) tar.add("blob" + std::to_string(i) + ".bin", std::uint64_t{16} << 20U);
  tar.close();
  EXPECT_EQ(refusal(path), path + ":blob4.bin" + unpacks_to_too_much(path));
}

/// A header alone, which says that 4 GiB follow: nobody looks for them.
TEST(Regress, B09_AMemberIsRefusedByItsHeaderBeforeItIsUnpacked) {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
  put(0, "huge.c");
  put(100, "0000644");
  put(124, "40000000000");
  put(136, "00000000000");
  put(148, "        ");
  put(156, "0");
  put(257, "ustar");
  put(263, "00");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  char octal[8];
  std::snprintf(octal, sizeof octal, "%06o", sum);
  put(148, std::string(octal) + '\0' + ' ');
  const std::string path = scratch_file("header.tar");
  std::ofstream(path, std::ios::binary) << header;
  EXPECT_EQ(refusal(path), path + ":huge.c: more than 1073741824 bytes, the limit of one file");
}

TEST(Regress, B09_ManyMembersAreCountedAndNotSearched) {
  const std::string path = scratch_file("members.tar.gz");
  const std::uint32_t count = effort(20'000U);
  TarGz tar(path);
  for (std::uint32_t i = 0; i < count; ++i) tar.add("f" + std::to_string(i) + ".c", 0);
  for (std::uint32_t i = 0; i < 300; ++i) tar.add("f" + std::to_string(i) + ".c", 1, 'x');
  tar.close();
  ArtifactFiles files;
  ASSERT_TRUE(load_archive(path, {}, files));
  ASSERT_EQ(files.files.size(), count);
  EXPECT_EQ(files.files[299].text, "x") << "the later one counts";
  EXPECT_EQ(files.files[300].text, "");
  ASSERT_EQ(files.notes.size(), 101U);
  EXPECT_EQ(files.notes[0], "f0.c: duplicate in the archive; the later one counts");
  EXPECT_EQ(files.notes[100], "200 further members are duplicates in the archive; the later ones count");
  FileLimits limits;
  limits.max_entries = 10;
  EXPECT_EQ(refusal(path, limits),
            path + ": more than 10 members; an artifact has hundreds, unpack it yourself and name its directory");
}

}  // namespace
}  // namespace detent::models::tvm
