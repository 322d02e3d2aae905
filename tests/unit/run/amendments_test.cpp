#include "run/amendments.h"

#include <vector>

#include "run/call_config.h"
#include "run/manifest.h"
#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

struct AmendedRun {
  TempFolder folder;
  RunDirectory run = RunDirectory::create(
      folder.path() / "run", "game:\n  name: tic_tac_toe\ntrain:\n  learning_rate: 0.01\n  batch_size: 16\n");

  RunConfig config(int iteration) const {
    return amended_config(run, amendments_for(read_amendments(run), iteration));
  }
};

void expect_holds(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST(Amendments, ApplyFromTheirIterationOn) {
  const AmendedRun t;
  EXPECT_TRUE(read_amendments(t.run).empty());
  const Amendment first = amend(t.run, {"train.learning_rate=5e-4", "train.batch_size=32"}, 12);
  EXPECT_EQ(first.number, 1);
  EXPECT_EQ(first.text(), "amendment 1, from iteration 12: train.batch_size=32, train.learning_rate=0.0005");
  EXPECT_EQ(t.config(11).train.learning_rate, 0.01);
  EXPECT_EQ(t.config(11).train.batch_size, 16);
  EXPECT_EQ(t.config(12).train.learning_rate, 0.0005);
  EXPECT_EQ(t.config(13).train.batch_size, 32);
  const auto all = read_amendments(t.run);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].from, 12);
  EXPECT_EQ(all[0].keys, first.keys);
  EXPECT_EQ(all[0].time, first.time);
}

TEST(Amendments, TheHighestNumberWinsWhereverItBegins) {
  const AmendedRun t;
  amend(t.run, {"train.learning_rate=0.001", "train.batch_size=32"}, 10);
  EXPECT_EQ(amend(t.run, {"train.learning_rate=0.002"}, 5).number, 2);
  EXPECT_EQ(t.config(5).train.learning_rate, 0.002);
  EXPECT_EQ(t.config(10).train.learning_rate, 0.002);
  EXPECT_EQ(t.config(10).train.batch_size, 32);
  amend(t.run, {"train.learning_rate=0.01"}, 10);  // as run.yaml has it
  EXPECT_EQ(t.config(9).train.learning_rate, 0.002);
  EXPECT_EQ(t.config(10).train.learning_rate, 0.01);
}

TEST(Amendments, StandOverTheFileOfACallAndBelowItsSettings) {
  const AmendedRun t;
  amend(t.run, {"train.learning_rate=0.001", "train.batch_size=32"}, 1);
  const auto file = t.folder.path() / "other.yaml";
  write_text(file, "game: {name: tic_tac_toe}\ntrain: {learning_rate: 0.5, batch_size: 64, reuse: 3}\n");
  const CallConfig call = call_config(t.run, read_amendments(t.run), file.string(), {"train.batch_size=8"});
  EXPECT_EQ(call.config.train.learning_rate, 0.001);
  EXPECT_EQ(call.config.train.batch_size, 8);
  EXPECT_EQ(call.config.train.reuse, 3);
  ASSERT_EQ(call.changes.size(), 2u);
  EXPECT_EQ(call.changes[0].key, "train.batch_size");
  EXPECT_EQ(call.changes[0].was, "32");
  EXPECT_EQ(call.changes[0].now, "8");
  EXPECT_EQ(call.changes[1].key, "train.reuse");
  error_of(ExitCode::kBadConfig, [&] { call_config(t.run, {}, {}, {"run.seed=99"}); });
}

TEST(Amendments, RefusesWhatAConfigWouldRefuseInTheSameWords) {
  const AmendedRun t;
  const auto refused = [&](const std::vector<std::string>& settings) {
    return error_of(ExitCode::kBadConfig, [&] { amend(t.run, settings, 3); });
  };
  expect_holds(
      refused({"train.learnin_rate=1"}),
      {"--amend train.learnin_rate=1: train.learnin_rate: unknown key", "did you mean train.learning_rate?"});
  expect_holds(refused({"train.batch_size=0"}), {"train.batch_size: 0 is out of range", "allowed: "});
  expect_holds(refused({"train.batch_size=many"}), {"'many' is not a whole number"});
  expect_holds(refused({"learning_rate=1"}), {"not of the form section.key=value", "train.learning_rate"});
  expect_holds(refused({"train.batch_size"}), {"not of the form section.key=value"});
  expect_holds(refused({"zzz.b=1"}), {"unknown section zzz"});
  expect_holds(refused({"train.batch_size=8", "train.batch_size=9"}), {"given twice"});
  for (const char* fixed : {"game.name=tic_tac_toe", "network.blocks=3", "run.seed=5"})
    expect_holds(refused({fixed}), {"is fixed for the life of a run", "make a new run"});
  EXPECT_FALSE(std::filesystem::exists(t.run.amendments_json()));
}

TEST(Amendments, RefusesWhatContradictsALaterOne) {
  TempFolder folder;
  const auto run = RunDirectory::create(folder.path() / "run", "game: {name: tic_tac_toe}\n");
  // Alone each is a config; together they are none.
  amend(run, {"gate.yardstick_max=100", "gate.yardstick_playouts=100"}, 10);
  const std::string said =
      error_of(ExitCode::kBadConfig, [&] { amend(run, {"gate.yardstick_playouts=300"}, 5); });
  expect_holds(said, {"gate.yardstick_playouts"});
  EXPECT_EQ(read_amendments(run).size(), 1u);
}

TEST(Amendments, WhatIsSealedIsNotAmended) {
  const AmendedRun t;
  {
    const RunLock lock(t.run, "generate");
    for (int iteration : {1, 2}) write_manifest(lock, iteration, Stage::kGenerate, {{"games", 1}});
    write_manifest(lock, 1, Stage::kTrain, {{"loss", 1}});
  }
  for (int from : {1, 2}) {
    expect_holds(error_of(ExitCode::kUsage, [&] { amend(t.run, {"train.reuse=2"}, from); }),
                 {"--from " + std::to_string(from) + " is too early",
                  "iterations/000002/generate.json is sealed", "--from 3 or later"});
  }
  EXPECT_EQ(amend(t.run, {"train.reuse=2"}, 3).number, 1);
}

TEST(Amendments, OfManyCallsAtOnceEachIsKept) {
  const AmendedRun t;
  Gate gate;
  std::vector<pid_t> children;
  constexpr int kCalls = 12;
  for (int i = 0; i < kCalls; ++i) {
    children.push_back(start_child([&] {
      gate.wait();
      return amend(t.run, {"train.batch_size=" + std::to_string(100 + i)}, 1).number;
    }));
  }
  gate.open();
  std::vector<int> numbers;
  for (pid_t child : children) numbers.push_back(exit_status(child));
  const auto all = read_amendments(t.run);
  ASSERT_EQ(all.size(), std::size_t(kCalls));
  for (int i = 0; i < kCalls; ++i)
    EXPECT_EQ(all[std::size_t(numbers[std::size_t(i)] - 1)].keys.at("train.batch_size"),
              std::to_string(100 + i));
}

TEST(Amendments, ADamagedFileIsNamed) {
  const AmendedRun t;
  amend(t.run, {"train.reuse=2"}, 1);
  const std::string whole = read_text(t.run.amendments_json());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  for (const std::string& text :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("{\"format\": 1}"), std::string("[]"),
        with("\"number\": 1", "\"number\": 2"), with("\"from\"", "\"form\""),
        with("\"format\": 1", "\"format\": 2"), with("\"2\"", "2")}) {
    write_text(t.run.amendments_json(), text);
    const std::string said = error_of(ExitCode::kBadData, [&] { read_amendments(t.run); });
    expect_holds(said, {t.run.amendments_json().string()});
    error_of(ExitCode::kBadData, [&] { amend(t.run, {"train.reuse=3"}, 1); });
    EXPECT_EQ(read_text(t.run.amendments_json()), text);
  }
  // A key that this software does not know.
  write_text(t.run.amendments_json(), with("train.reuse", "train.rejuice"));
  expect_holds(error_of(ExitCode::kBadConfig, [&] { t.config(1); }),
               {"amendment 1 train.rejuice=", "unknown key"});
}

}  // namespace
}  // namespace rf::test
