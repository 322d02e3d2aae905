// The facts of a run on one screen, for people.
#pragma once

#include <string>

#include "run/json_file.h"

namespace rf {

// `facts` as status_facts() makes them. The table shows at most `iterations` of them, the first and the last
// ones. Ends with a newline.
std::string status_screen(const Json& facts, int iterations = 15);

}  // namespace rf
