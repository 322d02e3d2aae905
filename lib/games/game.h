// Rules of a game, and nothing else. Values and outcomes are ALWAYS from the view of the player to move.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rf {

// Dense index into the policy vector, in [0, num_actions).
using Action = std::int32_t;

struct Shape {  // [C, H, W]
  int planes = 0, rows = 0, cols = 0;
  int cells() const { return rows * cols; }
  int size() const { return planes * rows * cols; }
  bool operator==(const Shape&) const = default;
};

// Gather maps: image[i] = original[map[i]]. A symmetry of the rules commutes with play.
struct Symmetry {
  std::vector<int> cell;    // [H*W]
  std::vector<int> action;  // [A]
  bool operator==(const Symmetry&) const = default;
};

// A plane of bits is stored packed; a scalar plane has one value in every cell.
enum class PlaneKind : std::uint8_t { kBits, kScalar };

struct GameSpec {
  std::string name;  // as in the registry: "gomoku"
  std::string
      id;  // name and every option: "gomoku width=6 height=6 line=4 planes=own2"; equal id = same game
  int num_actions = 0;
  Shape shape;
  std::vector<PlaneKind> plane_kinds;    // [C]
  std::vector<std::string> plane_names;  // [C] what each plane shows, for people
  int max_plies = 0;                     // no game is longer
  std::vector<Symmetry> symmetries;      // [K], [0] is the identity
  bool joined_moves = false;  // move lists need no blanks: "4455", "h8g7" (no text begins another's)
};

class State {
 public:
  virtual ~State() = default;
  virtual std::unique_ptr<State> clone() const = 0;
  // Becomes equal to `other`, a state of the same game. No allocation: this is the hot path.
  virtual void assign(const State& other) = 0;
  virtual int to_move() const = 0;  // 0 or 1; may stay the same over several plies
  virtual int ply() const = 0;      // actions applied since the initial state
  virtual bool terminal() const = 0;
  // z in {-1, 0, +1} for the player to move; only when terminal.
  virtual float outcome() const = 0;
  // Why the game ended ("line", "full board"); only when terminal.
  virtual std::string_view end_reason() const = 0;
  // Fills `out` ascending; empty exactly when terminal.
  virtual void legal_actions(std::vector<Action>& out) const = 0;
  virtual bool is_legal(Action action) const = 0;  // any integer may be asked
  virtual void apply(Action legal) = 0;
  // Points of the player to move minus the other's so far (boxes); 0 in games without points.
  virtual int score_margin() const = 0;
  // From here on the state is inside a search whose root it is. Only games that judge a repetition inside a
  // search sooner than in play care: a position that occurs again at or after the root may then be terminal.
  // Calling it again moves the root; terminal() is then judged anew.
  virtual void begin_search() = 0;
  // [C, H, W], the player to move first; writes every entry.
  virtual void encode(std::span<float> planes) const = 0;
  // Equal encode() implies equal hash().
  virtual std::uint64_t hash() const = 0;
  virtual std::string text() const = 0;  // the board for people, several lines
  // The position in the game's own notation (FEN); "" in games whose positions are move lists.
  virtual std::string position_text() const = 0;
};

class Game {
 public:
  virtual ~Game() = default;
  virtual const GameSpec& spec() const = 0;
  virtual std::unique_ptr<State> initial_state() const = 0;
  // The state that position_text() names; its ply is 0. Throws Error(kBadData) that says what is wrong, or
  // Error(kUsage) in games whose positions are move lists.
  virtual std::unique_ptr<State> parse_position(std::string_view text) const = 0;
  // Perft: the lines of exactly `depth` plies from here; a finished game has none.
  virtual long long count_lines(const State& state, int depth) const = 0;
  // The same from a position in the game's notation, by the rules of movement alone (no draw of a clock or a
  // repetition), also where no game gets to: what published counts are of. Errors as parse_position().
  virtual long long count_lines(std::string_view position, int depth) const = 0;
  // Notation both ways; the text of a legal action parses back to it in the same state.
  virtual std::string action_text(const State& state, Action action) const = 0;
  // Nothing when the text is not a legal action of this state.
  virtual std::optional<Action> parse_action(const State& state, std::string_view text) const = 0;
};

// One option of a game, a key of the config's `game` section.
struct GameOption {
  std::string name;
  int initial = 0, min = 0, max = 0;
  std::vector<std::string> choices;  // if not empty the value indexes it, and min, max are ignored
  std::string sentence;
};

// A game by name with the values of its options; options left out have their initial value.
struct GameSettings {
  std::string name = "tic_tac_toe";
  std::map<std::string, int> values;
  bool operator==(const GameSettings&) const = default;
};

}  // namespace rf
