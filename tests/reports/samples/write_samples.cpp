// write_samples DIR: the sample reports as files, for looking at the page while working on it.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/reports/samples/machine.hpp"
#include "tests/reports/samples/sample.hpp"

namespace {

using detent::reports::samples::Sample;

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::printf("%s %zu bytes\n", path.c_str(), bytes.size());
}

void write_sample(const std::filesystem::path& directory, const Sample& sample) {
  std::filesystem::create_directories(directory);
  write_file(directory / "report.html", detent::reports::report_html(sample.data));
  write_file(directory / "report.json", detent::reports::report_json(sample.data));
  write_file(directory / "trace.pftrace", detent::reports::perfetto_trace(sample.data));
  write_file(directory / "trace.btf", detent::reports::btf_trace(sample.data));
  write_file(directory / "findings.sarif", detent::reports::sarif_findings(sample.data));
}

}  // namespace

int main(int argc, char** argv) {
  namespace samples = detent::reports::samples;
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_samples DIR\n");
    return 2;
  }
  const std::filesystem::path root = argv[1];
  write_sample(root / "detector", samples::detector());
  write_sample(root / "chip", samples::chip());
  write_sample(root / "racy", samples::racy_detector());
  write_sample(root / "hostile", samples::hostile_names());
  write_sample(root / "large", samples::large(20000, 100000));
  write_sample(root / "empty", samples::empty());
  return 0;
}
