// What the author of a game writes, a small value type R, and the adapter that makes the virtual face of it.
#pragma once

#include <concepts>
#include <string>
#include <utility>

#include "base/error.h"
#include "games/game.h"

namespace rf {

// Copying an R must not allocate once the target has the same size (vectors of equal length are fine).
template <class R>
concept Rules = std::copyable<R> &&
    requires(R rules, const R& fixed, Action action, std::vector<Action>& actions, std::span<float> planes) {
  { fixed.to_move() } -> std::same_as<int>;
  { fixed.ply() } -> std::same_as<int>;
  { fixed.terminal() } -> std::same_as<bool>;
  { fixed.outcome() } -> std::same_as<float>;
  { fixed.end_reason() } -> std::convertible_to<std::string_view>;
  {fixed.legal_actions(actions)};
  { fixed.is_legal(action) } -> std::same_as<bool>;
  {rules.apply(action)};
  {fixed.encode(planes)};
  { fixed.hash() } -> std::same_as<std::uint64_t>;
  { fixed.text() } -> std::same_as<std::string>;
  { fixed.action_text(action) } -> std::same_as<std::string>;
  { fixed.parse_action(std::string_view{}) } -> std::same_as<std::optional<Action>>;
};

// What R may have besides:
//   int score_margin() const;                  games with points
//   void begin_search();                       games that judge repetitions sooner inside a search
//   std::string position_text() const;         games with a notation of positions, both or none
//   R from_position(std::string_view) const;   asked of the initial R
//   std::optional<long long> count_lines(std::string_view position, int depth) const;   games with a perft
//                                              of their own; nothing: by states as elsewhere
template <class R>
concept HasScoreMargin = requires(const R& rules) {
  { rules.score_margin() } -> std::same_as<int>;
};
template <class R>
concept HasBeginSearch = requires(R rules) {
  {rules.begin_search()};
};
template <class R>
concept HasPositions = requires(const R& rules) {
  { rules.position_text() } -> std::same_as<std::string>;
  { rules.from_position(std::string_view{}) } -> std::same_as<R>;
};

template <class R>
concept HasCountLines = requires(const R& rules) {
  { rules.count_lines(std::string_view{}, 1) } -> std::same_as<std::optional<long long>>;
};

template <Rules R>
class StateOf final : public State {
 public:
  explicit StateOf(R rules) : rules_(std::move(rules)) {}
  std::unique_ptr<State> clone() const override { return std::make_unique<StateOf>(rules_); }
  void assign(const State& other) override {
    RF_ASSERT(dynamic_cast<const StateOf*>(&other) != nullptr);
    rules_ = static_cast<const StateOf&>(other).rules_;
  }
  int to_move() const override { return rules_.to_move(); }
  int ply() const override { return rules_.ply(); }
  bool terminal() const override { return rules_.terminal(); }
  float outcome() const override {
    RF_ASSERT(rules_.terminal());
    return rules_.outcome();
  }
  std::string_view end_reason() const override { return rules_.end_reason(); }
  void legal_actions(std::vector<Action>& out) const override {
    out.clear();
    if (!rules_.terminal()) rules_.legal_actions(out);
  }
  bool is_legal(Action action) const override { return !rules_.terminal() && rules_.is_legal(action); }
  void apply(Action action) override {
    RF_ASSERT(is_legal(action));
    rules_.apply(action);
  }
  int score_margin() const override {
    if constexpr (HasScoreMargin<R>) return rules_.score_margin();
    return 0;
  }
  void begin_search() override {
    if constexpr (HasBeginSearch<R>) rules_.begin_search();
  }
  void encode(std::span<float> planes) const override { rules_.encode(planes); }
  std::uint64_t hash() const override { return rules_.hash(); }
  std::string text() const override { return rules_.text(); }
  std::string position_text() const override {
    if constexpr (HasPositions<R>) return rules_.position_text();
    return {};
  }
  const R& rules() const { return rules_; }

 private:
  R rules_;
};

template <Rules R>
class GameOf final : public Game {
 public:
  GameOf(GameSpec spec, R initial) : spec_(std::move(spec)), initial_(std::move(initial)) {}
  const GameSpec& spec() const override { return spec_; }
  std::unique_ptr<State> initial_state() const override { return std::make_unique<StateOf<R>>(initial_); }
  std::unique_ptr<State> parse_position(std::string_view text) const override {
    if constexpr (HasPositions<R>) {
      return std::make_unique<StateOf<R>>(initial_.from_position(text));
    } else {
      fail(ExitCode::kUsage, "positions of " + spec_.name + " are move lists", "'" + std::string(text) + "'",
           "give the moves from the start");
    }
  }
  long long count_lines(const State& state, int depth) const override {
    if (depth == 0) return 1;
    std::vector<Action> legal;
    state.legal_actions(legal);
    if (depth == 1) return static_cast<long long>(legal.size());
    long long sum = 0;
    const auto next = state.clone();
    for (Action action : legal) {
      next->assign(state);
      next->apply(action);
      sum += count_lines(*next, depth - 1);
    }
    return sum;
  }
  long long count_lines(std::string_view position, int depth) const override {
    if constexpr (HasCountLines<R>) {
      if (const auto lines = initial_.count_lines(position, depth)) return *lines;
    }
    return count_lines(*parse_position(position), depth);
  }
  std::string action_text(const State& state, Action action) const override {
    return static_cast<const StateOf<R>&>(state).rules().action_text(action);
  }
  std::optional<Action> parse_action(const State& state, std::string_view text) const override {
    if (state.terminal()) return std::nullopt;
    return static_cast<const StateOf<R>&>(state).rules().parse_action(text);
  }

 private:
  GameSpec spec_;
  R initial_;
};

}  // namespace rf
