// The network file: what a network is (architecture, game), its weights, and where it comes from. A tensor
// file of kind "rankfile-network"; the architecture is in the attributes, each key of the config's `network`
// section as `network.<key>`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "net/architecture.h"

namespace rf {

struct NetworkFile {
  Architecture architecture;
  Weights weights;
  std::string run_id;     // of the run that trained it
  int iteration = 0;      // after whose training
  std::int64_t step = 0;  // optimiser steps so far
  std::string digest;     // of a file that was read; not written
};

// Returns the digest. Error(kBadData) when the weights do not fit the architecture (also: not finite),
// kCannotWrite when the file cannot be written; the old file is then untouched.
std::string write_network(const std::filesystem::path& path, const NetworkFile& network);

// A network that is whole and consistent, or an Error that names the file and what is wrong.
NetworkFile read_network(const std::filesystem::path& path);

// Error(kBadData) that names `path`, and both values of the first property that differs.
void expect_game(const NetworkFile& network, const std::string& game_id, const std::filesystem::path& path);
void expect_architecture(const NetworkFile& network, const Architecture& expected,
                         const std::filesystem::path& path);

}  // namespace rf
