// Laws of element-wise operators: strides and parts change no bit, and overlap is what counting places says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include <detent/operator.h>

#include "properties/law.hpp"

namespace detent::laws {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Layout {
  Numbers dims{}, out{}, in{};
};

Layout draw_layout() {
  Layout layout;
  const std::size_t rank = *rc::gen::inRange<std::size_t>(0, 5);
  const auto any_stride = rc::gen::inRange<std::int64_t>(-9, 10);
  std::int64_t dense = 1;
  const bool is_dense = *rc::gen::weightedElement<bool>({{1, true}, {3, false}});
  for (std::size_t i = 0; i < rank; ++i) {
    layout.dims.push_back(*rc::gen::inRange<std::int64_t>(*rc::gen::inRange(0, 12) == 0 ? 0 : 1, 5));
    layout.out.push_back(is_dense ? dense : *any_stride);
    layout.in.push_back(*any_stride);
    dense *= layout.dims.back();
  }
  return layout;
}

/// Places of all elements, in their order, from element 0.
std::vector<std::int64_t> places(const Numbers& dims, const Numbers& strides) {
  std::vector<std::int64_t> found = {0};
  for (std::size_t i = 0; i < dims.size(); ++i) {
    std::vector<std::int64_t> next;
    for (const std::int64_t place : found) {
      for (std::int64_t at = 0; at < dims[i]; ++at) next.push_back(place + at * strides[i]);
    }
    found = next;
  }
  return found;
}

bool has_twice(const std::vector<std::int64_t>& all) {
  return std::set<std::int64_t>(all.begin(), all.end()).size() != all.size();
}

detent_tensor_desc desc(std::int32_t dtype, const Numbers& dims, const Numbers& strides) {
  return {.struct_bytes = sizeof(detent_tensor_desc),
          .version = DETENT_OPERATOR_VERSION,
          .dtype = dtype,
          .rank = static_cast<std::uint32_t>(dims.size()),
          .dims = dims.data(),
          .strides = strides.data()};
}

constexpr std::int64_t kMiddle = 2000;  ///< no stride reaches this far

detent_operator_status create(detent_operator& op, std::int32_t elementwise, const Layout& layout) {
  const detent_tensor_desc output = desc(DETENT_F32, layout.dims, layout.out);
  const detent_tensor_desc input = desc(DETENT_F32, layout.dims, layout.in);
  const detent_tensor_desc* const inputs[] = {&input, &input};
  return detent_operator_create(&op, elementwise, DETENT_DEVICE_CPU, &output, inputs,
                                detent_elementwise_inputs(elementwise), nullptr, 0);
}

RC_GTEST_PROP(OperatorLaw, OutputsThatOverlapThemselvesAreRefused, ()) {
  law_of_values([] {
    const Layout layout = draw_layout();
    detent_operator op = {};
    const bool overlaps = has_twice(places(layout.dims, layout.out));
    RC_CLASSIFY(overlaps);
    RC_ASSERT(create(op, DETENT_EW_SILU, layout) ==
              (overlaps ? DETENT_OPERATOR_BAD_TENSOR_STRIDES : DETENT_OPERATOR_SUCCESS));
  });
}

/// Of 4096 floats, the output begins in the middle.
std::vector<float> memory() {
  std::vector<float> values(2 * kMiddle + 96);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 97) * 0.25F - 12.0F;
  return values;
}

RC_GTEST_PROP(OperatorLaw, MemoryIsSharedByTheSameElementsOnly, ()) {
  law_of_values([] {
    Layout layout = draw_layout();
    if (*rc::gen::inRange(0, 3) == 0) layout.in = layout.out;
    detent_operator op = {};
    if (create(op, DETENT_EW_SILU, layout) != DETENT_OPERATOR_SUCCESS) return;
    const std::int64_t distance = *rc::gen::inRange<std::int64_t>(-40, 41);
    const std::vector<std::int64_t> written = places(layout.dims, layout.out);
    const std::set<std::int64_t> at(written.begin(), written.end());
    std::vector<std::int64_t> read = places(layout.dims, layout.in);
    for (std::int64_t& place : read) place += distance;
    const bool are_same = read == written;
    const bool shares = std::ranges::any_of(read, [&](std::int64_t place) { return at.contains(place); });
    RC_CLASSIFY(are_same);
    RC_CLASSIFY(shares && !are_same);
    std::vector<float> values = memory();
    const std::vector<float> before = values;
    const void* const inputs[] = {values.data() + kMiddle + distance};
    const auto status = detent_operator_calculate(&op, nullptr, 0, values.data() + kMiddle, inputs, nullptr);
    RC_ASSERT(status == (shares && !are_same ? DETENT_OPERATOR_BAD_TENSOR_STRIDES : DETENT_OPERATOR_SUCCESS));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool may_change = status == DETENT_OPERATOR_SUCCESS && at.contains(static_cast<std::int64_t>(i) - kMiddle);
      RC_ASSERT(may_change || values[i] == before[i]);
    }
  });
}

RC_GTEST_PROP(OperatorLaw, StridesAndPartsChangeNoBit, ()) {
  law_of_values([] {
    const Layout layout = draw_layout();
    const std::int32_t elementwise = *rc::gen::element<std::int32_t>(DETENT_EW_SILU, DETENT_EW_TANH, DETENT_EW_DIV);
    detent_operator op = {};
    if (create(op, elementwise, layout) != DETENT_OPERATOR_SUCCESS) return;
    const std::vector<float> x = memory();
    const std::vector<std::int64_t> written = places(layout.dims, layout.out);
    const std::vector<std::int64_t> read = places(layout.dims, layout.in);
    // One element at a time.
    std::vector<float> wanted = memory();
    detent_operator single = {};
    RC_ASSERT(create(single, elementwise, {{1}, {1}, {1}}) == DETENT_OPERATOR_SUCCESS);
    for (std::size_t i = 0; i < written.size(); ++i) {
      const void* const from[] = {x.data() + kMiddle + read[i], x.data() + kMiddle + 3 + read[i]};
      RC_ASSERT(detent_operator_calculate(&single, nullptr, 0, wanted.data() + kMiddle + written[i], from, nullptr) ==
                DETENT_OPERATOR_SUCCESS);
    }
    const std::uint32_t count = *rc::gen::inRange(1U, 8U);
    std::vector<float> y = memory();
    for (std::uint32_t index = 0; index < count; ++index) {
      detent_operator part = {};
      std::int64_t offsets[3] = {};
      RC_ASSERT(detent_operator_part(&op, count, index, &part, offsets) == DETENT_OPERATOR_SUCCESS);
      const void* const from[] = {x.data() + kMiddle + offsets[1], x.data() + kMiddle + 3 + offsets[2]};
      RC_ASSERT(detent_operator_calculate(&part, nullptr, 0, y.data() + kMiddle + offsets[0], from, nullptr) ==
                DETENT_OPERATOR_SUCCESS);
    }
    RC_ASSERT(y == wanted);
  });
}

}  // namespace
}  // namespace detent::laws
