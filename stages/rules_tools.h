// rf-play's commands for anyone to check the rules: no run, no network, no ranks.
#pragma once

#include <span>
#include <string_view>

namespace rf {

struct RulesTool {
  std::string_view name;
  std::string_view sentence;          // for --help
  int (*run)(int argc, char** argv);  // argv[0] is the command's name; returns the exit status
};
std::span<const RulesTool> rules_tools();

// One function a command; each tells its contract with --help.
int count_leaves(int argc, char** argv);   // perft
int list_moves(int argc, char** argv);     // moves
int show_position(int argc, char** argv);  // show
int judge_file(int argc, char** argv);     // judge
int convert_file(int argc, char** argv);   // convert

}  // namespace rf
