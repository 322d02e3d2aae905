// Connect Four: a disc falls to the lowest free cell of its column, `line` or more of one player's discs in a
// row win, player 0 begins, a full board is a draw. An action is a column, counted from the left; cells are
// row * columns + column with row 0 at the bottom. Notation: the number of the column from 1 ("4").
// Planes: own discs, the other's discs.
#include <algorithm>
#include <charconv>
#include <memory>

#include "base/random_stream.h"
#include "games/rules.h"
#include "games/stone_board.h"

namespace rf {
namespace {

constexpr std::uint64_t kHashOffset = 0x9e3779b97f4a7c15ULL;  // the empty board must not hash to 0

struct Geometry {
  int columns, rows, line;
  std::vector<std::uint64_t> keys;  // [2, H*W] Zobrist keys of discs
  int cells() const { return columns * rows; }
};

class ConnectFour {
 public:
  explicit ConnectFour(std::shared_ptr<const Geometry> geometry)
      : geometry_(std::move(geometry)),
        board_(geometry_->columns, geometry_->rows),
        heights_(std::size_t(geometry_->columns), std::int8_t(0)) {}

  int ply() const { return ply_; }
  int to_move() const { return ply_ % 2; }
  bool terminal() const { return won_ || ply_ == geometry_->cells(); }
  float outcome() const { return won_ ? -1.f : 0.f; }  // the one who just moved made the line
  std::string_view end_reason() const { return won_ ? "line" : "full board"; }
  bool is_legal(Action a) const {
    return a >= 0 && a < geometry_->columns && heights_[std::size_t(a)] < geometry_->rows;
  }

  void legal_actions(std::vector<Action>& out) const {
    for (Action a = 0; a < geometry_->columns; ++a) {
      if (is_legal(a)) out.push_back(a);
    }
  }

  void apply(Action a) {
    const int player = to_move();
    last_ = heights_[std::size_t(a)]++ * geometry_->columns + a;
    board_.put(last_, player);
    discs_hash_ ^= geometry_->keys[std::size_t(player * geometry_->cells() + last_)];
    ++ply_;
    won_ = std::any_of(std::begin(kSteps), std::end(kSteps),
                       [&](Step step) { return board_.run(last_, step) >= geometry_->line; });
  }

  void encode(std::span<float> planes) const { board_.encode(to_move(), planes.data()); }

  std::uint64_t hash() const { return mix64(discs_hash_ + std::uint64_t(to_move()) + kHashOffset); }

  // The last disc in brackets; the numbers of the columns stand below.
  std::string text() const {
    const std::size_t width = geometry_->columns > 9 ? 3 : 2;  // of a cell
    std::string board;
    for (int r = geometry_->rows - 1; r >= 0; --r) {
      std::string row((std::size_t(geometry_->columns) + 1) * width, ' ');
      for (int c = 0; c < geometry_->columns; ++c) {
        const int k = r * geometry_->columns + c;
        const std::size_t at = (std::size_t(c) + 1) * width - 1;
        row[at] = ".XO"[board_.at(k) + 1];
        if (k == last_) row[at - 1] = '(', row[at + 1] = ')';
      }
      board += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
    }
    for (int c = 0; c < geometry_->columns; ++c) {
      const std::string number = action_text(c);
      board += std::string(width - number.size(), ' ') + number;
    }
    return board + "\n";
  }

  std::string action_text(Action a) const { return std::to_string(a + 1); }

  std::optional<Action> parse_action(std::string_view text) const {
    int column = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), column);
    if (error != std::errc() || end != text.data() + text.size() || text[0] < '1') return {};
    return is_legal(column - 1) ? std::optional(column - 1) : std::nullopt;
  }

 private:
  std::shared_ptr<const Geometry> geometry_;
  StoneBoard board_;
  std::vector<std::int8_t> heights_;  // [W] discs in the column
  std::uint64_t discs_hash_ = 0;
  int last_ = -1;  // cell
  int ply_ = 0;
  bool won_ = false;
};

// Left and right may be exchanged; on a single column that is the identity.
std::vector<Symmetry> mirrors(const Geometry& geometry) {
  std::vector<Symmetry> symmetries(geometry.columns > 1 ? 2 : 1);
  for (std::size_t k = 0; k < symmetries.size(); ++k) {
    const auto image = [&](int c) { return k == 0 ? c : geometry.columns - 1 - c; };
    for (int c = 0; c < geometry.columns; ++c) symmetries[k].action.push_back(image(c));
    for (int cell = 0; cell < geometry.cells(); ++cell) {
      const int c = cell % geometry.columns;
      symmetries[k].cell.push_back(cell - c + image(c));
    }
  }
  return symmetries;
}

}  // namespace

std::vector<GameOption> connect_four_options() {
  return {{"columns", 7, 1, 32, {}, "columns of the board"},
          {"rows", 6, 1, 32, {}, "rows of the board"},
          {"line", 4, 2, 32, {}, "discs in a row that win"}};
}

std::unique_ptr<Game> make_connect_four(const std::map<std::string, int>& values) {
  auto geometry = std::make_shared<Geometry>();
  geometry->columns = values.at("columns");
  geometry->rows = values.at("rows");
  geometry->line = values.at("line");
  check_line_fits(geometry->columns, geometry->rows, geometry->line);
  RandomStream keys(0xc4c4);
  for (int i = 0; i < 2 * geometry->cells(); ++i) geometry->keys.push_back(keys.next());

  GameSpec spec;
  spec.name = "connect_four";
  spec.id = "connect_four columns=" + std::to_string(geometry->columns) +
            " rows=" + std::to_string(geometry->rows) + " line=" + std::to_string(geometry->line);
  spec.num_actions = geometry->columns;
  spec.shape = {2, geometry->rows, geometry->columns};
  spec.plane_kinds = {PlaneKind::kBits, PlaneKind::kBits};
  spec.plane_names = {"discs of the player to move", "discs of the other player"};
  spec.max_plies = geometry->cells();
  spec.joined_moves = geometry->columns <= 9;
  spec.symmetries = mirrors(*geometry);
  return std::make_unique<GameOf<ConnectFour>>(std::move(spec), ConnectFour(std::move(geometry)));
}

}  // namespace rf
