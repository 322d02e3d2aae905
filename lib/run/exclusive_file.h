// Files that only one of several processes can create, on network file systems too.
#pragma once

#include <filesystem>
#include <string_view>

namespace rf {

// Creates `path` with its whole content, durably, unless something of that name is there: then false, and
// nothing was changed. Of many processes that try at once at most one gets true, and exactly one unless
// another process removes the draft ("<path>.*.part") meanwhile.
// Throws Error(kCannotWrite).
bool create_exclusively(const std::filesystem::path& path, std::string_view text);

}  // namespace rf
