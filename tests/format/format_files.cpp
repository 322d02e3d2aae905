// Writes, for tests/lint/format_page.py: FOLDER/<n>.h5 (shards of several games), FOLDER/<n>.txt (what their
// rows are, from the rules alone), FOLDER/network.h5 and FOLDER/schema.txt (the rows of the tables of
// FORMAT.md).
#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "replay/shard_schema.h"
#include "replay/shard_writer.h"
#include "store/network_file.h"
#include "unit/replay/random_games.h"

namespace rf {
namespace {

void write_schema(const std::filesystem::path& path) {
  std::ofstream out(path);
  for (const ShardAttribute& a : kShardAttributes) {
    out << "| `" << a.name << "` | " << a.type << " | " << a.sentence << " |\n";
  }
  for (const ShardDataset& d : kShardDatasets) {
    out << "| `" << d.name << "` | " << h5_type_name(d.type) << " | [" << d.shape << "] | " << d.unit << " | "
        << d.sentence << " |\n";
  }
}

// One line a unique row: game, ply, player to move, outcome, then every value of the planes.
void write_positions(std::ofstream& out, const Game& game, const GameRecord& record) {
  const auto state = game.initial_state();
  std::vector<float> planes(std::size_t(game.spec().shape.size()));
  for (std::size_t ply = 0; ply < record.plies.size(); ++ply) {
    state->encode(planes);
    const float z = state->to_move() == 0 ? record.outcome_first : -record.outcome_first;
    out << record.game_index << ' ' << ply << ' ' << state->to_move() << ' ' << int(z);
    for (float v : planes) out << ' ' << v;
    out << '\n';
    state->apply(record.plies[ply].action);
  }
}

void write_all(const std::filesystem::path& folder) {
  write_schema(folder / "schema.txt");
  int number = 0;
  for (const auto& game : sample_games()) {
    const std::filesystem::path path = folder / std::to_string(number++);
    ShardWriter writer(path.string() + ".h5", *game, header_for(*game), {});
    std::ofstream positions(path.string() + ".txt");
    positions.precision(9);  // a float reads back as it was
    for (int g : {4, 2, 9}) {
      writer.add(random_game(*game, g));
      write_positions(positions, *game, random_game(*game, g));
    }
    writer.seal();
  }
  const auto game = gomoku(6, 6, 4, 0);
  ShardWriter(folder / "nothing.h5", *game, header_for(*game), {}).seal();
  const Architecture network{game->spec().id, 2, 6, 6, 36, {}};
  write_network(folder / "network.h5", {network, initial_weights(network, 1), "run Größe", 1, 10, ""});
}

}  // namespace
}  // namespace rf

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: format_files FOLDER\n");
    return 64;
  }
  try {
    rf::write_all(argv[1]);
  } catch (const rf::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return int(error.code());
  }
  return 0;
}
