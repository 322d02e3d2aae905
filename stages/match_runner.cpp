#include "match_runner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "comm/dealer.h"

namespace rf {
namespace {

Json game_json(const MatchGame& game) {
  return {{"game", game.index},
          {"a_first", game.a_first},
          {"moves", game.moves},
          {"points_a", game.points_a},
          {"end_reason", game.end_reason}};
}

MatchGame game_from(const Json& line) {
  return {line.at("game").get<std::int64_t>(), line.at("a_first").get<bool>(),
          line.at("moves").get<std::vector<Action>>(), line.at("points_a").get<float>(),
          line.at("end_reason").get<std::string>()};
}

}  // namespace

MatchJournal::MatchJournal(const std::filesystem::path& folder, std::string key, int rank)
    : key_(std::move(key)) {
  make_folders(folder);
  char name[32];
  std::snprintf(name, sizeof name, "r%04d.jsonl", rank);
  path_ = folder / name;
  fresh_line_ = file_exists(path_);
}

void MatchJournal::add(const MatchGame& game) {
  Json line = game_json(game);
  line["match"] = key_;
  append_line(path_, (fresh_line_ ? "\n" : "") + line.dump());
  fresh_line_ = false;
}

std::vector<MatchGame> MatchJournal::read(const std::filesystem::path& folder, const std::string& key) {
  std::map<std::int64_t, MatchGame> games;
  if (!std::filesystem::is_directory(folder)) return {};
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    const std::string text = read_file(entry.path());
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const Json line = Json::parse(text.substr(at, end - at), nullptr, false);
      at = end + 1;
      if (line.is_object() && line.value("match", "") == key) {
        MatchGame game = game_from(line);
        games.emplace(game.index, std::move(game));
      }
    }
  }
  std::vector<MatchGame> list;
  for (auto& [index, game] : games) list.push_back(std::move(game));
  return list;
}

MatchResult run_match(const Communicator& ranks, const Game& game, const Player& a, const Player& b,
                      const MatchPlan& plan) {
  MatchResult result;
  std::string left_text;
  if (ranks.rank() == 0) {
    if (!plan.journal.empty()) result.games = MatchJournal::read(plan.journal, plan.journal_key);
    Json left = Json::array();
    for (std::int64_t g = 0; g < plan.games; ++g) {
      const auto same = [&](const MatchGame& done) { return done.index == g; };
      if (std::none_of(result.games.begin(), result.games.end(), same)) left.push_back(g);
    }
    if (!result.games.empty())
      log_info(plan.what + ": " + std::to_string(result.games.size()) + " games are there already");
    left_text = left.dump();
  }
  ranks.broadcast(left_text);
  const auto left = Json::parse(left_text).get<std::vector<std::int64_t>>();
  std::optional<MatchJournal> journal;
  if (!plan.journal.empty()) journal.emplace(plan.journal, plan.journal_key, ranks.rank());

  const int share = std::max(1, int((std::int64_t(left.size()) + ranks.size() - 1) / ranks.size()));
  Match match(game, a, b, plan.openings, std::min(plan.games_in_parallel, share), plan.seed, plan.iteration);
  Dealer dealer(ranks, std::int64_t(left.size()), 1);
  Progress progress(plan.what, "games", plan.games, plan.progress_seconds);
  progress.set_before(plan.games - (long long)(left.size()));
  Json finished = Json::array();
  bool no_more = false;
  const auto next = [&]() -> std::optional<std::int64_t> {
    const Dealt dealt = dealer.next();
    if (dealt.state == Dealt::kItem) return left[std::size_t(dealt.item)];
    no_more = dealt.state == Dealt::kNoMore;
    return std::nullopt;
  };
  const auto done = [&](MatchGame&& g) {
    if (journal) journal->add(g);
    finished.push_back(game_json(g));
  };
  while (true) {
    dealer.poll();
    if (stop_requested()) dealer.request_stop();
    if (dealer.stopped()) break;
    const bool busy = match.step(next, done);
    if (ranks.rank() == 0) {
      progress.show(std::min<long long>(
          plan.games, plan.games - (long long)(left.size()) + (long long)(finished.size()) * ranks.size()));
    }
    if (!busy && no_more) break;
    if (!busy) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  dealer.finish(stop_requested);
  result.interrupted = dealer.stopped();
  if (result.interrupted) request_stop();  // another rank may have got the signal
  for (const std::string& text : ranks.gather(finished.dump())) {
    for (const Json& line : Json::parse(text)) result.games.push_back(game_from(line));
  }
  std::sort(result.games.begin(), result.games.end(),
            [](const MatchGame& x, const MatchGame& y) { return x.index < y.index; });
  return result;
}

namespace {

Json tally_json(const Tally& tally) {
  return {{"wins", tally.wins},
          {"draws", tally.draws},
          {"losses", tally.losses},
          {"points", tally.points()},
          {"games", tally.games()}};
}

std::string table_row(const char* label, const Tally& tally) {
  char line[120];
  std::snprintf(line, sizeof line, "  %-14s %6d %6d %6d   %s of %d", label, tally.wins, tally.draws,
                tally.losses, fixed(tally.points(), 1).c_str(), tally.games());
  return line;
}

}  // namespace

Json score_json(const MatchScore& score) {
  Json json = tally_json(score.all);
  json["first"] = tally_json(score.first);
  json["second"] = tally_json(score.second);
  json["duplicates"] = score.duplicates;
  json["share"] = score.share();
  json["half_interval_95"] = score.half_interval();
  return json;
}

std::string score_table(const MatchScore& score) {
  std::string text = "                   wins  draws losses   points\n";
  text += table_row("moving first", score.first) + "\n" + table_row("moving second", score.second) + "\n";
  text += table_row("all", score.all) + "  (" + fixed(100 * score.share(), 1) + " % +- " +
          fixed(100 * score.half_interval(), 1) + ", Elo " + fixed(elo_of_share(score.share()), 0) + ")";
  if (score.duplicates > 0) {
    text += "\n  " + std::to_string(score.duplicates) + " games were copies of others and count once";
  }
  return text;
}

}  // namespace rf
