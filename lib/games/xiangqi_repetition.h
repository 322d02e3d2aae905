// Repeated Xiangqi positions: what was played since the last capture, and who forced the repetition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "games/xiangqi_board.h"

namespace rf {

// The positions since the last capture, the current one last; copying does not allocate between histories of
// one capacity.
class XiangqiHistory {
 public:
  struct Step {
    std::uint64_t key = 0;  // of the board and the side to move
    XiangqiMove move;       // that led here
    bool check = false;     // the side to move is in check
  };

  explicit XiangqiHistory(int capacity)
      : steps_(std::make_unique<Step[]>(std::size_t(capacity))), capacity_(capacity) {}
  XiangqiHistory(const XiangqiHistory& other) : XiangqiHistory(other.capacity_) { *this = other; }
  XiangqiHistory& operator=(const XiangqiHistory& other) {
    RF_ASSERT(capacity_ == other.capacity_);
    size_ = other.size_;
    std::copy_n(other.steps_.get(), size_, steps_.get());
    return *this;
  }

  int size() const { return size_; }
  const Step& operator[](int i) const { return steps_[std::size_t(i)]; }
  const Step& last() const { return steps_[std::size_t(size_ - 1)]; }
  void clear() { size_ = 0; }
  void push(const Step& step) {
    RF_ASSERT(size_ < capacity_);
    steps_[std::size_t(size_++)] = step;
  }

 private:
  std::unique_ptr<Step[]> steps_;  // [capacity_]
  int capacity_, size_ = 0;
};

// `first` is the index of an earlier occurrence of the last position, `color` is to move.
// The color whose every move since then gave check, if the other's did not; else -1.
int perpetual_checker(const XiangqiHistory& history, int first, int color);

// The color that since then attacked one and the same piece with every move, each time anew, if the other did
// not, and nobody gave check; else -1. Attacks are what the Asian rules (AXF) call chases, in the exact form
// of the Pikafish engine: generals and soldiers may attack, and soldiers that have not crossed the river may
// be attacked. An attack counts when capturing is legal and
//   - a chariot is attacked by a horse or cannon, a chariot, horse or cannon by an advisor or elephant, or
//   - the piece has no protection (no legal recapture), and it is not of the attacker's type or cannot
//     legally capture the attacker itself.
int perpetual_chaser(XiangqiBoard board, const XiangqiHistory& history, int first, int color);

}  // namespace rf
