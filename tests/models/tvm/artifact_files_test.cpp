// Artifacts in tars and hostile places: cut off, damaged, names and links that lead outside.
#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/models/tvm/artifact_fixture.hpp"

namespace detent::models::tvm {
namespace {

struct Member {
  std::string name, text;
  int type = AE_IFREG;
};

void write_tar(const fs::path& path, const std::vector<Member>& members, bool compressed = false) {
  archive* out = archive_write_new();
  archive_write_set_format_pax_restricted(out);
  if (compressed) archive_write_add_filter_xz(out);
  ASSERT_EQ(archive_write_open_filename(out, path.c_str()), ARCHIVE_OK);
  for (const Member& member : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_filetype(entry, static_cast<unsigned>(member.type));
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(member.type == AE_IFREG ? member.text.size() : 0));
    if (member.type == AE_IFLNK) archive_entry_set_symlink(entry, member.text.c_str());
    archive_write_header(out, entry);
    if (member.type == AE_IFREG) archive_write_data(out, member.text.data(), member.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
}

std::vector<Member> members_of(const std::string& fixture) {
  std::vector<Member> members;
  for (const auto& entry : fs::recursive_directory_iterator(kFixtures + fixture)) {
    if (!entry.is_regular_file()) continue;
    members.push_back({"./" + fs::relative(entry.path(), kFixtures + fixture).string(), read_text(entry.path())});
  }
  return members;
}

TEST(Artifact, TarsAreReadLikeDirectories) {
  Scratch scratch;
  for (const bool compressed : {false, true}) {
    const fs::path path = scratch.root() / (compressed ? "a.tar.xz" : "a.tar");
    write_tar(path, members_of("usmp"), compressed);
    const Artifact artifact = read_artifact(path.string());
    EXPECT_EQ(artifact.constants.size(), 7U);
    EXPECT_EQ(artifact.glue_file, kSources + "default_lib0.c");
  }
}

TEST(Artifact, B01_EmptyPlaces) {
  Scratch scratch;
  EXPECT_NE(artifact_error(scratch.root()).find("defines main"), std::string::npos);
  write_text(scratch.root() / "empty.c", "");
  EXPECT_NE(artifact_error(scratch.root() / "empty.c").find("no function"), std::string::npos);
  EXPECT_NE(artifact_error(scratch.root() / "missing"), "");
  EXPECT_NE(artifact_error(""), "");
  EXPECT_NE(artifact_error(std::string("a\0b", 3)), "");
}

TEST(Artifact, B04_TarCutOffAnywhere) {
  Scratch scratch;
  const fs::path whole = scratch.root() / "a.tar", part = scratch.root() / "b.tar";
  write_tar(whole, members_of("packed_no_usmp"));
  const std::string bytes = read_text(whole);
  for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 25) {
    write_text(part, bytes.substr(0, length));
    const std::string error = artifact_error(part);
    EXPECT_TRUE(error.empty() || error.starts_with(part.string())) << error;
  }
  write_tar(whole, members_of("packed_no_usmp"), true);
  const std::string packed = read_text(whole);
  for (std::size_t length = 0; length < packed.size(); length += 1 + packed.size() / 25) {
    write_text(part, packed.substr(0, length));
    EXPECT_NE(artifact_error(part), "") << length;
  }
}

TEST(Artifact, B07_TarBytesExchanged) {
  Scratch scratch;
  const fs::path path = scratch.root() / "a.tar";
  write_tar(path, members_of("packed_no_usmp"));
  const std::string bytes = read_text(path);
  for (std::size_t i = 0; i < 25; ++i) {
    std::string changed = bytes;
    const std::size_t at = i * 17 % std::min<std::size_t>(bytes.size(), 2048);
    changed[at] = static_cast<char>(changed[at] ^ 0xff);
    write_text(path, changed);
    artifact_error(path);
  }
}

TEST(Artifact, B14_HostileMemberNames) {
  Scratch scratch;
  const fs::path path = scratch.root() / "a.tar";
  for (const char* name : {"../a.c", "/etc/a.c", "b/../../a.c", "./../a.c"}) {
    write_tar(path, {{name, "int f(void) { return 0; }"}});
    EXPECT_NE(artifact_error(path).find("points outside"), std::string::npos) << name;
  }
  std::vector<Member> members = members_of("usmp");
  members.push_back({std::string(100000, 'x') + "/<b>,\n\xff.c", "int tvmgen_x(void) { return 0; }"});
  write_tar(path, members);
  EXPECT_EQ(artifact_error(path), "");
}

TEST(Artifact, B62_LinksFifosAndDirectoriesAsFiles) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  fs::rename(path / kSources / "default_lib1.c", scratch.root() / "outside.c");
  fs::create_symlink(scratch.root() / "outside.c", path / kSources / "default_lib1.c");
  EXPECT_NE(artifact_error(path), "") << "a link that leaves the directory is not followed";
  fs::remove(path / kSources / "default_lib1.c");
  fs::rename(scratch.root() / "outside.c", path / kSources / "default_lib1.c");
  fs::create_directory_symlink("/", path / "root");
  fs::create_directory_symlink("..", path / "up");
  fs::create_directory(path / "d.c");
  ASSERT_EQ(::mkfifo((path / "pipe.c").c_str(), 0600), 0);
  const Artifact artifact = read_artifact(path.string());
  EXPECT_TRUE(has_note(artifact, "pipe.c"));
  EXPECT_NE(artifact_error(path / "pipe.c").find("FIFO"), std::string::npos);
  EXPECT_NE(artifact_error("/dev/zero").find("device"), std::string::npos);
}

TEST(Artifact, B62_LinksInTars) {
  Scratch scratch;
  const fs::path path = scratch.root() / "a.tar";
  std::vector<Member> members = members_of("usmp");
  members.push_back({"link.c", "/etc/passwd", AE_IFLNK});
  write_tar(path, members);
  EXPECT_TRUE(has_note(read_artifact(path.string()), "link.c"));
}

}  // namespace
}  // namespace detent::models::tvm
