#include "models/prepare/load.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/io.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models {
namespace {

constexpr const char* kGraph = R"({"schema": "detent.graph/1", "ops": [{"id": 0}, {"id": 1}], "edges": [[0, 1]]})";

class Load : public ::testing::Test {
 protected:
  void SetUp() override { path_ = ::testing::TempDir() + "detent_load_" + std::to_string(::getpid()); }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string path_;
};

TEST_F(Load, ZooModelsByName) { EXPECT_EQ(load_model("diamond"), build_zoo_model("diamond")); }

TEST_F(Load, OpGraphFiles) {
  write_file_atomically(path_, kGraph);
  EXPECT_EQ(load_model(path_), parse_graph(kGraph, "g"));
}

TEST_F(Load, PackagesByTheirMagic) {
  const Model model = make_zoo_model("diamond");
  write_package(model, path_);
  EXPECT_EQ(load_model(path_), model);
}

TEST_F(Load, LoadedModelsCanBePrepared) {
  write_package(build_zoo_model("diamond"), path_);
  Model model = load_model(path_);
  prepare_model(model, {});
  EXPECT_EQ(model, make_zoo_model("diamond"));
}

TEST_F(Load, UnknownNameIsRefusedWithTheNearestOfTheZoo) {
  expect_error([] { return load_model("yolov9"); },
               {"yolov9: is neither", "did you mean yolov8n?", "detent list models"});
}

TEST_F(Load, B01_EmptyFile) {
  write_file_atomically(path_, "");
  expect_error([&] { return load_model(path_); }, {"is empty; give"});
}

TEST_F(Load, B02_FilesOfAnotherKind) {
  write_file_atomically(path_,
                        "\x7F"
                        "ELF");
  expect_error([&] { return load_model(path_); }, {"is a program or library, not a model"});
  expect_error([] { return load_model("/"); }, {"is a folder, not a model", "detent import tvm"});
}

TEST_F(Load, B08_ByteSwappedPackage) {
  write_file_atomically(path_, "KPTNETED and more");
  expect_error([&] { return load_model(path_); }, {"byte-swapped"});
}

/// Every model of the zoo, good and bad, survives the package and comes back equal.
TEST(Zoo, EveryModelRoundTripsThroughItsPackage) {
  for (const ZooEntry& entry : zoo()) {
    const Model model = make_zoo_model(entry.name);
    const std::string bytes = encode_package(model);
    EXPECT_EQ(decode_package(bytes, entry.name), model) << entry.name;
    EXPECT_EQ(encode_package(decode_package(bytes, entry.name)), bytes) << entry.name;
  }
}

}  // namespace
}  // namespace detent::models
