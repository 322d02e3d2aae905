// The command line of an executable: options are declared once, and --help, parsing and the checks follow.
//
//   CommandLine line({"rf-gate", "plays the candidate against the champion", {{"rf-gate --run R", "one
//   match"}}}); line.add_run_options(); line.add_whole("games", "N", 40, 2, 1000000, "games of the match");
//   if (auto code = line.parse(argc, argv)) return *code;
//   play(line.whole("games"));
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"

namespace rf {

// Name and meaning, or command and meaning.
using Explained = std::vector<std::pair<std::string, std::string>>;

struct Program {
  std::string name;             // "rf-gate"
  std::string purpose;          // one sentence, shown by --help
  Explained examples;           // command, what it does
  Explained exit_codes = {};    // number, meaning; added to those that all programs share
  std::string list_title = {};  // of a list that --help shows before the examples: "Formats"
  Explained list = {};
};

class CommandLine {
 public:
  // Has --help, --help-config, --version, --quiet and --verbose from the start.
  explicit CommandLine(Program program);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // --run DIR, --config FILE and --set KEY=VALUE (any number of times).
  void add_run_options();
  void add_flag(const std::string& name, const std::string& sentence);
  void add_value(const std::string& name, const std::string& metavar, const std::string& sentence);
  // May be given any number of times.
  void add_values(const std::string& name, const std::string& metavar, const std::string& sentence);
  void add_choice(const std::string& name, const std::vector<std::string>& choices,
                  const std::string& initial, const std::string& sentence);
  // Limits inclusive.
  void add_number(const std::string& name, const std::string& metavar, double initial, double min, double max,
                  const std::string& sentence);
  void add_whole(const std::string& name, const std::string& metavar, std::int64_t initial, std::int64_t min,
                 std::int64_t max, const std::string& sentence);
  // A word without dashes, in the order of these calls; read by text().
  void add_positional(const std::string& name, const std::string& sentence, bool required);

  // Exit code when there is nothing more to do (--help and its like, written to `out` if it is not null).
  // Throws Error(kUsage) for anything that was not declared, out of range, given twice or without its value.
  // "--name value" and "--name=value" are the same, and a value may begin with a minus sign; after a lone
  // "--" every word is a positional. Names are never guessed from their beginning.
  std::optional<int> parse(int argc, const char* const* argv, std::FILE* out = stdout);

  bool given(const std::string& name) const;
  bool flag(const std::string& name) const;
  std::optional<std::string> text(const std::string& name) const;  // value, choice (with default), positional
  std::vector<std::string> texts(const std::string& name) const;
  double number(const std::string& name) const;
  std::int64_t whole(const std::string& name) const;
  // The text, or Error(kUsage) that asks for the option.
  std::string required(const std::string& name) const;
  LogLevel log_level() const;

  std::string help() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rf
