// Every class of bad config stops with file, line, key and a hint.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/fields.h"
#include "unit/config/config_test_base.h"

namespace rf {
namespace {

struct BadConfig {
  std::string name;
  std::string yaml;
  std::vector<std::string> overrides;
  std::vector<std::string> parts;  // all stand in the message
};

std::ostream& operator<<(std::ostream& out, const BadConfig& bad) {
  return out << bad.name;
}

// Line 3 and 4 of the file.
std::string with(const std::string& lines) {
  return "game:\n  name: tic_tac_toe\n" + lines + "\n";
}
std::string gomoku(const std::string& lines) {
  return "game:\n  name: gomoku\n" + lines + "\n";
}

const BadConfig kBadConfigs[] = {
    // Unknown and misspelt keys.
    {"MisspeltKey",
     with("search:\n  simulatoins: 800"),
     {},
     {"run.yaml:4: search.simulatoins: unknown key", "did you mean search.simulations?"}},
    {"MisspeltKeyWithList",
     with("search:\n  simulatoins: [800]"),
     {},
     {":4: search.simulatoins: unknown key"}},
    {"MisspeltKeyWithNull", with("search:\n  simulatoins:"), {}, {":4: search.simulatoins: unknown key"}},
    {"MisspeltKeyAtTop",
     with("simulatoins: 800"),
     {},
     {"run.yaml:3: simulatoins: unknown key", "did you mean search.simulations?"}},
    {"KeyAtTop",
     with("batch_size: 8"),
     {},
     {":3: batch_size: unknown key", "did you mean train.batch_size?"}},
    {"KeyInAListItem", with("search:\n  - simulatoins: 800"), {}, {":3: search: holds a list"}},
    {"KeyInAnotherSection",
     with("train:\n  simulations: 800"),
     {},
     {":4: train.simulations: unknown key", "did you mean search.simulations?"}},
    {"UpperCase", with("search:\n  Simulations: 800"), {}, {"did you mean search.simulations?"}},
    {"Dashes", with("train:\n  batch-size: 800"), {}, {"did you mean train.batch_size?"}},
    {"ForeignKey",
     with("run:\n  zzzzzz: 1"),
     {},
     {":4: run.zzzzzz: unknown key: keys of run: seed, progress_seconds"}},
    {"KeyBelowAKey",
     with("search:\n  simulations:\n    count: 5"),
     {},
     {":4: search.simulations: a map is not"}},
    {"EmptyKey", with("search:\n  \"\": 5"), {}, {":4: search:", "stands as a key"}},
    {"ListAsKey", with("search:\n  ? [a]\n  : 5"), {}, {":4: search: a list stands as a key"}},
    {"MergeKey", with("search:\n  <<: {simulations: 5}"), {}, {":4: search.<<: unknown key"}},
    // Sections.
    {"UnknownSection",
     with("serach:\n  simulations: 800"),
     {},
     {":3: serach: unknown section: did you mean search?"}},
    {"ForeignSection",
     with("zzzzzz: {a: 1}"),
     {},
     {":3: zzzzzz: unknown section: sections: game, run, network"}},
    {"NullSection", with("search:"), {}, {":3: search: holds nothing"}},
    {"ScalarSection", with("search: 5"), {}, {":3: search: holds '5'"}},
    {"ListSection", with("search: [5]"), {}, {":3: search: holds a list"}},
    {"SectionTwice",
     with("search: {c_puct: 1}\nrun: {seed: 1}\nsearch: {c_puct: 1}"),
     {},
     {":5: search: section given twice", "first at run.yaml:3"}},
    // Duplicates.
    {"KeyTwice",
     with("search:\n  c_puct: 1\n  simulations: 3\n  c_puct: 1"),
     {},
     {":6: search.c_puct: given twice", "first at run.yaml:4"}},
    {"KeyTwiceInBraces", with("search: {c_puct: 1, c_puct: 2}"), {}, {":3: search.c_puct: given twice"}},
    {"GameNameTwice", "game:\n  name: gomoku\n  name: tic_tac_toe\n", {}, {":3: game.name: given twice"}},
    // Colons, tabs, syntax.
    {"NoBlankFirst",
     with("search:\n  simulations:800\n  c_puct: 1"),
     {},
     {"run.yaml:4: search.simulations: no blank after the colon", "write 'simulations: 800'"}},
    {"NoBlankLast",
     with("search:\n  c_puct: 1\n  simulations:800"),
     {},
     {"run.yaml:5: search.simulations: no blank after the colon"}},
    {"NoBlankAtTop", with("simulations:800"), {}, {":3: simulations: no blank after the colon"}},
    {"NoBlankInBraces",
     with("search: {simulations:800}"),
     {},
     {":3: search.simulations:800: ", "no blank after the colon"}},
    {"NoColon", with("search:\n  simulations 800"), {}, {":3: search: holds 'simulations 800'"}},
    {"Tab", with("search:\n\tsimulations: 800"), {}, {":4: a tab in the indentation"}},
    {"TabAfterBlanks",
     with("search:\n  c_puct: 1\n \tsimulations: 800"),
     {},
     {":5: a tab in the indentation"}},
    {"OpenList", with("network:\n  plain_channels: [1, 2"), {}, {"run.yaml:5: not YAML"}},
    {"TwoColons", with("search:\n  c_puct: 1: 2"), {}, {"run.yaml:4: not YAML"}},
    {"BadIndent", with("search:\n  c_puct: 1\n   simulations: 2"), {}, {"run.yaml:5: not YAML"}},
    {"At", with("search:\n  c_puct: @1"), {}, {"run.yaml:4: not YAML"}},
    {"EndByte",
     with("run:\n  seed: 3\n\x04\nsearch:\n  c_puct: 1"),
     {},
     {"run.yaml:5: not a text file", "character 4"}},
    {"ZeroByte",
     with(std::string("run:\n  seed: \0", 14) + "3"),
     {},
     {"run.yaml:4: not a text file", "character 0"}},
    {"Anchor", with("search:\n  c_puct: &a 1"), {}, {"run.yaml:4: an anchor"}},
    {"Tag", with("search:\n  c_puct: !!int 1"), {}, {"run.yaml:4: a tag"}},
    // Documents and roots.
    {"TwoDocuments", with("---\nrun:\n  seed: 3"), {}, {"run.yaml:3: a second document"}},
    {"AfterTheEnd", with("...\nrun:\n  seed: 3"), {}, {"a second document"}},
    {"EmptySecondDocument", with("---"), {}, {"a second document"}},
    {"BehindBraces", "{game: {name: tic_tac_toe}} x\n", {}, {"run.yaml:1: a second document"}},
    {"Empty", "", {}, {"run.yaml:1: the file holds nothing"}},
    {"Comments", "# nothing\n", {}, {"run.yaml:1: the file holds nothing"}},
    {"Null", "~\n", {}, {"run.yaml:1: the file holds nothing"}},
    {"RootList", "- game\n- run\n", {}, {"run.yaml:1: the file holds a list"}},
    {"RootScalar", "\ngame\n", {}, {"run.yaml:2: the file holds 'game'"}},
    // Types.
    {"WordForNumber",
     with("search:\n  simulations: abc"),
     {},
     {":4: search.simulations: 'abc' is not a whole number: give a whole number from 1 to 1048576 "
      "(simulations)"}},
    {"ExponentForWhole",
     with("search:\n  simulations: 1e3"),
     {},
     {":4: search.simulations: '1e3' is not a whole number: write 1000"}},
    {"FractionForWhole", with("search:\n  simulations: 1.5"), {}, {"'1.5' is not a whole number: give"}},
    {"PointForWhole", with("search:\n  simulations: 5.0"), {}, {"'5.0' is not a whole number: write 5"}},
    {"LeadingZero", with("search:\n  simulations: 0800"), {}, {"'0800' is not a whole number: write 800"}},
    {"Groups", with("search:\n  simulations: 1_000"), {}, {"'1_000' is not a whole number"}},
    {"Blanks", with("search:\n  simulations: 1 000"), {}, {"'1 000' is not a whole number"}},
    {"Quotes",
     with("search:\n  simulations: \"800\""),
     {},
     {"'800' is not a whole number", "without quotes"}},
    {"Huge",
     with("search:\n  simulations: 99999999999999999999"),
     {},
     {"99999999999999999999 is out of range (allowed: 1 to 1048576 simulations)"}},
    {"HugeReal", with("search:\n  c_puct: 1e400"), {}, {"1e400 is out of range (allowed: 0 to 100)"}},
    {"NotANumber", with("search:\n  c_puct: .nan"), {}, {":4: search.c_puct: '.nan' is not a finite number"}},
    {"Infinity", with("search:\n  c_puct: .inf"), {}, {":4: search.c_puct: '.inf' is not a finite number"}},
    {"Comma", with("search:\n  c_puct: 1,5"), {}, {":4: search.c_puct: '1,5' is not a finite number"}},
    {"Unit", with("selfplay:\n  seal_seconds: 30s"), {}, {":4: selfplay.seal_seconds: '30s' is not"}},
    {"Yes", with("search:\n  tree_reuse: yes"), {}, {":4: search.tree_reuse: 'yes' is not true or false"}},
    {"Choice",
     with("train:\n  optimizer: adamv"),
     {},
     {":4: train.optimizer: 'adamv' is not a choice (choices: sgd, adam, adamw): did you mean adam"}},
    {"ChoiceByIndex", with("train:\n  optimizer: 1"), {}, {":4: train.optimizer: '1' is not a choice"}},
    {"NoValue", with("search:\n  simulations:\n  c_puct: 1"), {}, {":4: search.simulations: has no value"}},
    {"ListEntry",
     with("network:\n  plain_channels: [8, x]"),
     {},
     {":4: network.plain_channels: entry 2: 'x' is not a whole number"}},
    {"ListEntryRange",
     with("network:\n  plain_channels: [8, 0]"),
     {},
     {":4: network.plain_channels: entry 2: 0 is out of range (allowed: 1 to 4096 channels)"}},
    {"ScalarForList",
     with("network:\n  plain_channels: 8"),
     {},
     {":4: network.plain_channels: '8' is not a list"}},
    {"LongList",
     with("network:\n  plain_channels: [1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6]"),
     {},
     {":4: network.plain_channels: has 33 entries (allowed: 1 to 32)"}},
    // Ranges.
    {"Zero",
     with("search:\n  simulations: 0"),
     {},
     {":4: search.simulations: 0 is out of range (allowed: 1 to 1048576 simulations)"}},
    {"Negative",
     with("train:\n  learning_rate: -1"),
     {},
     {":4: train.learning_rate: -1 is out of range (allowed: 1e-09 to 10)"}},
    {"Threshold",
     with("gate:\n  threshold: 1.5"),
     {},
     {":4: gate.threshold: 1.5 is out of range (allowed: 0 to 1 share)"}},
    {"Board", gomoku("  width: 1000"), {}, {":3: game.width: 1000 is out of range (allowed: 1 to 52)"}},
    {"NegativeSeed",
     with("run:\n  seed: -1"),
     {},
     {":4: run.seed: -1 is out of range (allowed: 0 to 9007199254740992)"}},
    // The game.
    {"NoGame", "run:\n  seed: 1\n", {}, {"run.yaml:1: game.name: is not given", "tic_tac_toe, gomoku"}},
    {"NoGameName", "run:\n  seed: 1\ngame:\n  width: 6\n", {}, {"run.yaml:3: game.name: is not given"}},
    {"UnknownGame",
     "game:\n  name: gomuko\n",
     {},
     {":2: game.name: 'gomuko' is not a choice", "did you mean gomoku?"}},
    {"NullGame", "game:\n  name: ~\n", {}, {":2: game.name: has no value"}},
    {"OptionOfAnotherGame",
     with("run:\n  seed: 1"),
     {"game.width=6"},
     {"--set game.width=6: game.width: unknown key (game tic_tac_toe)"}},
    {"MisspeltOption",
     gomoku("  widht: 6"),
     {},
     {":3: game.widht: unknown key (game gomoku): did you mean game.width?"}},
    {"OptionChoice",
     gomoku("  planes: own3"),
     {},
     {":3: game.planes: 'own3' is not a choice (choices: own2, classic4)"}},
    // Contradictions.
    {"LongLine",
     gomoku("  width: 6\n  height: 6\n  line: 7"),
     {},
     {"run.yaml:5: game.line: line 7 is longer than the board 6x6"}},
    {"DefaultLine",
     "run:\n  seed: 1\ngame: {name: gomoku, width: 4, height: 4}\n",
     {},
     {"run.yaml:3: game.line: line 5 is longer than the board 4x4"}},
    {"LongLineByOverride",
     gomoku("  width: 6\n  height: 6\n  line: 4"),
     {"game.line=7"},
     {"--set game.line=7: game.line: line 7"}},
    {"Yardstick",
     with("gate:\n  yardstick_playouts: 6000\n  yardstick_max: 5000"),
     {},
     {":4: gate.yardstick_playouts: 6000 contradicts gate.yardstick_max 5000"}},
    {"UniqueRows",
     with("train:\n  min_unique_rows: 6000\nreplay:\n  max_unique_rows: 5000"),
     {},
     {":4: train.min_unique_rows: 6000 contradicts replay.max_unique_rows 5000"}},
    {"BatchBeyondWindow",
     with("replay:\n  max_unique_rows: 31"),
     {},
     {"run.yaml:1: train.batch_size: 256 contradicts replay.max_unique_rows 31", "8 symmetries", "248 rows"}},
    {"GhostBatch",
     with("train:\n  batch_size: 100\n  ghost_batch: 40"),
     {},
     {":5: train.ghost_batch: 40 contradicts train.batch_size 100", "a divisor of the batch size"}},
    {"GhostBatchBeyondBatch",
     with("train:\n  ghost_batch: 512"),
     {},
     {":4: train.ghost_batch: 512 contradicts train.batch_size 256"}},
    {"TreeTooSmall",
     with("search:\n  simulations: 100\n  max_nodes: 99"),
     {},
     {":4: search.simulations: 100 contradicts search.max_nodes 99"}},
    {"GateTreeTooSmall",
     with("search:\n  max_nodes: 100\ngate:\n  simulations: 101"),
     {},
     {":6: gate.simulations: 101 contradicts search.max_nodes 100"}},
    {"OpeningsToTheEnd",
     with("gate:\n  opening_plies: 9"),
     {},
     {":4: gate.opening_plies: 9 random plies leave nothing to play"}},
    // Overrides.
    {"OverrideKey",
     with(""),
     {"search.simulatoins=8"},
     {"--set search.simulatoins=8: search.simulatoins: unknown key: did you mean search.simulations?"}},
    {"OverrideSection",
     with(""),
     {"serach.simulations=8"},
     {"unknown section serach: did you mean search.simulations?"}},
    {"OverrideValue",
     with(""),
     {"search.simulations=abc"},
     {"--set search.simulations=abc: search.simulations: 'abc' is not"}},
    {"OverrideEmpty", with(""), {"search.simulations="}, {"search.simulations: has no value"}},
    {"OverrideRange",
     with(""),
     {"search.simulations=0"},
     {"0 is out of range (allowed: 1 to 1048576 simulations)"}},
    {"OverrideMap", with(""), {"search.simulations=a: 1"}, {"a map is not a whole number"}},
    {"OverrideSyntax",
     with(""),
     {"network.plain_channels=[1"},
     {"--set network.plain_channels=[1", "not YAML"}},
    {"OverrideTwice", with(""), {"run.seed=1", "run.seed=1"}, {"--set run.seed=1: run.seed: given twice"}},
    {"OverrideNoEquals",
     with(""),
     {"run.seed"},
     {"--set run.seed: run.seed: not of the form section.key=value (no '=')"}},
    {"OverrideNoSection",
     with(""),
     {"batch_size=8"},
     {"not of the form section.key=value", "did you mean train.batch_size?"}},
    {"OverrideNothing", with(""), {""}, {"not of the form section.key=value"}},
    {"OverrideOnlyEquals", with(""), {"=5"}, {"not of the form section.key=value"}},
    {"FileBadUnderOverride",
     with("search:\n  simulations: abc"),
     {"search.simulations=8"},
     {"run.yaml:4: search.simulations: 'abc'"}},
};

class Refusal : public testing::TestWithParam<BadConfig> {};

TEST_P(Refusal, NamesPlaceKeyAndHint) {
  expect_holds(refusal(GetParam().yaml, GetParam().overrides), GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(Config, Refusal, testing::ValuesIn(kBadConfigs),
                         [](const auto& info) { return info.param.name; });

TEST(Refusal, EveryKeyMisspeltNamesTheRightOne) {
  for (const Key& key : list_keys(RunConfig{})) {
    if (key.section == "game") continue;
    const std::string message = refusal(with(key.section + ":\n  " + key.name + "x: 1"));
    expect_holds(message,
                 {"run.yaml:4: " + key.path() + "x: unknown key", "did you mean " + key.path() + "?"});
  }
}

TEST(Refusal, EveryKeyGivenTwiceIsRefused) {
  for (const Key& key : list_keys(RunConfig{})) {
    if (key.section == "game") continue;
    const std::string line = "  " + key.name + ": " + key.value + "\n";
    const std::string message = refusal(with(key.section + ":\n" + line + line));
    expect_holds(message, {"run.yaml:5: " + key.path() + ": given twice (first at run.yaml:4)"});
  }
}

}  // namespace
}  // namespace rf
