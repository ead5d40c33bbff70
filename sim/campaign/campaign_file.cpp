// Campaign file: header and blocks as bytes, read with nothing trusted, appended under a lock.
#include "sim/campaign/campaign_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "base/counted.hpp"
#include "base/wanted_file.hpp"

namespace detent::sim {
namespace {

constexpr std::string_view kCampaignMagic = "DETCAMPN";
constexpr std::uint32_t kCampaignVersion = 1;
constexpr std::uint32_t kBlockMagic = 0x4B434C42;  // "BLCK"
constexpr std::size_t kFixedHeaderBytes = 40;
constexpr std::size_t kFixedBlockBytes = 24;
constexpr std::size_t kChecksumBytes = 8;
constexpr std::uint32_t kMaxIdentityBytes = 1U << 20U;
constexpr std::uint32_t kMaxBlockRuns = 65'536;
constexpr std::uint64_t kMaxRunNumber = std::uint64_t{1} << 40U;

template <typename Integer>
void put(std::string& bytes, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

template <typename Integer>
Integer get(std::string_view bytes, std::size_t at) {
  Integer value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    value |= static_cast<Integer>(static_cast<Integer>(static_cast<unsigned char>(bytes[at + i])) << (8 * i));
  }
  return value;
}

std::uint64_t checksum(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

[[noreturn]] void refuse_byte(const std::string& path, std::uint64_t byte, const std::string& what) {
  throw std::invalid_argument(path + ": byte " + std::to_string(byte) + ": " + what);
}

[[noreturn]] void refuse_system(const std::string& path, const std::string& what) {
  throw std::invalid_argument(path + ": " + what + ": " + std::strerror(errno));
}

const WantedFile& wanted_campaign() {
  static const WantedFile kCampaign = {
      "a campaign file of detent simulate", {}, "write one with detent simulate MODEL --campaign FILE"};
  return kCampaign;
}

/// An open file, closed at the end.
class CampaignHandle {
 public:
  explicit CampaignHandle(int descriptor) : descriptor_(descriptor) {}
  ~CampaignHandle() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  CampaignHandle(const CampaignHandle&) = delete;
  CampaignHandle& operator=(const CampaignHandle&) = delete;
  [[nodiscard]] int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

/// Append the next `count` bytes of the file to `bytes`; false at its end.
bool read_more(int descriptor, const std::string& path, std::size_t count, std::string& bytes) {
  std::size_t at = bytes.size();
  bytes.resize(at + count);
  while (at < bytes.size()) {
    const ssize_t got = ::read(descriptor, bytes.data() + at, bytes.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_system(path, "cannot be read");
    if (got == 0) break;
    at += static_cast<std::size_t>(got);
  }
  const bool whole = at == bytes.size();
  bytes.resize(at);
  return whole;
}

void write_all(int descriptor, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put_bytes = ::write(descriptor, bytes.data(), bytes.size());
    if (put_bytes < 0 && errno == EINTR) continue;
    if (put_bytes < 0) throw std::runtime_error(path + ": cannot be written: " + std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(put_bytes));
  }
}

void lock_file(int descriptor, const std::string& path) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw std::invalid_argument(path + ": another process is writing it; wait for its end");
  refuse_system(path, "cannot be locked");
}

/// Reads one file from its beginning.
class CampaignReader {
 public:
  CampaignReader(int descriptor, const std::string& path) : descriptor_(descriptor), path_(path) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) refuse_system(path, "cannot be examined");
    if (S_ISDIR(status.st_mode)) refuse_kind(path, kind_at(path), wanted_campaign());
    if (!S_ISREG(status.st_mode)) throw std::invalid_argument(path + ": is not a regular file");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  CampaignContent read() {
    static_cast<void>(header());
    content_.runs.makespans_ps.reserve(std::min(content_.header.part.count, size_ / 8));
    while (!content_.damage && content_.good_bytes < size_) read_block();
    if (!content_.damage && content_.runs.makespans_ps.size() < content_.header.part.count) {
      note(content_.good_bytes, "the file ends after " + std::to_string(content_.runs.makespans_ps.size()) + " of " +
                                    std::to_string(content_.header.part.count) + " runs");
    }
    return std::move(content_);
  }

  const CampaignHeader& header() {
    read_header();
    return content_.header;
  }

 private:
  void note(std::uint64_t byte, const std::string& what) {
    content_.damage = "byte " + std::to_string(byte) + ": " + what;
  }

  void read_header() {
    std::string bytes;
    const bool whole = read_more(descriptor_, path_, kFixedHeaderBytes, bytes);
    check_magic(bytes);
    if (!whole) refuse_byte(path_, bytes.size(), "the header is cut off; simulate the part again into a new file");
    const auto version = get<std::uint32_t>(bytes, 8);
    if (version != kCampaignVersion) {
      refuse_byte(path_, 8,
                  "version " + std::to_string(version) + ", this program reads " + std::to_string(kCampaignVersion) +
                      "; use the program that wrote it");
    }
    CampaignHeader& header = content_.header;
    header.block_runs = get<std::uint32_t>(bytes, 12);
    header.part = {get<std::uint64_t>(bytes, 16), get<std::uint64_t>(bytes, 24)};
    const auto identity_bytes = get<std::uint32_t>(bytes, 32);
    if (header.block_runs == 0 || header.block_runs > kMaxBlockRuns)
      refuse_byte(path_, 12, "the runs per block must be from 1 to 65536");
    if (header.part.first > kMaxRunNumber) refuse_byte(path_, 16, "the first run must be at most 2^40");
    if (header.part.count == 0 || header.part.count > kMaxRunNumber)
      refuse_byte(path_, 24, "the number of runs must be from 1 to 2^40");
    if (identity_bytes > kMaxIdentityBytes) refuse_byte(path_, 32, "identity longer than 1 MiB");
    if (!read_more(descriptor_, path_, identity_bytes + kChecksumBytes, bytes)) {
      refuse_byte(path_, bytes.size(), "the header is cut off; simulate the part again into a new file");
    }
    const std::string_view summed(bytes.data(), bytes.size() - kChecksumBytes);
    checksum_ = get<std::uint64_t>(bytes, summed.size());
    if (checksum(summed, 0) != checksum_ || get<std::uint32_t>(bytes, 36) != 0) {
      refuse_byte(path_, summed.size(), "the header's checksum is wrong; simulate the part again into a new file");
    }
    header.identity = bytes.substr(kFixedHeaderBytes, identity_bytes);
    content_.good_bytes = bytes.size();
  }

  void check_magic(const std::string& bytes) const {
    if (bytes.empty()) refuse_byte(path_, 0, "the file is empty; delete it and begin again");
    const std::string start = bytes.substr(0, kCampaignMagic.size());
    if (start == kCampaignMagic.substr(0, start.size())) return;
    if (std::equal(kCampaignMagic.rbegin(), kCampaignMagic.rend(), start.begin(), start.end())) {
      refuse_byte(path_, 0, "the bytes are swapped; copy the file without conversion");
    }
    refuse_kind(path_, kind_at(path_), wanted_campaign());
  }

  void read_block() {
    const std::uint64_t begin = content_.good_bytes;
    KnownRuns& runs = content_.runs;
    const std::uint64_t left = content_.header.part.count - runs.makespans_ps.size();
    if (left == 0) return note(begin, counted(size_ - begin, "extra byte") + " after the last block");
    std::string bytes;
    if (!read_more(descriptor_, path_, kFixedBlockBytes, bytes)) return note(begin, "the last block is cut off");
    const auto run_count = get<std::uint32_t>(bytes, 4);
    const auto digest_count = get<std::uint32_t>(bytes, 16);
    const bool fits = get<std::uint32_t>(bytes, 0) == kBlockMagic && get<std::uint32_t>(bytes, 20) == 0 &&
                      run_count == std::min<std::uint64_t>(left, content_.header.block_runs) &&
                      get<std::uint64_t>(bytes, 8) == content_.header.part.first + runs.makespans_ps.size() &&
                      digest_count <= run_count;
    if (!fits) return note(begin, "no block, or not the one that follows");
    const std::size_t words = std::size_t{run_count} + digest_count;
    if (!read_more(descriptor_, path_, words * 8 + kChecksumBytes, bytes)) {
      return note(begin, "the last block is cut off");
    }
    const std::string_view summed(bytes.data(), bytes.size() - kChecksumBytes);
    if (checksum(summed, checksum_) != get<std::uint64_t>(bytes, summed.size())) {
      return note(begin, "the block's checksum is wrong");
    }
    for (std::size_t i = 0; i < words; ++i) {
      std::vector<std::uint64_t>& target = i < run_count ? runs.makespans_ps : runs.digests;
      target.push_back(get<std::uint64_t>(bytes, kFixedBlockBytes + 8 * i));
    }
    content_.good_bytes += bytes.size();
  }

  int descriptor_;
  const std::string& path_;
  std::uint64_t size_ = 0;
  std::uint64_t checksum_ = 0;
  CampaignContent content_;
};

int open_campaign(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK);  // a FIFO must not hang
  if (descriptor >= 0) return descriptor;
  const std::string why = std::strerror(errno);
  const std::string near = errno == ENOENT ? near_file(path) : "";
  throw std::invalid_argument(path + ": cannot be opened: " + why +
                              (near.empty() ? "; " + wanted_campaign().advice : near));
}

}  // namespace

std::uint32_t campaign_block_runs(std::uint32_t op_count) {
  return std::clamp<std::uint32_t>(1'000'000 / std::max(op_count, 1U), 1, 4096);
}

std::string encode_campaign_header(const CampaignHeader& header) {
  std::string bytes(kCampaignMagic);
  put(bytes, kCampaignVersion);
  put(bytes, header.block_runs);
  put(bytes, header.part.first);
  put(bytes, header.part.count);
  put(bytes, static_cast<std::uint32_t>(header.identity.size()));
  put(bytes, std::uint32_t{0});
  bytes += header.identity;
  put(bytes, checksum(bytes, 0));
  return bytes;
}

std::string encode_campaign_block(const CampaignHeader& header, std::uint64_t first_run, const KnownRuns& runs) {
  const std::string head = encode_campaign_header(header);
  std::string bytes;
  bytes.reserve(kFixedBlockBytes + 8 * (runs.makespans_ps.size() + runs.digests.size() + 1));
  put(bytes, kBlockMagic);
  put(bytes, static_cast<std::uint32_t>(runs.makespans_ps.size()));
  put(bytes, first_run);
  put(bytes, static_cast<std::uint32_t>(runs.digests.size()));
  put(bytes, std::uint32_t{0});
  for (const std::uint64_t value : runs.makespans_ps) put(bytes, value);
  for (const std::uint64_t value : runs.digests) put(bytes, value);
  put(bytes, checksum(bytes, get<std::uint64_t>(head, head.size() - kChecksumBytes)));
  return bytes;
}

CampaignContent read_campaign(const std::string& path) {
  const CampaignHandle file(open_campaign(path, O_RDONLY));
  return CampaignReader(file.get(), path).read();
}

CampaignHeader read_campaign_header(const std::string& path) {
  const CampaignHandle file(open_campaign(path, O_RDONLY));
  return CampaignReader(file.get(), path).header();
}

std::unique_ptr<CampaignWriter> CampaignWriter::create(const std::string& path, const CampaignHeader& header) {
  if (header.identity.size() > kMaxIdentityBytes) throw std::invalid_argument(path + ": identity longer than 1 MiB");
  const std::string draft = path + ".new" + std::to_string(::getpid());
  CampaignHandle file(::open(draft.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) refuse_system(path, "cannot be created");
  lock_file(file.get(), path);
  write_all(file.get(), path, encode_campaign_header(header));
  const bool linked = ::link(draft.c_str(), path.c_str()) == 0;  // never over another file
  const int error = errno;
  ::unlink(draft.c_str());
  errno = error;
  if (!linked) refuse_system(path, "cannot be created");
  return std::unique_ptr<CampaignWriter>(new CampaignWriter(path, header, file.release(), 0));
}

CampaignWriter::Resumed CampaignWriter::resume(const std::string& path, const CampaignHeader& header) {
  CampaignHandle file(open_campaign(path, O_RDWR));
  lock_file(file.get(), path);
  CampaignContent content = CampaignReader(file.get(), path).read();
  if (!(content.header == header)) {
    throw std::invalid_argument(path + ": holds another campaign or part; name another file");
  }
  const auto end = static_cast<off_t>(content.good_bytes);
  if (::ftruncate(file.get(), end) != 0 || ::lseek(file.get(), end, SEEK_SET) != end) {
    refuse_system(path, "cannot be continued");
  }
  const std::uint64_t done = content.runs.makespans_ps.size();
  std::unique_ptr<CampaignWriter> writer(new CampaignWriter(path, header, file.release(), done));
  return {std::move(writer), std::move(content.runs), std::move(content.damage)};
}

CampaignWriter::CampaignWriter(std::string path, CampaignHeader header, int descriptor, std::uint64_t done)
    : path_(std::move(path)), header_(std::move(header)), descriptor_(descriptor), done_(done) {}

CampaignWriter::~CampaignWriter() { ::close(descriptor_); }

void CampaignWriter::add(const RunOutcome& run) {
  block_.makespans_ps.push_back(run.makespan_ps);
  if (run.digest && std::ranges::find(block_.digests, *run.digest) == block_.digests.end()) {
    block_.digests.push_back(*run.digest);
  }
  const std::uint64_t due = std::min<std::uint64_t>(header_.block_runs, header_.part.count - done_);
  if (block_.makespans_ps.size() < due) return;
  write_all(descriptor_, path_, encode_campaign_block(header_, header_.part.first + done_, block_));
  done_ += due;
  block_ = {};
}

}  // namespace detent::sim
