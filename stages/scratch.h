// A folder on a disk of this node, for files that are copied to the run when they are whole:
//   DIR/rankfile-<run id>/<job>-<token>-r0003/     removed at the end; what a killed job left, by the run's
//   next
// job on this node.
#pragma once

#include <filesystem>
#include <optional>

#include "stage_frame.h"

namespace rf {

class Scratch {
 public:
  // The folder of this rank, and those of dead jobs of this run are gone. Nothing, after a warning, when the
  // disk is full: files are then written to the run without it. Throws Error(kUsage) when `dir` is empty or
  // relative, and Error(kCannotWrite) when it cannot be used at all: that is told before anything is played.
  static std::optional<Scratch> make(const StageFrame& frame, const std::filesystem::path& dir);
  ~Scratch();
  Scratch(Scratch&& other) noexcept { folder_.swap(other.folder_); }
  Scratch& operator=(Scratch&& other) noexcept {
    folder_.swap(other.folder_);
    return *this;
  }

  const std::filesystem::path& folder() const { return folder_; }

 private:
  explicit Scratch(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;  // empty: moved from
};

}  // namespace rf
