#include "config/reference.h"

#include "config/fields.h"
#include "config/paragraph.h"
#include "games/registry.h"

namespace rf {
namespace {

constexpr std::string_view kIntroduction[] = {
    "A config is one YAML file of two levels: sections, and below each its keys. Every key has a default and "
    "may be "
    "left out, only game.name must be given. Unknown keys, values of another type or out of range, and keys "
    "that "
    "contradict each other stop the program with file, line and key.",
    "On the command line --set section.key=value wins over the file.",
    "The sections game and network and the key run.seed are fixed when a run is made; every other key may be "
    "changed "
    "in an existing run."};

RunConfig fresh_config(std::string_view game) {
  RunConfig config;
  config.game.name = game;
  return config;
}

std::string default_text(const Key& key) {
  return key.path() == "game.name" ? "no default" : "default " + key.value;
}

// The game's options have their own place, all other keys do not depend on the game.
std::vector<Key> keys_of_section(std::string_view section, std::string_view game) {
  std::vector<Key> keys;
  for (Key& key : list_keys(fresh_config(game))) {
    if (key.section == section) keys.push_back(std::move(key));
  }
  return keys;
}

void append_key(std::string& out, const Key& key, std::size_t margin) {
  constexpr std::size_t kColumn = 26;
  out.append(margin, ' ').append(key.name);
  append_paragraph(out, kColumn, expected_text(key) + "; " + default_text(key));
  append_paragraph(out, kColumn, key.sentence);
}

void append_row(std::string& out, const Key& key) {
  std::string row = "| `" + key.name + "` | " + expected_text(key) + " | ";
  row += key.path() == "game.name" ? "none" : "`" + key.value + "`";
  row += " | ";
  for (char c : key.sentence) row.append(c == '|' ? "\\" : "").append(1, c);
  out += row + " |\n";
}

constexpr std::string_view kTableHead =
    "| key | value | default | what it does |\n| --- | --- | --- | --- |\n";

}  // namespace

std::string help_config() {
  std::string out;
  for (std::string_view text : kIntroduction) append_paragraph(out, 0, text);
  for (const Section& section : list_sections()) {
    out += "\n";
    append_paragraph(out, 0, section.name + ": " + section.sentence);
    if (section.name != "game") {
      for (const Key& key : keys_of_section(section.name, "tic_tac_toe")) append_key(out, key, 2);
      continue;
    }
    append_key(out, keys_of_section("game", "").front(), 2);
    for (const GameEntry& entry : game_entries()) {
      std::vector<Key> options = keys_of_section("game", entry.name);
      options.erase(options.begin());
      append_paragraph(out, 2,
                       "name: " + std::string(entry.name) + " (" + std::string(entry.sentence) + ")" +
                           (options.empty() ? " has no other keys" : ""));
      for (const Key& key : options) append_key(out, key, 4);
    }
  }
  return out;
}

std::string help_config_markdown() {
  std::string out =
      "# Every key of a config\n\n"
      "Written by the program from the same table that loading uses; `--help-config` of every stage prints "
      "it.\n";
  for (std::string_view text : kIntroduction) out.append("\n").append(text).append("\n");
  for (const Section& section : list_sections()) {
    out += "\n## " + section.name + "\n\n" + section.sentence + "\n\n" + std::string(kTableHead);
    if (section.name != "game") {
      for (const Key& key : keys_of_section(section.name, "tic_tac_toe")) append_row(out, key);
      continue;
    }
    append_row(out, keys_of_section("game", "").front());
    for (const GameEntry& entry : game_entries()) {
      std::vector<Key> options = keys_of_section("game", entry.name);
      options.erase(options.begin());
      out += "\n### game.name: " + std::string(entry.name) + "\n\n" + std::string(entry.sentence) +
             (options.empty() ? "; no other keys\n" : "\n\n" + std::string(kTableHead));
      for (const Key& key : options) append_row(out, key);
    }
  }
  return out;
}

}  // namespace rf
