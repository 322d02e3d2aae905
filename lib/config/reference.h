// The reference of every key, from the same table that loading uses.
#pragma once

#include <string>

namespace rf {

// What --help-config prints, for a terminal of 100 columns.
std::string help_config();

// configs/REFERENCE.md
std::string help_config_markdown();

}  // namespace rf
