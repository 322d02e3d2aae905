#include "exporting.h"

#include <cstdio>
#include <optional>
#include <string>

#include "artefact/torch_script.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/timer.h"
#include "players.h"
#include "store/network_file.h"
#include "torchnet/torch_setup.h"
#include "versus.h"

namespace rf {
namespace {

constexpr int kCheckedPositions = 500;

Json make_card(const StageFrame& frame, const NetworkFile& network, const std::string& relative_path) {
  const Game& game = frame.game();
  const GameSpec& spec = game.spec();
  const auto state = game.initial_state();
  Json actions = Json::array();
  for (Action a = 0; a < spec.num_actions; ++a) actions.push_back(game.action_text(*state, a));
  return {{"name", "Rank & File network"},
          {"game", spec.id},
          {"input",
           {{"name", "planes"},
            {"dtype", "float32"},
            {"shape", {"B", spec.shape.planes, spec.shape.rows, spec.shape.cols}},
            {"planes", spec.plane_names}}},
          {"outputs",
           {{{"name", "policy_logits"},
             {"shape", {"B", spec.num_actions}},
             {"meaning", "softmax over the legal actions gives the prior; mask illegal actions first"}},
            {{"name", "value"},
             {"shape", {"B", 1}},
             {"meaning", "expected outcome in [-1, 1] for the player to move: +1 wins, 0 draws, -1 loses"}}}},
          {"actions", actions},
          {"architecture", architecture_text(network.architecture)},
          {"parameters", count_parameters(network.architecture)},
          {"run", network.run_id},
          {"iteration", network.iteration},
          {"steps", network.step},
          {"network_file", relative_path},
          {"network_digest", network.digest},
          {"config_digest", frame.config_digest()},
          {"software", software_version()},
          {"created", utc_now()}};
}

std::string card_page(const Json& card, const std::string& script_digest, double difference) {
  char number[32];
  std::snprintf(number, sizeof number, "%.1e", difference);
  std::string page = "# Network of iteration " + std::to_string(card["iteration"].get<int>()) + "\n\n";
  page += "Learned by self-play alone, by Rank & File " + card["software"].get<std::string>() + ".\n\n";
  const auto row = [&](const std::string& name, const std::string& value) {
    page += "- " + name + ": `" + value + "`\n";
  };
  row("game", card["game"].get<std::string>());
  row("architecture", card["architecture"].get<std::string>() + ", " +
                          std::to_string(card["parameters"].get<long long>()) + " parameters");
  row("run", card["run"].get<std::string>());
  row("network digest (SHA-256)", card["network_digest"].get<std::string>());
  row("network.pt (SHA-256)", script_digest);
  row("largest difference from the network as trained", number);
  page += "\n## Use\n\n```python\nimport torch\nnet = torch.jit.load(\"network.pt\")\n";
  const Json& shape = card["input"]["shape"];
  page +=
      "planes = torch.zeros(1, " + shape[1].dump() + ", " + shape[2].dump() + ", " + shape[3].dump() + ")\n";
  page += "policy_logits, value = net(planes)\n```\n\nInput `planes`, float32 [B, C, H, W]:\n\n";
  int i = 0;
  for (const Json& name : card["input"]["planes"])
    page += std::to_string(i++) + ". " + name.get<std::string>() + "\n";
  page += std::string(
              "\nOutput `policy_logits` has one entry an action, in the order of `actions` in "
              "model_card.json; `value` "
              "is the expected outcome for the player to move.\nWritten by LibTorch ") +
          torch_version() +
          "; PyTorch of that version or later loads it. From 2.11 on PyTorch calls TorchScript deprecated.\n";
  return page;
}

// An export takes no lock, so that it can be made beside a stage. What must not happen is that a copy of it
// that a scheduler lost sight of puts an older champion over a newer one.
void check_champion(const RunDirectory& run, const NetworkFile& network) {
  const auto champion = read_champion(run);
  if (champion && champion->digest == network.digest) return;
  fail(ExitCode::kTryAgain, "another network has become the champion meanwhile",
       "this export is of iteration " + std::to_string(network.iteration),
       "the same command exports the new one");
}

}  // namespace

void export_network(const StageFrame& frame, int number, const std::filesystem::path& folder) {
  const auto [path, expected] = find_network(frame, number);
  const NetworkFile network = read_network(path);
  expect_digest(network.digest, expected, path);
  expect_architecture(network, frame.architecture(), path);
  const std::filesystem::path to = folder.empty() ? frame.run().export_dir() : folder;
  std::optional<GuardedFolder> guard;
  if (number < 0) guard.emplace(frame.run().root(), [&] { check_champion(frame.run(), network); });
  make_folders(to);
  Json card = make_card(frame, network, frame.run().relative(path));
  const std::filesystem::path script = to / "network.pt";
  write_torch_script(script, network.architecture, network.weights, card.dump(1));
  const double difference =
      compare_torch_script(script, frame.game(), network.architecture, network.weights, kCheckedPositions);
  if (!(difference <= kExportTolerance)) {
    std::filesystem::remove(script);
    fail(ExitCode::kBadData,
         "the exported network differs from the trained one by " + std::to_string(difference),
         "at most " + std::to_string(kExportTolerance) + " is allowed", "the file was removed");
  }
  const std::string digest = sha256_file(script);
  card["network_pt_digest"] = digest;
  card["largest_difference"] = difference;
  write_file_atomically(to / "model_card.json", card.dump(1) + "\n");
  write_file_atomically(to / "model_card.md", card_page(card, digest, difference));
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", difference);
  log_info("wrote " + script.string() + ": " + card["architecture"].get<std::string>() + " of iteration " +
           std::to_string(network.iteration) + ", largest difference " + text + " over " +
           std::to_string(kCheckedPositions) + " positions");
}

}  // namespace rf
