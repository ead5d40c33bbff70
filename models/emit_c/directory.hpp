// Writing a set of files as one directory: all of them or none.
#pragma once

#include <string>
#include <vector>

#include "models/emit_c/emit_c.hpp"

namespace detent::models {

/// Write `files` below `directory`. Everything is first written to a sibling `directory.new.N` and then moved, so that
/// a full disk or an error leaves what was there. Missing parents of `directory` are created. Without `force` it must
/// be absent or empty; with it, files of the same name are replaced and others stay.
/// @throws InputError  B74: a path that leaves the directory, also through a symbolic link in it; a directory that is
///                     not empty; a file where a directory is needed or the other way round; whatever the system says
void write_directory(const std::string& directory, const std::vector<EmittedFile>& files, bool force);

}  // namespace detent::models
