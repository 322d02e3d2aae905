#include "right_moves.h"

#include <algorithm>

#include "base/error.h"

namespace rf {
namespace {

bool any(const std::vector<std::optional<int>>& outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [](const auto& outcome) { return outcome.has_value(); });
}

[[noreturn]] void refuse(const std::string& problem) {
  fail(ExitCode::kBadData, problem, "the rules say otherwise");
}

}  // namespace

std::optional<bool> RightMoves::keeps_outcome(Action action) const {
  if (!any(outcome)) return std::nullopt;
  const int highest = **std::max_element(outcome.begin(), outcome.end());
  const auto at = std::lower_bound(actions.begin(), actions.end(), action) - actions.begin();
  return outcome[std::size_t(at)] == highest;
}

std::optional<bool> RightMoves::is_best(Action action) const {
  if (best.empty()) return std::nullopt;
  return std::binary_search(best.begin(), best.end(), action);
}

void MoveJudge::take_values(const PositionLine& line, RightMoves& right) const {
  std::vector<std::optional<int>> by_action;  // [A]
  const auto scores = line.object.find("scores");
  if (!line.values.empty()) {
    for (char c : line.values) {
      by_action.push_back(c == '.' ? std::nullopt : std::optional<int>(c == '+' ? 1 : c == '-' ? -1 : 0));
    }
  } else if (scores != line.object.end() && scores->is_array()) {
    for (const Json& score : *scores) {
      if (!score.is_null() && !score.is_number_integer()) refuse("scores holds what is no whole number");
      by_action.push_back(score.is_null() ? std::nullopt : std::optional<int>((score > 0) - (score < 0)));
    }
  } else {
    return;
  }
  if (by_action.size() != std::size_t(game_.spec().num_actions)) {
    refuse(std::to_string(by_action.size()) + " values for " + std::to_string(game_.spec().num_actions) +
           " actions");
  }
  for (Action action = 0; action < game_.spec().num_actions; ++action) {
    if (by_action[std::size_t(action)].has_value() != line.state->is_legal(action)) {
      refuse("the value of action " + std::to_string(action) + " says that it is " +
             (line.state->is_legal(action) ? "not legal" : "legal"));
    }
  }
  for (std::size_t i = 0; i < right.actions.size(); ++i) {
    right.outcome[i] = by_action[std::size_t(right.actions[i])];
  }
}

void MoveJudge::take_best(const PositionLine& line, RightMoves& right) const {
  for (const char* key : {"optimal", "best", "best_moves"}) {
    const auto list = line.object.find(key);
    if (list == line.object.end() || !list->is_array()) continue;
    for (const Json& move : *list) {
      std::optional<Action> action;
      if (move.is_string()) action = game_.parse_action(*line.state, move.get<std::string>());
      if (move.is_number_integer() && !line.by_number) action = game_.parse_action(*line.state, move.dump());
      if (move.is_number_integer() && line.by_number) action = move.get<Action>();
      if (!action || !line.state->is_legal(*action))
        refuse(std::string(key) + " holds what is no legal move");
      right.best.push_back(*action);
    }
    break;
  }
  std::sort(right.best.begin(), right.best.end());
}

void MoveJudge::solve(const State& state, RightMoves& right) {
  if (!solver_asked_for_) {
    solver_asked_for_ = true;
    try {
      solver_ = make_solver(settings_, game_);
    } catch (const Error& error) {
      if (error.code() != ExitCode::kUsage) throw;  // a solver, but not for this size
    }
  }
  const std::optional<Solution> solution = solver_ ? solver_->solve(state) : std::nullopt;
  if (!solution) return;
  const std::vector<Action>& best = solution->best;
  for (std::size_t i = 0; i < right.actions.size() && solution->proven; ++i) {
    std::optional<int> value = solution->values[i];
    if (std::binary_search(best.begin(), best.end(), right.actions[i])) value = solution->value;
    if (value) right.outcome[i] = solver_->outcome_of(state, *value);
  }
  if (right.best.empty()) right.best = best;
}

RightMoves MoveJudge::judge(const PositionLine& line) {
  RightMoves right;
  line.state->legal_actions(right.actions);
  right.outcome.resize(right.actions.size());
  take_values(line, right);
  take_best(line, right);
  if (!any(right.outcome)) solve(*line.state, right);
  return right;
}

}  // namespace rf
