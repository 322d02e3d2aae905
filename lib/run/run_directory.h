// The directory of a run: where everything lies, and who it is.
//
//   RUN/
//     run.yaml     the resolved config, frozen when the run is made
//     run.json     id, time and software of the making, digest of run.yaml
//     amendments.json   what of it was changed later (amendments.h)
//     lock.json    the one writer (run_lock.h)
//     iterations/000007/shards/  generate.json train.json gate.json  candidate/
//     networks/000007.h5  champion.json  metrics.jsonl  export/  logs/
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "run/stage.h"

namespace rf {

struct RunIdentity {
  std::string id;             // unique to this run: time and 32 bits of host, process and clock
  std::string created;        // UTC, "2026-01-31T12:00:00Z"
  std::string software;       // "0.1.0 (revision)"
  std::string config_digest;  // SHA-256 of run.yaml
};

class RunDirectory {
 public:
  // The run at `path`: made with this config when there is none, as it is otherwise. Of several processes
  // that make it at once one wins and the others get the winner's run, so compare run_config() with your own.
  // A run that a crash left half made is completed. Throws Error(kCannotWrite), and what open() throws.
  static RunDirectory create(const std::filesystem::path& path, std::string_view resolved_yaml);
  // Throws Error(kInputMissing) when `path` is not a run, Error(kBadData) when run.json is damaged or made by
  // later software, Error(kBadConfig) when run.yaml was edited after the run was made.
  static RunDirectory open(const std::filesystem::path& path);

  const RunIdentity& identity() const { return identity_; }
  const std::string& run_config() const { return config_; }  // text of run.yaml
  bool made_here() const { return made_here_; }              // by this call of create()

  // Absolute, without a trailing slash; symbolic links are kept.
  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path run_yaml() const { return root_ / "run.yaml"; }
  std::filesystem::path run_json() const { return root_ / "run.json"; }
  std::filesystem::path amendments_json() const { return root_ / "amendments.json"; }
  std::filesystem::path lock_json() const { return root_ / "lock.json"; }
  std::filesystem::path champion_json() const { return root_ / "champion.json"; }
  std::filesystem::path metrics() const { return root_ / "metrics.jsonl"; }
  std::filesystem::path export_dir() const { return root_ / "export"; }
  std::filesystem::path logs() const { return root_ / "logs"; }
  std::filesystem::path networks() const { return root_ / "networks"; }
  std::filesystem::path iterations() const { return root_ / "iterations"; }

  // Iterations count from 1; network 0 is the one that the run starts from.
  std::filesystem::path iteration(int number) const;
  std::filesystem::path shards(int iteration) const;
  std::filesystem::path candidate(int iteration) const;
  std::filesystem::path manifest(int iteration, Stage stage) const;
  std::filesystem::path network(int iteration) const;
  // `path` below root() as written into manifests: "networks/000007.h5".
  std::string relative(const std::filesystem::path& path) const;

 private:
  explicit RunDirectory(const std::filesystem::path& path);
  void load();

  std::filesystem::path root_;
  RunIdentity identity_;
  std::string config_;
  bool made_here_ = false;
};

// "000007"
std::string six_digits(int number);

}  // namespace rf
