#include "config/reference.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "base/files.h"
#include "config/document.h"
#include "config/fields.h"
#include "config/load.h"
#include "games/registry.h"

namespace rf {
namespace {

const std::filesystem::path kConfigs = std::filesystem::path(RF_TEST_DATA).parent_path() / "configs";

std::vector<std::filesystem::path> config_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  return files;
}

// RF_GOLDEN=create rewrites the page.
TEST(Reference, CommittedPageIsTheGeneratedOne) {
  const std::filesystem::path page = kConfigs / "REFERENCE.md";
  const char* mode = std::getenv("RF_GOLDEN");
  if (mode != nullptr && std::string(mode) == "create") write_file_atomically(page, help_config_markdown());
  EXPECT_EQ(read_file(page), help_config_markdown());
}

TEST(Reference, HasEveryKeyOfEveryGame) {
  const std::string help = help_config(), page = help_config_markdown();
  for (const GameEntry& entry : game_entries()) {
    RunConfig config;
    config.game.name = entry.name;
    EXPECT_NE(help.find("name: " + config.game.name), std::string::npos);
    for (const Key& key : list_keys(config)) {
      EXPECT_NE(help.find("  " + key.name + " "), std::string::npos) << key.path();
      EXPECT_NE(page.find("| `" + key.name + "` | " + expected_text(key) + " | "), std::string::npos)
          << key.path();
      EXPECT_NE(page.find("| " + key.sentence + " |"), std::string::npos) << key.path();
      EXPECT_FALSE(key.sentence.empty()) << key.path();
    }
  }
}

TEST(Reference, FitsATerminal) {
  std::istringstream lines(help_config());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(ConfigFiles, LoadAndHaveEveryKey) {
  ASSERT_GE(config_files().size(), 5u);
  for (const auto& file : config_files()) {
    SCOPED_TRACE(file.string());
    const RunConfig config = load_config(file);
    const ConfigNode root = parse_document(read_file(file), file.string());
    std::vector<std::string> given, wanted;
    for (std::size_t s = 0; s < root.keys.size(); ++s) {
      for (const ConfigNode& key : root.items[s].keys) given.push_back(root.keys[s].text + "." + key.text);
    }
    for (const Key& key : list_keys(config)) wanted.push_back(key.path());
    EXPECT_EQ(given, wanted);
  }
}

TEST(ConfigFiles, StandInTheReadme) {
  const std::string readme = read_file(kConfigs / "README.md");
  for (const auto& file : config_files()) {
    EXPECT_NE(readme.find("`" + file.filename().string() + "`"), std::string::npos) << file;
  }
}

}  // namespace
}  // namespace rf
