#include "solve/four_search.h"

#include <algorithm>
#include <limits>

#include "base/random_stream.h"

namespace rf {
namespace {

constexpr int kForGood = std::numeric_limits<int>::max();  // no number of fours is enough

}  // namespace

void FourSearch::put(int cell, int player) {
  board_.put(cell, player);
  hash_ ^= mix64(std::uint64_t(2 * cell + player + 1) * 0x9e3779b97f4a7c15ULL);
}

void FourSearch::remove(int cell) {
  hash_ ^= mix64(std::uint64_t(2 * cell + board_.at(cell) + 1) * 0x9e3779b97f4a7c15ULL);
  board_.remove(cell);
}

std::vector<int> FourSearch::winning_cells(int player) const {
  StoneBoard board = board_;
  std::vector<int> cells;
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (!board.is_empty(cell)) continue;
    board.put(cell, player);
    if (std::any_of(std::begin(kSteps), std::end(kSteps),
                    [&](Step step) { return wins_by(board.run(cell, step), line_, rule_, player); })) {
      cells.push_back(cell);
    }
    board.remove(cell);
  }
  return cells;
}

bool FourSearch::forbidden(int cell, int player) {
  if (rule_ != GomokuRule::kRenju || player != 0) return false;
  board_.put(cell, player);
  const GomokuVerdict verdict = gomoku_verdict(board_, cell, line_, rule_);
  board_.remove(cell);
  return verdict != GomokuVerdict::kGoesOn && verdict != GomokuVerdict::kLine;
}

FourSearch::Cells FourSearch::completions(int cell) const {
  Cells cells;
  for (Step step : kSteps) {
    for (const StoneBoard::Row::End& end : board_.row_through(cell, step).ends) {
      if (end.cell >= 0 && wins_by(end.joined, line_, rule_, board_.at(cell))) {
        cells.cell[cells.count++] = end.cell;
      }
    }
  }
  return cells;
}

bool FourSearch::wins_in_3(int cell, int player, std::span<const int> threats) {
  if (threats.size() > 1 || (threats.size() == 1 && threats[0] != cell)) return false;
  board_.put(cell, player);
  const Cells ways = completions(cell);
  board_.remove(cell);
  if (ways.count == 0 || forbidden(cell, player)) return false;
  if (ways.count > 1) return true;
  board_.put(cell, player);
  const bool no_reply = forbidden(ways.cell[0], 1 - player);
  board_.remove(cell);
  return no_reply;
}

// The attacker's four on `cell`, and what follows from it.
bool FourSearch::try_four(int player, int cell, int fours_left) {
  put(cell, player);
  const Cells ways = completions(cell);
  bool won = false;
  if (ways.count > 0) {
    ++nodes_;
    bool allowed = true;
    if (rule_ == GomokuRule::kRenju && player == 0) {
      allowed = gomoku_verdict(board_, cell, line_, rule_) == GomokuVerdict::kGoesOn;
    }
    const int reply = ways.cell[0];
    if (!allowed) {
    } else if (ways.count > 1) {
      won = true;
      win_ = {ways.cell[1], reply, cell};
    } else if (forbidden(reply, 1 - player)) {
      won = true;
      win_ = {reply, cell};
    } else if (fours_left > 1) {
      put(reply, 1 - player);
      won = search(player, fours_left - 1, completions(reply));
      remove(reply);
      if (won) win_.insert(win_.end(), {reply, cell});
    } else {
      cut_ = true;
    }
  }
  remove(cell);
  return won;
}

// `player` is to move and has no winning cell; `threats` are the other's winning cells.
bool FourSearch::search(int player, int fours_left, const Cells& threats) {
  if (threats.count > 1 || nodes_ > budget_) return false;
  if (threats.count == 1) return try_four(player, threats.cell[0], fours_left);
  const std::uint64_t key = hash_;
  if (const auto known = lost_.find(key); known != lost_.end() && known->second >= fours_left) {
    cut_ = cut_ || known->second != kForGood;
    return false;
  }
  const bool cut_before = cut_;
  cut_ = false;
  for (int cell = 0; cell < board_.num_cells(); ++cell) {
    if (board_.is_empty(cell) && try_four(player, cell, fours_left)) return true;
  }
  if (nodes_ <= budget_) lost_[key] = cut_ ? fours_left : kForGood;
  cut_ = cut_ || cut_before;
  return false;
}

std::vector<int> FourSearch::shortest_win(int player, long long node_budget) {
  const std::vector<int> wins = winning_cells(player), theirs = winning_cells(1 - player);
  nodes_ = 0;
  budget_ = node_budget;
  if (!wins.empty()) return {wins[0]};
  if (theirs.size() > 1) return {};
  Cells threats;
  for (int cell : theirs) threats.cell[threats.count++] = cell;
  lost_.clear();
  for (int fours = 1; nodes_ <= budget_; ++fours) {
    cut_ = false;
    if (search(player, fours, threats)) return {win_.rbegin(), win_.rend()};
    if (!cut_) break;
  }
  return {};
}

}  // namespace rf
