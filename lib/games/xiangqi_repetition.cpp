#include "games/xiangqi_repetition.h"

#include <bit>

namespace rf {
namespace {

using enum XiangqiType;

XiangqiType type_of_slot(int slot) {
  return xiangqi_type(std::uint8_t(slot));
}

// Could the color of the piece on move.to legally capture the attacker after this capture?
bool is_protected(XiangqiBoard& board, XiangqiMove move) {
  const std::uint8_t captured = board.play(move);
  const int color = xiangqi_color(captured);
  bool recaptured = false;
  for (unsigned slots = board.attackers(move.to, color); slots && !recaptured; slots &= slots - 1) {
    recaptured = !board.leaves_check({board.square(color, std::countr_zero(slots)), move.to});
  }
  board.undo(move, captured);
  return recaptured;
}

// Does this legal capture make a chase of the piece that stands on move.to?
bool is_chase(XiangqiBoard& board, XiangqiMove move, XiangqiType attacker, XiangqiType attacked) {
  if ((attacker == kHorse || attacker == kCannon) && attacked == kChariot) return true;
  const bool is_major = attacked == kChariot || attacked == kCannon || attacked == kHorse;
  if ((attacker == kAdvisor || attacker == kElephant) && is_major) return true;
  if (is_protected(board, move)) return false;
  const int other = xiangqi_color(board.piece(move.to));
  return attacker != attacked || !board.is_legal({move.to, move.from}, other);
}

// Slots of the pieces of the other color that `hunter` attacks as the rule counts it.
unsigned chased_by(XiangqiBoard& board, int hunter) {
  unsigned chased = 0;
  for (int slot = 0; slot < kXiangqiSlots; ++slot) {
    const XiangqiType attacker = type_of_slot(slot);
    const std::uint8_t from = board.square(hunter, slot);
    if (from == kNoSquare || attacker == kGeneral || attacker == kSoldier) continue;
    for (int target = 0; target < kXiangqiSlots; ++target) {
      const XiangqiType attacked = type_of_slot(target);
      const std::uint8_t to = board.square(1 - hunter, target);
      if (to == kNoSquare || attacked == kGeneral) continue;
      const bool crossed = (to / kXiangqiFiles <= 4) == (hunter == 0);
      if (attacked == kSoldier && !crossed) continue;
      if (!board.is_legal({from, to}, hunter)) continue;
      if (is_chase(board, {from, to}, attacker, attacked)) chased |= 1u << target;
    }
  }
  return chased;
}

// -1 unless exactly one of the two holds.
int the_one(bool color, bool other, int color_number) {
  if (color == other) return -1;
  return color ? color_number : 1 - color_number;
}

}  // namespace

int perpetual_checker(const XiangqiHistory& history, int first, int color) {
  bool checks[2] = {true, true};  // by the color to move at the end, by the other
  for (int i = history.size() - 1; i > first; i -= 2) {
    checks[1] = checks[1] && history[i].check;
    checks[0] = checks[0] && history[i - 1].check;
  }
  return the_one(checks[0], checks[1], color);
}

int perpetual_chaser(XiangqiBoard board, const XiangqiHistory& history, int first, int color) {
  unsigned chased[2] = {0xffff, 0xffff};  // [hunter] what each move up to here attacked anew
  int hunter = color;
  for (int i = history.size() - 1; i > first; --i) {
    if (history[i].check) return -1;
    hunter = 1 - hunter;
    const XiangqiMove move = history[i].move;
    const unsigned after = chased[hunter] ? chased_by(board, hunter) : 0;
    board.undo(move, kNoPiece);
    if (after) chased[hunter] &= after & ~chased_by(board, hunter);
    if (!after) chased[hunter] = 0;
  }
  return the_one(chased[0] != 0, chased[1] != 0, 0);
}

}  // namespace rf
