#include "app/bundle/folder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/hash/sha256.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, "", "cannot be opened; its owner gives the right by chmod");
  Sha256 hash;
  std::array<char, 1U << 16U> part{};
  while (file) {
    file.read(part.data(), part.size());
    hash.add({part.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (!file.eof()) throw InputError(path, "", "cannot be read");
  return hash.hex();
}

bool is_bundle_path(const std::string& path) {
  if (name_fault(path) != nullptr) return false;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return false;
    at = end + 1;
  }
  return true;
}

FolderListing list_folder(const std::string& directory) {
  FolderListing listing;
  std::set<std::string> folders;
  std::error_code error;
  std::size_t count = 0;
  // Links are not followed: symlink_status, and the iterator's default.
  for (fs::recursive_directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    if (++count > kMostEntries) {
      throw InputError(directory, "", "more than " + std::to_string(kMostEntries) + " entries; no bundle has as many");
    }
    const std::string path = at->path().lexically_relative(directory).generic_string();
    const fs::file_status status = at->symlink_status(error);
    if (error) break;
    if (fs::is_directory(status)) {
      folders.insert(path);
    } else {
      (fs::is_regular_file(status) ? listing.files : listing.others).push_back(path);
    }
  }
  if (error) throw InputError(directory, "", "cannot be listed: " + error.message());
  std::ranges::sort(listing.files);
  std::ranges::sort(listing.others);
  for (const std::vector<std::string>* const list : {&listing.files, &listing.others}) {
    for (const std::string& path : *list) {
      for (std::size_t cut = path.find('/'); cut != std::string::npos; cut = path.find('/', cut + 1)) {
        folders.erase(path.substr(0, cut));
      }
    }
  }
  listing.folders.assign(folders.begin(), folders.end());
  return listing;
}

std::vector<BundledFile> hash_folder(const std::string& directory, const std::string& left_out) {
  std::vector<BundledFile> files;
  for (const std::string& path : list_folder(directory).files) {
    if (path == left_out) continue;
    const std::string place = directory + "/" + path;
    files.push_back({path, fs::file_size(place), sha256_of_file(place)});
  }
  return files;
}

}  // namespace detent::app
