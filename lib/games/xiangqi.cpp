// Xiangqi. Player 0 is Red and begins. Options:
//   rules              strict: a move may not leave one's own general attacked; who has no legal move loses.
//                      loose: as the pieces go; who is to move and could capture the general has won
//   no_capture_plies   a draw when that many plies in a row captured nothing (mate comes first)
//   repetition         the third occurrence of a position with the same side to move since the last capture
//                      ends the game. checks: if exactly one side checked with each of its moves from the
//                      first to the third, it loses, else a draw. chase: such a side that always chases one
//                      piece without protection loses, too (xiangqi_repetition.h)
//   search_repetition  second: inside a search the second occurrence at or after the root ends it likewise
//   max_plies          a draw at that ply; 0: no such limit
//   planes             pieces14: advisors, elephants, cannons, generals, horses, chariots, soldiers of the
//                      player to move, then the other's; full: and occurrences of the position before, plies
//                      without capture, side to move
// For Black all cells and actions have their ranks flipped, so that the player to move sits at row 0.
#include <algorithm>
#include <bit>
#include <memory>

#include "base/random_stream.h"
#include "games/rules.h"
#include "games/xiangqi_fen.h"
#include "games/xiangqi_labels.h"
#include "games/xiangqi_repetition.h"

namespace rf {
namespace {

constexpr int kPiecePlanes = 14, kFullPlanes = 17, kNoRoot = 1 << 30;

struct Setting {
  bool strict, chase, second, full;
  int no_capture_plies, max_plies;
  std::array<std::uint64_t, kPiecePlanes * kXiangqiSquares> keys;  // [own and other types, squares] as seen
  std::uint64_t key(int viewer, std::uint8_t piece, std::uint8_t square) const {
    const bool own = xiangqi_color(piece) == viewer;
    const std::size_t plane = std::size_t(xiangqi_type(piece)) + (own ? 0 : kPiecePlanes / 2);
    return keys[plane * kXiangqiSquares + (viewer == 0 ? square : flip_ranks(square))];
  }
};

enum class End : std::uint8_t {
  kNone,
  kCheckmate,
  kStalemate,
  kGeneralCaptured,
  kPerpetualCheck,
  kPerpetualChase,
  kRepetition,
  kNoCapture,
  kMoveLimit
};
constexpr std::string_view kEndReasons[] = {
    "none",       "checkmate",  "stalemate", "general captured", "perpetual check", "perpetual chase",
    "repetition", "no capture", "move limit"};

class Xiangqi {
 public:
  Xiangqi(std::shared_ptr<const Setting> setting, const XiangqiPosition& position)
      : setting_(std::move(setting)),
        labels_(&xiangqi_labels()),
        history_(setting_->no_capture_plies + 1),
        position_(position) {
    for (int viewer = 0; viewer < 2; ++viewer) {
      for (std::uint8_t s = 0; s < kXiangqiSquares; ++s) {
        const std::uint8_t piece = board().piece(s);
        if (piece != kNoPiece) seen_[viewer] ^= setting_->key(viewer, piece, s);
      }
    }
    history_.push({seen_[color()], {}, board().in_check(color())});
    judge();
  }

  int ply() const { return ply_; }
  int to_move() const { return color(); }
  bool terminal() const { return end_ != End::kNone; }
  float outcome() const { return loser_ < 0 ? 0.f : loser_ == color() ? -1.f : 1.f; }
  std::string_view end_reason() const { return kEndReasons[std::size_t(end_)]; }

  bool is_legal(Action a) const {
    if (a < 0 || a >= kXiangqiLabels) return false;
    return is_legal(move_of(a));
  }

  void legal_actions(std::vector<Action>& out) const {
    XiangqiMoves moves;
    if (setting_->strict) {
      board().legal_moves(color(), moves);
    } else {
      board().pseudo_moves(color(), moves);
    }
    std::array<std::uint64_t, (kXiangqiLabels + 63) / 64> bits{};  // sorts
    for (const XiangqiMove& move : moves) {
      const Action a = action_of(move);
      bits[std::size_t(a >> 6)] |= 1ULL << (a & 63);
    }
    for (std::size_t i = 0; i < bits.size(); ++i) {
      for (std::uint64_t word = bits[i]; word; word &= word - 1) {
        out.push_back(Action(64 * i + std::size_t(std::countr_zero(word))));
      }
    }
  }

  void apply(Action a) {
    const XiangqiMove move = move_of(a);
    const std::uint8_t piece = board().piece(move.from), captured = position_.board.play(move);
    for (int viewer = 0; viewer < 2; ++viewer) {
      seen_[viewer] ^= setting_->key(viewer, piece, move.from) ^ setting_->key(viewer, piece, move.to);
      if (captured != kNoPiece) seen_[viewer] ^= setting_->key(viewer, captured, move.to);
    }
    if (color() == 1) ++position_.move_number;
    position_.color = 1 - color();
    position_.quiet_plies = captured == kNoPiece ? position_.quiet_plies + 1 : 0;
    if (captured != kNoPiece) history_.clear();
    ++ply_;
    history_.push({seen_[color()], move, board().in_check(color())});
    judge();
  }

  void begin_search() {
    root_ply_ = ply_;
    judge();
  }

  void encode(std::span<float> planes) const {
    constexpr std::size_t n = kXiangqiSquares;
    std::fill(planes.begin(), planes.begin() + kPiecePlanes * n, 0.f);
    for (std::size_t side = 0; side < 2; ++side) {  // own, other
      for (int slot = 0; slot < kXiangqiSlots; ++slot) {
        const std::uint8_t s = board().square(side == 0 ? color() : 1 - color(), slot);
        if (s == kNoSquare) continue;
        const std::size_t plane = side * kPiecePlanes / 2 + std::size_t(xiangqi_type(std::uint8_t(slot)));
        planes[plane * n + as_seen(s)] = 1;
      }
    }
    if (!setting_->full) return;
    const float scalars[] = {0.5f * float(occurrences_before_),
                             float(position_.quiet_plies) / float(setting_->no_capture_plies),
                             color() == 0 ? 1.f : 0.f};
    for (std::size_t i = 0; i < 3; ++i) {
      std::fill_n(planes.begin() + std::ptrdiff_t((kPiecePlanes + i) * n), n, scalars[i]);
    }
  }

  // What pieces14 does not show is not in its hash either.
  std::uint64_t hash() const {
    const std::uint64_t rest =
        setting_->full ? std::uint64_t((position_.quiet_plies * 4 + occurrences_before_) * 2 + color()) : 0;
    return combine64(seen_[color()], rest);
  }

  std::string text() const {
    std::string text;
    for (int rank = kXiangqiRanks - 1; rank >= 0; --rank) {
      text += char('0' + rank);
      for (int file = 0; file < kXiangqiFiles; ++file) {
        text += ' ';
        text += xiangqi_letter(board().piece(rank * kXiangqiFiles + file));
      }
      text += '\n';
    }
    return text + "  a b c d e f g h i\n" + (color() == 0 ? "red" : "black") + " to move, " +
           std::to_string(position_.quiet_plies) + " plies without capture\n";
  }

  std::string position_text() const { return xiangqi_fen(position_); }
  Xiangqi from_position(std::string_view text) const {
    const XiangqiPosition position = xiangqi_parse_fen(text, setting_->no_capture_plies);
    xiangqi_require_possible(position);
    if (setting_->strict) xiangqi_require_safe(position);
    return {setting_, position};
  }

  std::optional<long long> count_lines(std::string_view text, int depth) const {
    if (!setting_->strict) return {};
    XiangqiPosition position = xiangqi_parse_fen(text, setting_->no_capture_plies);
    xiangqi_require_safe(position);
    return position.board.count_lines(position.color, depth);
  }

  std::string action_text(Action a) const { return xiangqi_move_text(move_of(a)); }
  std::optional<Action> parse_action(std::string_view text) const {
    const std::optional<XiangqiMove> move = xiangqi_parse_move(text);
    if (!move || !is_legal(*move)) return {};
    return action_of(*move);
  }

 private:
  const XiangqiBoard& board() const { return position_.board; }
  int color() const { return position_.color; }
  std::size_t as_seen(std::uint8_t square) const { return color() == 0 ? square : flip_ranks(square); }

  // Labels are as the player to move sees them.
  XiangqiMove move_of(Action a) const {
    const std::size_t label = std::size_t(a);
    return labels_->moves[color() == 0 ? label : std::size_t(labels_->flipped[label])];
  }
  Action action_of(XiangqiMove move) const {
    const int label = labels_->label(move);
    return color() == 0 ? label : labels_->flipped[std::size_t(label)];
  }
  bool is_legal(XiangqiMove move) const {
    return setting_->strict ? board().is_legal(move, color()) : board().is_pseudo_legal(move, color());
  }

  void ends(End end, int loser = -1) {
    end_ = end;
    loser_ = std::int8_t(loser);
  }

  // Has the game ended, and for whom? In the order of precedence.
  void judge() {
    ends(End::kNone);
    const int first = find_repetition();
    if (!setting_->strict && board().in_check(1 - color())) {  // the next move would capture it
      return ends(End::kGeneralCaptured, 1 - color());
    }
    const bool can_move =
        setting_->strict ? board().has_legal_move(color()) : board().has_pseudo_move(color());
    if (!can_move) return ends(history_.last().check ? End::kCheckmate : End::kStalemate, color());
    if (first >= 0) return judge_repetition(first);
    if (position_.quiet_plies >= setting_->no_capture_plies) return ends(End::kNoCapture);
    if (setting_->max_plies > 0 && ply_ >= setting_->max_plies) return ends(End::kMoveLimit);
  }

  void judge_repetition(int first) {
    if (const int loser = perpetual_checker(history_, first, color()); loser >= 0) {
      return ends(End::kPerpetualCheck, loser);
    }
    if (setting_->chase) {
      if (const int loser = perpetual_chaser(board(), history_, first, color()); loser >= 0) {
        return ends(End::kPerpetualChase, loser);
      }
    }
    ends(End::kRepetition);
  }

  // Counts earlier occurrences; the index of the one from which on a repetition is to be judged, or -1.
  int find_repetition() {
    occurrences_before_ = 0;
    const int last = history_.size() - 1, first_in_search = last - (ply_ - root_ply_);
    int found = -1;
    for (int i = last - 4; i >= 0; i -= 2) {
      if (history_[i].key != history_.last().key) continue;
      if (occurrences_before_ < 2) ++occurrences_before_;
      const bool in_search = setting_->second && i >= first_in_search;
      if (found < 0 && (occurrences_before_ == 2 || in_search)) found = i;
    }
    return found;
  }

  std::shared_ptr<const Setting> setting_;
  const XiangqiLabels* labels_;
  XiangqiHistory history_;  // since the last capture, this position is the last
  XiangqiPosition position_;
  std::uint64_t seen_[2] = {0, 0};  // [viewer] key of the board as that player sees it
  int ply_ = 0;
  int root_ply_ = kNoRoot;
  int occurrences_before_ = 0;  // 2 at most
  End end_ = End::kNone;
  std::int8_t loser_ = -1;
};

}  // namespace

std::vector<GameOption> xiangqi_options() {
  return {
      {"rules",
       0,
       0,
       0,
       {"strict", "loose"},
       "strict: no move into check; loose: who can capture the general wins"},
      {"no_capture_plies", 120, 2, 1000, {}, "plies without a capture that make a draw"},
      {"repetition",
       0,
       0,
       0,
       {"checks", "chase"},
       "a third occurrence loses for who checked all the time; chase: or chased one piece; else a draw"},
      {"search_repetition",
       0,
       0,
       0,
       {"second", "third"},
       "the occurrence of a position that ends the game inside a search"},
      {"max_plies", 0, 0, 5000, {}, "plies after which a game is a draw; 0: no limit but the other rules"},
      {"planes",
       0,
       0,
       0,
       {"full", "pieces14"},
       "input planes: pieces; full adds repetitions, plies without capture, side to move"}};
}

std::unique_ptr<Game> make_xiangqi(const std::map<std::string, int>& values) {
  auto setting = std::make_shared<Setting>();
  std::string id = "xiangqi";
  for (const GameOption& option : xiangqi_options()) {
    const int value = values.at(option.name);
    id += " " + option.name + "=" +
          (option.choices.empty() ? std::to_string(value) : option.choices[std::size_t(value)]);
  }
  setting->strict = values.at("rules") == 0;
  setting->no_capture_plies = values.at("no_capture_plies");
  setting->chase = values.at("repetition") == 1;
  setting->second = values.at("search_repetition") == 0;
  setting->max_plies = values.at("max_plies");
  setting->full = values.at("planes") == 0;
  RandomStream keys(0x8a71);
  for (std::uint64_t& key : setting->keys) key = keys.next();

  GameSpec spec;
  spec.name = "xiangqi";
  spec.id = id;
  spec.num_actions = kXiangqiLabels;
  spec.shape = {setting->full ? kFullPlanes : kPiecePlanes, kXiangqiRanks, kXiangqiFiles};
  spec.plane_kinds.assign(kPiecePlanes, PlaneKind::kBits);
  for (const char* whose : {"of the player to move", "of the other player"}) {
    for (const char* type :
         {"advisors", "elephants", "cannons", "general", "horses", "chariots", "soldiers"}) {
      spec.plane_names.push_back(std::string(type) + " " + whose);
    }
  }
  if (setting->full) {
    spec.plane_kinds.resize(kFullPlanes, PlaneKind::kScalar);
    spec.plane_names.push_back("earlier occurrences of the position: 0, 0.5 for one, 1 for more");
    spec.plane_names.push_back("plies without capture, of those that make a draw");
    spec.plane_names.push_back("1 everywhere when Red is to move, else 0");
  }
  // 32 pieces less the generals can be captured, each capture after less than no_capture_plies quiet plies;
  // after the last one no_capture_plies more.
  spec.max_plies = 31 * setting->no_capture_plies;
  if (setting->max_plies > 0) spec.max_plies = std::min(spec.max_plies, setting->max_plies);
  spec.joined_moves = true;
  Symmetry identity, mirror;
  for (int s = 0; s < kXiangqiSquares; ++s) {
    identity.cell.push_back(s);
    mirror.cell.push_back(s - s % kXiangqiFiles + 8 - s % kXiangqiFiles);
  }
  for (int a = 0; a < kXiangqiLabels; ++a) {
    identity.action.push_back(a);
    mirror.action.push_back(xiangqi_labels().mirrored[std::size_t(a)]);
  }
  spec.symmetries = {identity, mirror};
  const XiangqiPosition start = {XiangqiBoard::start(), 0, 0, 1};
  return std::make_unique<GameOf<Xiangqi>>(std::move(spec), Xiangqi(std::move(setting), start));
}

}  // namespace rf
