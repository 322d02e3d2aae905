// A RunConfig as YAML that loads back to the same config.
#pragma once

#include <string>

#include "config/run_config.h"

namespace rf {

// Every key, in the order of the reference, without comments; numbers in their shortest exact form.
std::string dump_config(const RunConfig& config);

// SHA-256 of the dump, 64 hexadecimal digits: equal configs, equal digest, however they were written.
std::string config_digest(const RunConfig& config);

}  // namespace rf
