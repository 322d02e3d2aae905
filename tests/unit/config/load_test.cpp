#include "config/load.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <filesystem>
#include <fstream>
#include <locale>
#include <map>
#include <string>
#include <vector>

#include "config/compare.h"
#include "config/dump.h"
#include "config/fields.h"
#include "unit/config/config_test_base.h"

namespace rf {
namespace {

const std::string kGame = "game:\n  name: tic_tac_toe\n";

TEST(LoadConfig, TheGameAloneWithItsOptions) {
  const GameSettings game = parse_game_settings("gomoku", {"game.width=5", "game.height=8"});
  EXPECT_EQ(game.name, "gomoku");
  EXPECT_EQ(game.values.at("width"), 5);
  EXPECT_EQ(game.values.at("height"), 8);
  EXPECT_EQ(game.values.at("line"), 5);
  for (const char* set :
       {"game.widht=5", "game.width=many", "game.name=tic_tac_toe", "run.seed=3", "width=5"}) {
    EXPECT_THROW(parse_game_settings("gomoku", {set}), BadSetting) << set;
  }
  EXPECT_THROW(parse_game_settings("chess", {}), Error);
}

TEST(LoadConfig, TakesValuesAndDefaults) {
  const RunConfig c = parse_config(
      "# a comment\n---\ngame: {name: gomoku, width: 6, height: 7, line: 4, planes: classic4}\n"
      "search:\n  simulations: 17\n  c_puct: 1e-1\n  tree_reuse: false\n  dirichlet_rule: \"fixed\"\n"
      "network:\n  plain_channels:\n    - 3\n    - 5\nrun:\n  seed: 9007199254740992\n",
      "run.yaml");
  EXPECT_EQ(c.game.name, "gomoku");
  const std::map<std::string, int> options = {
      {"width", 6}, {"height", 7}, {"line", 4}, {"rule", 0}, {"planes", 1}};
  EXPECT_EQ(c.game.values, options);
  EXPECT_EQ(c.search.simulations, 17);
  EXPECT_EQ(c.search.c_puct, 0.1);
  EXPECT_FALSE(c.search.tree_reuse);
  EXPECT_EQ(c.search.dirichlet_rule, AlphaRule::kFixed);
  EXPECT_EQ(c.network.plain_channels, (std::vector<int>{3, 5}));
  EXPECT_EQ(c.run.seed, std::uint64_t(1) << 53);
  EXPECT_EQ(c.train.batch_size, TrainConfig{}.batch_size);
  EXPECT_EQ(c.search.fpu_reduction, SearchConfig{}.fpu_reduction);
}

TEST(LoadConfig, GameOptionsLeftOutHaveTheirInitialValue) {
  const RunConfig c = parse_config("game:\n  name: gomoku\n", "run.yaml");
  const std::map<std::string, int> options = {
      {"width", 15}, {"height", 15}, {"line", 5}, {"rule", 0}, {"planes", 0}};
  EXPECT_EQ(c.game.values, options);
}

TEST(LoadConfig, ReadsForeignLineEndsAndByteOrderMark) {
  const RunConfig c =
      parse_config("\xEF\xBB\xBFgame:\r\n  name: tic_tac_toe\r\nrun:\r\n  seed: 7\r\n", "run.yaml");
  EXPECT_EQ(c.run.seed, 7u);
}

TEST(LoadConfig, OverridesWinOverTheFile) {
  const RunConfig c = parse_config(kGame + "search:\n  simulations: 17\n", "run.yaml",
                                   {"search.simulations=18", "game.name=gomoku", "game.width=7",
                                    "game.line=4", "network.plain_channels=[8, 9]", "gate.threshold=0.5"});
  EXPECT_EQ(c.search.simulations, 18);
  EXPECT_EQ(c.game.name, "gomoku");
  EXPECT_EQ(c.game.values.at("width"), 7);
  EXPECT_EQ(c.network.plain_channels, (std::vector<int>{8, 9}));
  EXPECT_EQ(c.gate.threshold, 0.5);
}

TEST(LoadConfig, MinusZeroIsZero) {
  const RunConfig c = parse_config(kGame + "gate:\n  threshold: -0.0\n", "run.yaml");
  const RunConfig zero = parse_config(kGame + "gate:\n  threshold: 0\n", "run.yaml");
  EXPECT_EQ(config_digest(c), config_digest(zero));
}

// A decimal comma and digit groups, in the C and in the C++ locale.
struct GermanNumbers : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(LoadConfig, NumbersDoNotDependOnTheLocale) {
  const std::string yaml = kGame + "train:\n  learning_rate: 0.25\n  batch_size: 2112\n  kl_target: 1.5e-3\n";
  const std::string dump = dump_config(parse_config(yaml, "run.yaml"));
  const std::string wrong = refusal(kGame + "train:\n  batch_size: 2000000\n");
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new GermanNumbers));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where the system has it
  const RunConfig german = parse_config(yaml, "run.yaml");
  const std::string german_dump = dump_config(german);
  const std::string german_wrong = refusal(kGame + "train:\n  batch_size: 2000000\n");
  const std::string comma = refusal(kGame + "train:\n  learning_rate: 0,25\n");
  std::locale::global(before);
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(german.train.learning_rate, 0.25);
  EXPECT_EQ(german.train.batch_size, 2112);
  EXPECT_EQ(german_dump, dump);
  EXPECT_EQ(german_wrong, wrong);
  expect_holds(comma, {"run.yaml:4: train.learning_rate: '0,25'"});
}

TEST(LoadConfig, EveryKeyRefusesWhatIsNotItsType) {
  for (const char* game : {"tic_tac_toe", "gomoku"}) {
    RunConfig config;
    config.game.name = game;
    const std::vector<Key> keys = list_keys(config);
    ASSERT_GT(keys.size(), 50u);
    for (const Key& key : keys) {
      for (const char* value :
           {"abc", "[]", "{}", "", "~", "[1, [2]]", "{a: 1}", ".nan", ".inf", "-.inf", "nan", "inf", "0x10",
            "1e999", "99999999999999999999999999", "\"1\"", "'true'", "on", "1 2"}) {
        std::string yaml = key.section == "game" ? "" : "game:\n  name: " + std::string(game) + "\n";
        yaml += key.section + ":\n";
        if (key.section == "game" && key.name != "name") yaml += "  name: " + std::string(game) + "\n";
        const auto line = std::count(yaml.begin(), yaml.end(), '\n') + 1;
        const std::string message = refusal(yaml + "  " + key.name + ": " + value + "\n");
        const std::string start = "run.yaml:" + std::to_string(line) + ": " + key.path() + ": ";
        EXPECT_TRUE(message.starts_with(start)) << start << "\n" << message;
        if (key.type == KeyType::kChoice) {
          expect_holds(message, {key.choices.front()});
        } else if (key.type != KeyType::kFlag) {
          EXPECT_TRUE(message.find(key.max) != std::string::npos ||
                      message.find("1 to 32") != std::string::npos)
              << message;
        } else {
          expect_holds(message, {"true or false"});
        }
      }
    }
  }
}

TEST(LoadConfig, EveryNumberRefusesValuesBesideItsRange) {
  for (const Key& key : list_keys(RunConfig{})) {
    if (key.type != KeyType::kWhole && key.type != KeyType::kReal) continue;
    const std::string below = key.type == KeyType::kWhole ? std::to_string(std::stoll(key.min) - 1) : "-1e9";
    const std::string above = key.type == KeyType::kWhole ? std::to_string(std::stoll(key.max) + 1) : "1e300";
    for (const std::string& value : {below, above, std::string("-99999999999999999999")}) {
      const std::string message = refusal(kGame + key.section + ":\n  " + key.name + ": " + value + "\n");
      expect_holds(message, {"run.yaml:4: " + key.path() + ": " + value + " is out of range",
                             "allowed: " + key.min + " to " + key.max});
    }
  }
}

TEST(LoadConfig, EveryNumberTakesTheEndsOfItsRange) {
  for (const Key& key : list_keys(RunConfig{})) {
    if (key.type != KeyType::kWhole && key.type != KeyType::kReal) continue;
    for (const std::string& value : {key.min, key.max}) {
      RunConfig config;
      const std::vector<Field> fields = list_fields(config);
      for (const Field& field : fields) {
        if (field.key.path() != key.path()) continue;
        ConfigNode node;
        node.kind = ConfigNode::Kind::kScalar;
        node.text = value;
        EXPECT_FALSE(field.set(node).has_value()) << key.path() << " " << value;
      }
      bool found = false;
      for (const Key& now : list_keys(config)) {
        found |= now.path() == key.path() && now.value == value;
      }
      EXPECT_TRUE(found) << key.path() << " " << value;
    }
  }
}

// A folder of this process, gone afterwards.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("config_test_" + std::to_string(::getpid()) + " Größe #1")) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void expect_load_fails(const std::filesystem::path& file, ExitCode code, const std::string& part) {
  try {
    load_config(file);
    ADD_FAILURE() << file << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    expect_holds(error.what(), {file.string(), part});
  }
}

TEST(LoadConfigFile, ReadsTheFileAndNamesItInMessages) {
  const Folder folder;
  EXPECT_EQ(load_config(folder.write("a.yaml", kGame + "run:\n  seed: 3\n"), {"run.seed=4"}).run.seed, 4u);
  expect_load_fails(folder.write("b.yaml", kGame + "run:\n  sede: 3\n"), ExitCode::kBadConfig,
                    "b.yaml:4: run.sede: unknown key: did you mean run.seed?");
}

TEST(LoadConfigFile, SaysWhyAFileCannotBeRead) {
  const Folder folder;
  expect_load_fails(folder.path() / "none.yaml", ExitCode::kInputMissing, "No such file");
  expect_load_fails(folder.path(), ExitCode::kInputMissing, "not a regular file");
}

TEST(LoadConfigFile, SaysThatAFileIsForbidden) {
  const Folder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  const auto secret = folder.write("secret.yaml", kGame);
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  // In a child that is not root, who may read everything.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(2);
    try {
      load_config(secret);
    } catch (const Error& error) {
      const bool told = std::string(error.what()).find("Permission denied") != std::string::npos;
      ::_exit(told && error.code() == ExitCode::kInputMissing ? 0 : 3);
    }
    ::_exit(4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(LoadConfigFile, RefusesWhatIsNoConfig) {
  const Folder folder;
  expect_load_fails(folder.write("empty.yaml", ""), ExitCode::kBadConfig,
                    "empty.yaml:1: the file holds nothing");
  expect_load_fails(folder.write("shard.h5", std::string("\x89HDF\r\n\x1a\n\0\0", 10)), ExitCode::kBadConfig,
                    "shard.h5:2: not a text file");
  expect_load_fails(folder.write("large.yaml", std::string((1 << 20) + 1, '#')), ExitCode::kBadConfig,
                    "1048577 bytes");
}

}  // namespace
}  // namespace rf
