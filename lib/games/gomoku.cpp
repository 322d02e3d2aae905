// Gomoku, freestyle: `line` or more in a row wins, black (player 0) begins, a full board is a draw.
// Cells and actions are row * width + column. Notation: column letter from the left, row number from the
// bottom ("h8" is the centre of 15x15); after z come aa, ab, ...
// Planes, as a choice:
//   own2     own stones, the other's stones
//   classic4 the same, the last move, and all ones when black is to move
#include <algorithm>
#include <memory>

#include "base/random_stream.h"
#include "games/rules.h"
#include "games/symmetry.h"

namespace rf {
namespace {

constexpr std::uint64_t kHashOffset = 0x9e3779b97f4a7c15ULL;  // the empty board must not hash to 0

struct Geometry {
  int width, height, line;
  bool classic;
  std::vector<std::uint64_t> keys;  // [2, H*W] Zobrist keys of stones
  int cells() const { return width * height; }
};

std::string column_text(int column) {
  std::string text(1, char('a' + column % 26));
  return column < 26 ? text : std::string(1, char('a' + column / 26 - 1)) + text;
}

class Gomoku {
 public:
  explicit Gomoku(std::shared_ptr<const Geometry> geometry)
      : geometry_(std::move(geometry)), board_(std::size_t(geometry_->cells()), std::int8_t(-1)) {}

  int ply() const { return ply_; }
  int to_move() const { return ply_ % 2; }
  bool terminal() const { return won_ || ply_ == geometry_->cells(); }
  float outcome() const { return won_ ? -1.f : 0.f; }  // the one who just moved made the line
  std::string_view end_reason() const { return won_ ? "line" : "full board"; }
  bool is_legal(Action a) const { return a >= 0 && a < geometry_->cells() && board_[std::size_t(a)] < 0; }

  void legal_actions(std::vector<Action>& out) const {
    for (Action a = 0; a < Action(board_.size()); ++a) {
      if (board_[std::size_t(a)] < 0) out.push_back(a);
    }
  }

  void apply(Action a) {
    const int player = to_move();
    board_[std::size_t(a)] = std::int8_t(player);
    stones_hash_ ^= geometry_->keys[std::size_t(player * geometry_->cells() + a)];
    last_ = a;
    ++ply_;
    won_ = makes_line(a);
  }

  void encode(std::span<float> planes) const {
    const std::size_t n = board_.size();
    const std::int8_t own = std::int8_t(to_move());
    for (std::size_t k = 0; k < n; ++k) {
      planes[k] = board_[k] == own ? 1.f : 0.f;
      planes[n + k] = board_[k] == 1 - own ? 1.f : 0.f;
    }
    if (!geometry_->classic) return;
    std::fill(planes.begin() + std::ptrdiff_t(2 * n), planes.begin() + std::ptrdiff_t(3 * n), 0.f);
    if (last_ >= 0) planes[2 * n + std::size_t(last_)] = 1;
    std::fill(planes.begin() + std::ptrdiff_t(3 * n), planes.end(), own == 0 ? 1.f : 0.f);
  }

  // Planes of classic4 show the last move, so its hash has it too.
  std::uint64_t hash() const {
    const std::uint64_t last = geometry_->classic ? std::uint64_t(last_ + 1) : 0;
    return mix64(stones_hash_ + 2 * last + std::uint64_t(to_move()) + kHashOffset);
  }

  std::string text() const {
    std::string letters = "   ";
    for (int c = 0; c < geometry_->width; ++c) {
      const std::string label = column_text(c);
      letters += label.size() > 1 ? label : " " + label;
    }
    std::string board = letters + "\n";
    for (int r = geometry_->height - 1; r >= 0; --r) {
      const std::string number = std::to_string(r + 1);
      board += std::string(3 - std::min<std::size_t>(3, number.size()), ' ') + number;
      for (int c = 0; c < geometry_->width; ++c) {
        const int k = r * geometry_->width + c;
        const char stone = ".XO"[board_[std::size_t(k)] + 1];
        board += k == last_ ? '(' : (c > 0 && k - 1 == last_ ? ')' : ' ');
        board += stone;
      }
      if (last_ == (r + 1) * geometry_->width - 1) board += ')';
      board += "\n";
    }
    return board;
  }

  std::string action_text(Action a) const {
    return column_text(a % geometry_->width) + std::to_string(a / geometry_->width + 1);
  }

  std::optional<Action> parse_action(std::string_view text) const {
    int column = 0, row = 0;
    std::size_t i = 0;
    for (; i < text.size() && i < 2 && text[i] >= 'a' && text[i] <= 'z'; ++i) {
      column = column * 26 + (text[i] - 'a' + 1);
    }
    const std::size_t letters = i;
    for (; i < text.size() && i < letters + 3 && text[i] >= '0' && text[i] <= '9'; ++i) {
      row = row * 10 + (text[i] - '0');
    }
    if (letters == 0 || i != text.size() || text[letters == i ? 0 : letters] == '0') return {};
    if (column > geometry_->width || row < 1 || row > geometry_->height) return {};
    const Action a = (row - 1) * geometry_->width + column - 1;
    return is_legal(a) ? std::optional(a) : std::nullopt;
  }

 private:
  bool makes_line(Action a) const {
    const int width = geometry_->width, height = geometry_->height;
    const std::int8_t stone = board_[std::size_t(a)];
    const int row = a / width, col = a % width;
    constexpr int kSteps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (const auto& [dr, dc] : kSteps) {
      int run = 1;
      for (int side : {1, -1}) {
        int r = row + side * dr, c = col + side * dc;
        while (r >= 0 && r < height && c >= 0 && c < width && board_[std::size_t(r * width + c)] == stone) {
          ++run;
          r += side * dr;
          c += side * dc;
        }
      }
      if (run >= geometry_->line) return true;
    }
    return false;
  }

  std::shared_ptr<const Geometry> geometry_;
  std::vector<std::int8_t> board_;  // [H*W] -1 empty, else the player
  std::uint64_t stones_hash_ = 0;
  Action last_ = -1;
  int ply_ = 0;
  bool won_ = false;
};

}  // namespace

std::vector<GameOption> gomoku_options() {
  return {{"width", 15, 1, 52, {}, "columns of the board"},
          {"height", 15, 1, 52, {}, "rows of the board"},
          {"line", 5, 2, 52, {}, "stones in a row that win"},
          {"planes",
           0,
           0,
           0,
           {"own2", "classic4"},
           "input planes: own and other stones; classic4 adds last move and colour"}};
}

std::unique_ptr<Game> make_gomoku(const std::map<std::string, int>& values) {
  auto geometry = std::make_shared<Geometry>();
  geometry->width = values.at("width");
  geometry->height = values.at("height");
  geometry->line = values.at("line");
  geometry->classic = values.at("planes") == 1;
  if (geometry->line > std::max(geometry->width, geometry->height)) {
    fail_setting("game.line",
                 "line " + std::to_string(geometry->line) + " is longer than the board " +
                     std::to_string(geometry->width) + "x" + std::to_string(geometry->height),
                 "nobody could ever win", "make the line shorter or the board larger");
  }
  RandomStream keys(0x60a0);
  for (int i = 0; i < 2 * geometry->cells(); ++i) geometry->keys.push_back(keys.next());

  GameSpec spec;
  spec.name = "gomoku";
  spec.id = "gomoku width=" + std::to_string(geometry->width) +
            " height=" + std::to_string(geometry->height) + " line=" + std::to_string(geometry->line) +
            " planes=" + (geometry->classic ? "classic4" : "own2");
  spec.num_actions = geometry->cells();
  spec.shape = {geometry->classic ? 4 : 2, geometry->height, geometry->width};
  spec.plane_kinds.assign(std::size_t(spec.shape.planes), PlaneKind::kBits);
  spec.plane_names = {"stones of the player to move", "stones of the other player"};
  if (geometry->classic) {
    spec.plane_kinds[3] = PlaneKind::kScalar;
    spec.plane_names.push_back("last move");
    spec.plane_names.push_back("1 everywhere when the first player is to move, else 0");
  }
  spec.max_plies = geometry->cells();
  spec.joined_moves = true;
  spec.symmetries = cell_symmetries(geometry->height, geometry->width);
  return std::make_unique<GameOf<Gomoku>>(std::move(spec), Gomoku(std::move(geometry)));
}

}  // namespace rf
