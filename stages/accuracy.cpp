#include "accuracy.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "accuracy_report.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "base/timer.h"
#include "comm/dealer.h"
#include "players.h"
#include "position_line.h"
#include "right_moves.h"
#include "search/puct.h"
#include "search/search.h"
#include "versus.h"

namespace rf {
namespace {

constexpr int kPositionsInParallel = 128;

struct TestPosition {
  int file = 0, number = 0;  // line of the file
  PositionLine line;
};

[[noreturn]] void throw_at(const std::vector<FileCount>& files, int file, int number, const Error& error) {
  throw Error(error.code(),
              files[std::size_t(file)].name + ":" + std::to_string(number) + ": " + error.what());
}

// All positions of the files that are of the run's board and not finished games, the same on all ranks.
std::vector<TestPosition> read_positions(const StageFrame& frame, PositionReader& reader,
                                         std::vector<FileCount>& files) {
  std::vector<TestPosition> positions;
  for (std::size_t f = 0; f < files.size(); ++f) {
    std::string all = frame.root() ? read_file(files[f].name) : "";
    frame.ranks().broadcast(all);
    std::string_view text = all;
    for (int number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (is_empty_line(line)) continue;
      try {
        TestPosition position{int(f), number, reader.read(line)};
        if (position.line.game->spec().id != frame.game().spec().id) {
          ++files[f].other;
          continue;
        }
        if (position.line.state->terminal()) {
          ++files[f].finished;
        } else {
          positions.push_back(std::move(position));
        }
      } catch (const Error& error) {
        throw_at(files, int(f), number, error);
      }
    }
  }
  if (positions.empty()) {
    fail(ExitCode::kBadData,
         "no position to look at in " + files.front().name + (files.size() > 1 ? " ..." : ""),
         "the run plays " + frame.game().spec().id, "give lines of that board in which the game is not over");
  }
  return positions;
}

// One rank's work: many positions in lock step, so that one batch holds leaves of all their searches.
class Examination {
 public:
  Examination(const StageFrame& frame, const std::vector<FileCount>& files, NetworkPlayer& player,
              int simulations, MoveJudge& judge)
      : frame_(frame),
        files_(files),
        player_(player),
        simulations_(simulations),
        judge_(judge),
        slots_(kPositionsInParallel) {}

  // Takes positions from `next` and appends [file, right of each measure (null: not judged)] to
  // `answers`. False when nothing was running or begun.
  bool step(const std::function<const TestPosition*()>& next, Json& answers) {
    begin_positions(next);
    std::vector<EvalRequest> batch;
    bool busy = false;
    for (Slot& slot : slots_) {
      while (slot.position != nullptr) {
        if (slot.search->done()) {
          finish(slot, answers);
          break;
        }
        const std::size_t before = batch.size();
        slot.search->collect(batch);
        if (batch.size() > before) break;
      }
      busy = busy || slot.position != nullptr;
    }
    player_.evaluator().evaluate(batch);
    for (Slot& slot : slots_) {
      if (slot.position != nullptr) slot.search->absorb();
    }
    return busy || !batch.empty() || began_ > 0;
  }

 private:
  struct Slot {
    const TestPosition* position = nullptr;
    RightMoves right;
    std::vector<float> prior;
    float value = 0;
    Action policy = 0;
    std::unique_ptr<Search> search;
    std::optional<RandomStream> stream;
  };

  void begin_positions(const std::function<const TestPosition*()>& next) {
    std::vector<EvalRequest> batch;
    began_ = 0;
    for (Slot& slot : slots_) {
      if (slot.position != nullptr) continue;
      slot.position = next();
      if (slot.position == nullptr) break;
      ++began_;
      const State& state = *slot.position->line.state;
      try {
        slot.right = judge_.judge(slot.position->line);
      } catch (const Error& error) {
        throw_at(files_, slot.position->file, slot.position->number, error);
      }
      slot.prior.assign(slot.right.actions.size(), 0);
      batch.push_back({&state, slot.right.actions, 0, 0, slot.prior, &slot.value});
      slot.search = std::make_unique<Search>(frame_.game(), frame_.config().search, simulations_);
      slot.search->set_root(state);
      slot.stream = make_stream(frame_.config().run.seed, 0, state.hash(), Purpose::kMatch);
      slot.search->begin(*slot.stream, RootNoise::kOff);
      slot.policy = -1;
    }
    player_.network().evaluate(batch);
    for (Slot& slot : slots_) {
      if (slot.position == nullptr || slot.policy >= 0) continue;
      const auto highest = std::max_element(slot.prior.begin(), slot.prior.end());
      slot.policy = slot.right.actions[std::size_t(highest - slot.prior.begin())];
    }
  }

  void finish(Slot& slot, Json& answers) {
    const SearchResult result = slot.search->result();
    const Action searched = result.actions[sample_visits(result.visits, 0, *slot.stream)];
    Json answer = {slot.position->file};
    for (const auto& right : {slot.right.keeps_outcome(slot.policy), slot.right.keeps_outcome(searched),
                              slot.right.is_best(slot.policy), slot.right.is_best(searched)}) {
      answer.push_back(right ? Json(*right) : Json());
    }
    answers.push_back(std::move(answer));
    slot.position = nullptr;
  }

  const StageFrame& frame_;
  const std::vector<FileCount>& files_;
  NetworkPlayer& player_;
  int simulations_;
  MoveJudge& judge_;
  std::vector<Slot> slots_;
  int began_ = 0;
};

}  // namespace

int measure_accuracy(const StageFrame& frame, const CommandLine& line) {
  const Timer timer;
  const RunConfig& config = frame.config();
  int simulations = int(line.whole("simulations"));
  if (simulations == 0) simulations = config.gate.simulations;
  if (simulations == 0) simulations = config.search.simulations;
  std::vector<FileCount> files;
  for (const std::string& name : line.texts("accuracy")) files.push_back({name});
  PositionReader reader(config.game);
  const std::vector<TestPosition> positions = read_positions(frame, reader, files);
  const auto [path, digest] = find_network(frame, int(line.whole("network")));
  NetworkPlayer player(frame.game(), frame.architecture(), path, digest, config, kPositionsInParallel);
  MoveJudge judge(config.game, frame.game());
  Examination examination(frame, files, player, simulations, judge);

  const auto total = std::int64_t(positions.size());
  Dealer dealer(frame.ranks(), total, 16);
  Progress progress("accuracy", "positions", total, config.run.progress_seconds);
  Json answers = Json::array();
  bool no_more = false;
  const auto next = [&]() -> const TestPosition* {
    if (stop_requested()) dealer.request_stop();
    const Dealt dealt = dealer.next();
    no_more = dealt.state == Dealt::kNoMore;
    return dealt.state == Dealt::kItem ? &positions[std::size_t(dealt.item)] : nullptr;
  };
  while (!dealer.stopped()) {
    dealer.poll();
    const bool busy = examination.step(next, answers);
    if (frame.root()) {
      progress.show(std::min(total, std::int64_t(answers.size()) * frame.ranks().size()));
    }
    if (stop_requested()) dealer.request_stop();
    if (!busy && no_more) break;
    if (!busy) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  dealer.finish(stop_requested);
  const bool interrupted = dealer.stopped();
  const int code = int(interrupted ? ExitCode::kTryAgain : ExitCode::kDone);
  const std::vector<std::string> parts = frame.ranks().gather(answers.dump());
  if (!frame.root()) return code;
  for (const std::string& part : parts) {
    for (const Json& json : Json::parse(part)) {
      Answer answer;
      for (std::size_t m = 0; m < kMeasures; ++m) {
        if (!json.at(m + 1).is_null()) answer[m] = json.at(m + 1).get<bool>();
      }
      files[json.at(0).get<std::size_t>()].add(answer);
    }
  }
  std::string text = frame.run().relative(path) + ", alone and with " + std::to_string(simulations) +
                     " simulations, " + duration(timer.seconds()) + "\n" + accuracy_table(files);
  if (interrupted) text += "interrupted: not all positions are counted\n";
  if (line.flag("json")) {
    text += json_line({{"network", frame.run().relative(path)},
                       {"simulations", simulations},
                       {"files", accuracy_json(files)},
                       {"seconds", timer.seconds()},
                       {"interrupted", interrupted}}) +
            "\n";
  }
  print_result(text);
  return code;
}

}  // namespace rf
