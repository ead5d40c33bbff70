// What a failing schedule belongs to: hashes of the engine and of a model's tables.
#pragma once

#include <string>

#include <detent/desc.h>

namespace detent::app {

/// Of the runtime's sources that this program was built from, 16 hex digits. cli/engine_hash.cmake says what it covers.
std::string engine_hash();

/// Of every table of a Desc that the runtime or a check reads, weights included, 16 hex digits; independent of
/// addresses, padding and tables that nothing refers to.
std::string desc_hash(const detent_desc& desc);

}  // namespace detent::app
