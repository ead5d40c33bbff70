// Artifacts in tars and hostile places: cut off, damaged, names and links that lead outside.
#include "models/import/tvm/files/artifact_files.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/models/import/tvm/artifact/fixture.hpp"

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
  EXPECT_NE(artifact_error(scratch.root() / "empty.c").find("is empty; give"), std::string::npos);
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

TEST(Artifact, AnArchiveThatEndsWithinAMemberNamesTheMember) {
  Scratch scratch;
  const fs::path whole = scratch.root() / "a.tar", part = scratch.root() / "b.tar";
  write_tar(whole, {{"first.c", "int f(void) { return 0; }"}, {"second.c", std::string(4000, '\n')}});
  const std::string bytes = read_text(whole);
  ASSERT_EQ(bytes.substr(1024, 8), "second.c");
  write_text(part, bytes.substr(0, 3000));
  EXPECT_TRUE(artifact_error(part).starts_with(part.string() + ":second.c: the archive is damaged or cut off: "))
      << artifact_error(part);
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

/// Names and sizes of what is loaded, and the notes; or what is refused.
std::string loaded(const fs::path& path, const FileLimits& limits = {}) {
  try {
    const ArtifactFiles files = load_artifact_files(path.string(), limits);
    std::string text = files.single ? "single " : "";
    for (const ArtifactFile& file : files.files) text += file.name + ":" + std::to_string(file.text.size()) + " ";
    for (const std::string& note : files.notes) text += "(" + note + ") ";
    return text;
  } catch (const InputError& error) {
    std::string text = error.what();
    const std::size_t at = text.find(path.string());
    return at == std::string::npos ? text : text.replace(at, path.string().size(), "PATH");
  }
}

TEST(ArtifactFiles, LimitsOfDirectoriesHoldToTheLastByte) {
  const Scratch scratch;
  const fs::path path = scratch.root() / "d";
  write_text(path / "a.c", "12345");
  write_text(path / "b/c.h", "123");
  write_text(path / "b/metadata.json", "1234567");
  write_text(path / "b/x.params", "1");
  write_text(path / "b/other.txt", std::string(100, 'x'));
  write_text(path / ".hidden/d.c", "1");
  EXPECT_EQ(loaded(path), "a.c:5 b/c.h:3 b/metadata.json:7 b/x.params:1 ");
  EXPECT_EQ(loaded(path / "a.c"), "single a.c:5 ");
  EXPECT_EQ(loaded(path / "b/other.txt"), "single other.txt:100 ");
  EXPECT_EQ(loaded(path / "b/other.txt", {.max_file_bytes = 99}), "PATH: 100 bytes; at most 99 are read");
  EXPECT_EQ(loaded(path, {.max_file_bytes = 7}), loaded(path));
  EXPECT_EQ(loaded(path, {.max_file_bytes = 6}), "PATH/b/metadata.json: 7 bytes; at most 6 are read");
  EXPECT_EQ(loaded(path, {.max_total_bytes = 16}), loaded(path));
  EXPECT_EQ(loaded(path, {.max_total_bytes = 15}),
            "PATH/b/x.params: with this file the artifact has more than 15 bytes");
  EXPECT_EQ(loaded(path, {.max_entries = 7}), loaded(path));
  EXPECT_EQ(loaded(path, {.max_entries = 6}), "PATH: more than 6 files; name the directory of the artifact itself");
  EXPECT_EQ(loaded(path, {.max_depth = 1}), loaded(path));
  EXPECT_EQ(loaded(path, {.max_depth = 0}), "a.c:5 ");
  fs::create_symlink("a.c", path / "link.c");
  fs::create_symlink("a.c", path / "link.txt");
  fs::create_directory_symlink("b", path / "folder");
  EXPECT_EQ(loaded(path), "a.c:5 b/c.h:3 b/metadata.json:7 b/x.params:1 (link.c: a link; links are not followed) ");
  EXPECT_TRUE(is_wanted("a/metadata.json"));
  EXPECT_FALSE(is_wanted("a/my_metadata.json"));
  EXPECT_FALSE(is_wanted("a.c/b"));
}

TEST(ArtifactFiles, LimitsOfArchivesHoldToTheLastByte) {
  const Scratch scratch;
  const fs::path path = scratch.root() / "a.tar";
  write_tar(path, {{"./b.c", "12345"},
                   {"././a.h", "123"},
                   {"d", "", AE_IFDIR},
                   {"x.txt", std::string(50, 'x')},
                   {"b.c", "1234567"},
                   {"link.c", "b.c", AE_IFLNK},
                   {"other.c", "b.c", AE_IFLNK},
                   {"link.txt", "b.c", AE_IFLNK}});
  const std::string whole =
      "a.h:3 b.c:7 (b.c: duplicate in the archive; the later one counts) (link.c: a link or no regular file; passed "
      "over) "
      "(other.c: a link or no regular file; passed over) ";
  EXPECT_EQ(loaded(path), whole);
  EXPECT_EQ(loaded(path, {.max_entries = 8}), whole);
  EXPECT_EQ(loaded(path, {.max_entries = 7}),
            "PATH: more than 7 members; an artifact has hundreds, unpack it yourself and name its directory");
  EXPECT_EQ(loaded(path, {.max_file_bytes = 7}), whole);
  EXPECT_EQ(loaded(path, {.max_file_bytes = 6}), "PATH:b.c: more than 6 bytes, the limit of one file");
  // Headers of 512 bytes, names, contents: what all of them come to.
  const std::uint64_t all = 8 * 512 + 3 + 3 + 2 + 5 + 3 + 6 + 7 + 8 + 5 + 3 + 50 + 7;
  EXPECT_EQ(loaded(path, {.max_total_bytes = all}), whole);
  EXPECT_EQ(loaded(path, {.max_total_bytes = all - 1}),
            "PATH:link.txt: with this member the archive unpacks to more than " + std::to_string(all - 1) +
                " bytes, the limit for its size; unpack it yourself and name the directory");
  EXPECT_EQ(loaded(path, {.max_total_bytes = 512 + 3 + 4}),
            "PATH:b.c: with this member the archive unpacks to more than 519 bytes, the limit for its size; unpack it "
            "yourself and name the directory");
  EXPECT_EQ(loaded(path, {.archive_slack_bytes = all, .archive_ratio = 0}), whole);
  EXPECT_NE(loaded(path, {.archive_slack_bytes = all - 1, .archive_ratio = 0}), whole);
  EXPECT_EQ(
      loaded(path, {.max_notes = 1}),
      "a.h:3 b.c:7 (b.c: duplicate in the archive; the later one counts) (link.c: a link or no regular file; passed "
      "over) (1 further members are links or not regular files; skipped) ");
  EXPECT_EQ(
      loaded(path, {.max_notes = 0}),
      "a.h:3 b.c:7 (1 further members are duplicates in the archive; the later ones count) (2 further members are "
      "links or not regular files; skipped) ");
  write_tar(path, {{"a/../../b.c", "1"}});
  EXPECT_EQ(loaded(path), "PATH:a/../../b.c: a member that points outside of the archive; it is refused");
  write_tar(path, {{"a..c", "1"}, {"..a.c", "22"}});
  EXPECT_EQ(loaded(path), "..a.c:2 a..c:1 ");
}

}  // namespace
}  // namespace detent::models::tvm
