// A sealed file from one file system to another, where a rename does not work: from a disk of the node to the
// run.
#pragma once

#include <filesystem>

namespace rf {

// Copies beside `to`, compares the copy's bytes with the seal that came with them, fsyncs, renames, fsyncs
// the folder. Throws Error(kBadData) when `from` or the copy is damaged and kCannotWrite when there is no
// room or no permission; no part file stays then, and what was at `to` is untouched.
void copy_sealed(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace rf
