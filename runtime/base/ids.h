/* Ids: what an index counts, as types. */
#ifndef DETENT_RUNTIME_BASE_IDS_H_
#define DETENT_RUNTIME_BASE_IDS_H_

#include <stdint.h>

namespace detent {

/// An index of one kind, as cheap as its number. Numbers become ids and ids numbers unasked, because the tables of a
/// Desc hold plain numbers; an id of one kind where one of another is expected does not compile.
template <typename Kind>
class Id {
 public:
  constexpr Id() = default;
  constexpr Id(uint32_t value) : value_(value) {}
  template <typename Other>
  Id(Id<Other>) = delete;
  constexpr operator uint32_t() const { return value_; }
  constexpr Id &operator++() {
    ++value_;
    return *this;
  }
  template <typename Other>
  bool operator==(Id<Other>) const requires(!__is_same(Other, Kind)) = delete;
  template <typename Other>
  bool operator<(Id<Other>) const requires(!__is_same(Other, Kind)) = delete;

 private:
  uint32_t value_ = 0;
};

using OpId = Id<struct OpKind>;          ///< index into detent_desc::ops
using TensorId = Id<struct TensorKind>;  ///< index into detent_desc::tensors
using RegionId = Id<struct RegionKind>;  ///< index into detent_desc::regions
using SlotId = Id<struct SlotKind>;      ///< thread of the engine: 0 is the caller's, from 1 on its workers
using Rank = Id<struct RankKind>;        ///< place in the order of the policy, lowest first; all different

}  // namespace detent

#endif
