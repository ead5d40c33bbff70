#include "app/runs/tensor_files.hpp"

#include <gtest/gtest.h>

#include "app/runs/native_run.hpp"
#include "base/arrays/npy.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

/// Two inputs and two outputs, of which one name is the beginning of the other.
struct TensorFilesModel {
  detent_tensor tensors[4] = {};
  detent_region regions[1] = {};
  std::uint32_t inputs[2] = {0, 1};
  std::uint32_t outputs[2] = {2, 3};
  detent_desc desc{};
  TensorFilesModel() {
    const char* const names[] = {"x", "x=y", "p", "q"};
    for (std::size_t i = 0; i < 4; ++i) {
      tensors[i].name = names[i];
      tensors[i].block_bytes = i + 1;
      tensors[i].block_count = 1;
      tensors[i].rank = 1;
      tensors[i].dims[0] = static_cast<std::int32_t>(i + 1);
    }
    regions[0].kind = DETENT_REGION_INPUT;
    regions[0].size_bytes = 3;
    desc.tensors = tensors;
    desc.regions = regions;
    desc.region_count = 1;
    desc.inputs = inputs;
    desc.outputs = outputs;
    desc.input_count = desc.output_count = 2;
  }
};

std::string refused_inputs(const std::vector<std::string>& words, const detent_desc& desc) {
  harness::NativeOptions native;
  return refusal_of([&] {
    read_inputs(words, desc, native);
    return 0;
  });
}

TEST(TensorFiles, NamesSelectInputsTheLongestFirst) {
  const TensorFilesModel model;
  const TemporaryDirectory place;
  harness::NativeOptions native;
  read_inputs({"x=y=" + place.write("two", "ab"), "x=" + place.write("one", "c")}, model.desc, native);
  ASSERT_EQ(native.input_tensors.size(), 2U);
  EXPECT_EQ(native.input_tensors[0].tensor, 1U);
  EXPECT_EQ(native.input_tensors[0].bytes, "ab");
  EXPECT_EQ(native.input_tensors[1].tensor, 0U);
  EXPECT_EQ(native.input_tensors[1].bytes, "c");
}

TEST(TensorFiles, AFileAloneIsAllInputsAlsoWithAnEqualsSign) {
  const TensorFilesModel model;
  const TemporaryDirectory place;
  harness::NativeOptions native;
  read_inputs({place.write("a=b", "abc")}, model.desc, native);
  EXPECT_EQ(native.input_bytes, (std::vector<std::uint8_t>{'a', 'b', 'c'}));
}

TEST(TensorFiles, WordsThatMeanNothingAreRefused) {
  TensorFilesModel model;
  const TemporaryDirectory place;
  const std::string one = place.write("one", "a");
  EXPECT_EQ(
      refused_inputs({"picture=a"}, model.desc),
      "--input picture=a: the model has no input picture; it has x or x=y, and a FILE with \"=\" is written ./FILE");
  EXPECT_EQ(refused_inputs({"x=" + one, "x=" + one}, model.desc),
            "--input x=" + one + ": the input has a file already; leave one out");
  EXPECT_EQ(refused_inputs({one, "x=" + one}, model.desc),
            "--input " + one + ": a FILE is of all of them; give NAME=FILE for each or one FILE");
  model.tensors[1].name = "x";
  EXPECT_EQ(refused_inputs({"x=" + one}, model.desc),
            "--input x=" + one + ": the name is that of two; give one FILE with all of them");
  model.tensors[0].name = "picture";
  EXPECT_EQ(refused_inputs({"pictures=" + one}, model.desc),
            "--input pictures=" + one + ": the model has no input pictures; did you mean picture?");
  model.tensors[0].name = model.tensors[1].name = nullptr;
  EXPECT_NE(refused_inputs({"x=" + one}, model.desc), "");
  model.desc.input_count = 0;
  EXPECT_EQ(refused_inputs({"x=a"}, model.desc), "--input x=a: the model has no inputs by name; give one FILE");
}

TEST(TensorFiles, OutputsAreWrittenByName) {
  const TensorFilesModel model;
  const TemporaryDirectory place;
  const OutputFiles files({"q=" + place.file("q.npy"), "p=" + place.file("p")}, model.desc);
  files.write({1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(bytes_of(place.file("p")), "\1\2\3");
  const std::string npy = bytes_of(place.file("q.npy"));
  EXPECT_EQ(read_npy(npy, "q").data, "\4\5\6\7");
  EXPECT_EQ(place.file_count(), 2U);
}

TEST(TensorFiles, OneOutputThatCannotBeWrittenLeavesTheOthersAsTheyWere) {
  const TensorFilesModel model;
  const TemporaryDirectory place;
  const OutputFiles files({"p=" + place.write("p", "before"), "q=" + place.file("missing/q")}, model.desc);
  EXPECT_NE(refusal_of([&] {
              files.write({1, 2, 3, 4, 5, 6, 7});
              return 0;
            }),
            "");
  EXPECT_EQ(bytes_of(place.file("p")), "before");
  EXPECT_EQ(place.file_count(), 1U) << "no temporary file is left";
  EXPECT_EQ(refusal_of([&] {
              return OutputFiles({"p=a", "q=a"}, model.desc).empty();
            }),
            "--output: a is named twice; give each output a file of its own");
}

TEST(TensorFiles, ARunReadsAndWritesArraysByName) {
  const TemporaryDirectory place;
  RunRequest request;
  request.request.model = "diamond";
  request.request.reproducible = true;
  const LoadedModel loaded = load("diamond", {});
  const detent_desc& desc = loaded.desc();
  ASSERT_GT(desc.input_count, 0U);
  const std::string input = desc.tensors[desc.inputs[0]].name, output = desc.tensors[desc.outputs[0]].name;
  request.outputs = {output + "=" + place.file("y.npy")};
  const Answer seeded = run_once(request);
  const std::string before = bytes_of(place.file("y.npy"));
  const detent_tensor& tensor = desc.tensors[desc.inputs[0]];
  request.inputs = {input + "=" + place.write("x", std::string(tensor.block_bytes * tensor.block_count, '\0'))};
  const Answer given = run_once(request);
  EXPECT_NE(given.json["digest"], seeded.json["digest"]);
  EXPECT_NE(bytes_of(place.file("y.npy")), before);
  request.faults.values[0] = {"0"};
  request.outputs.clear();
  EXPECT_EQ(run_once(request).outcome, verify::Outcome::kHolds) << "the run after a fault has the same inputs";
}

}  // namespace
}  // namespace detent::app
