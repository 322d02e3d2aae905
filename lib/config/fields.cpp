#include "config/fields.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "config/nearest.h"
#include "config/values.h"
#include "games/registry.h"

namespace rf {
namespace {

using Result = std::optional<Complaint>;

std::string in_unit(const Key& key) {
  return key.unit.empty() ? "" : " " + key.unit;
}

Complaint not_of_type(const ConfigNode& node, const Key& key) {
  if (node.kind == ConfigNode::Kind::kNull) {
    return {"has no value", "", "give " + expected_text(key) + ", or leave the key out"};
  }
  std::string hint = "give " + expected_text(key);
  if (node.quoted && key.type != KeyType::kText) hint += ", without quotes";
  return {node_text(node) + " is not " +
              (key.type == KeyType::kWhole  ? "a whole number"
               : key.type == KeyType::kReal ? "a finite number"
               : key.type == KeyType::kFlag ? "true or false"
               : key.type == KeyType::kText ? "a text"
                                            : "a list of whole numbers"),
          "", hint};
}

Complaint out_of_range(const std::string& text, const Key& key) {
  return {text + " is out of range", "allowed: " + key.min + " to " + key.max + in_unit(key), ""};
}

bool is_plain(const ConfigNode& node) {
  return node.kind == ConfigNode::Kind::kScalar && !node.quoted;
}

// `take` is called with a value within the limits.
Result set_whole(const ConfigNode& node, const Key& key, std::int64_t min, std::int64_t max,
                 const std::function<void(std::int64_t)>& take) {
  if (!is_plain(node) || !is_whole_text(node.text)) {
    Complaint complaint = not_of_type(node, key);
    const auto real = is_plain(node) ? parse_real(node.text) : std::nullopt;
    if (real && *real == double(std::int64_t(std::clamp(*real, -1e15, 1e15)))) {
      complaint.hint = "write " + number_text(std::int64_t(*real)) + "; " + complaint.hint;  // 1e3, 5.0, 007
    }
    return complaint;
  }
  const auto value = parse_whole(node.text);
  if (!value || *value < min || *value > max) return out_of_range(node.text, key);
  take(*value);
  return std::nullopt;
}

Result set_real(const ConfigNode& node, const Key& key, double min, double max, double& field) {
  if (!is_plain(node) || !is_real_text(node.text)) return not_of_type(node, key);
  const auto value = parse_real(node.text);
  if (!value || *value < min || *value > max) return out_of_range(node.text, key);
  field = *value;
  return std::nullopt;
}

Result set_flag(const ConfigNode& node, const Key& key, bool& field) {
  if (!is_plain(node) || (node.text != "true" && node.text != "false")) return not_of_type(node, key);
  field = node.text == "true";
  return std::nullopt;
}

// `take` is called with the index of the choice.
Result set_choice(const ConfigNode& node, const Key& key, const std::function<void(std::size_t)>& take) {
  if (node.kind == ConfigNode::Kind::kNull) return not_of_type(node, key);
  const auto found = std::find(key.choices.begin(), key.choices.end(), node.text);
  if (node.kind == ConfigNode::Kind::kScalar && found != key.choices.end()) {
    take(std::size_t(found - key.choices.begin()));
    return std::nullopt;
  }
  const auto near =
      node.kind == ConfigNode::Kind::kScalar ? nearest_name(node.text, key.choices) : std::nullopt;
  return Complaint{node_text(node) + " is not a choice", "choices: " + joined(key.choices),
                   near ? "did you mean " + *near + "?" : "give one of them"};
}

Result set_whole_list(const ConfigNode& node, const Key& key, std::int64_t min, std::int64_t max,
                      std::vector<int>& field) {
  if (node.kind != ConfigNode::Kind::kList) return not_of_type(node, key);
  if (node.items.empty() || node.items.size() > std::size_t(key.max_entries)) {
    return Complaint{"has " + std::to_string(node.items.size()) + " entries",
                     "allowed: 1 to " + std::to_string(key.max_entries), "give " + expected_text(key)};
  }
  std::vector<int> values;
  Key entry = key;
  entry.type = KeyType::kWhole;
  for (const ConfigNode& item : node.items) {
    const auto take = [&](std::int64_t value) { values.push_back(int(value)); };
    if (Result complaint = set_whole(item, entry, min, max, take)) {
      complaint->problem = "entry " + std::to_string(values.size() + 1) + ": " + complaint->problem;
      return complaint;
    }
  }
  field = std::move(values);
  return std::nullopt;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string list_text(const std::vector<int>& values) {
  std::string text;
  for (int value : values) text.append(text.empty() ? "" : ", ").append(std::to_string(value));
  return "[" + text + "]";
}

// The visitor of the describe functions (base/describe.h).
class FieldVisitor {
 public:
  FieldVisitor(std::vector<Field>& fields, std::vector<Section>& sections)
      : fields_(fields), sections_(sections) {}

  template <class S>
  void section(std::string_view name, std::string_view sentence, S& fields) {
    sections_.push_back({std::string(name), std::string(sentence)});
    describe(*this, fields);
  }

  template <std::integral T>
  void number(std::string_view name, T& field, std::type_identity_t<T> min, std::type_identity_t<T> max,
              std::string_view unit, std::string_view sentence) {
    RF_ASSERT(std::in_range<std::int64_t>(max));
    const auto low = std::int64_t(min), high = std::int64_t(max);
    Key key = start(name, KeyType::kWhole, sentence);
    key.min = number_text(low);
    key.max = number_text(high);
    key.unit = unit;
    key.value = number_text(std::int64_t(field));
    add(std::move(key), [&field, low, high](const ConfigNode& node, const Key& key) {
      return set_whole(node, key, low, high, [&](std::int64_t value) { field = T(value); });
    });
  }

  void number(std::string_view name, double& field, double min, double max, std::string_view unit,
              std::string_view sentence) {
    Key key = start(name, KeyType::kReal, sentence);
    key.min = number_text(min);
    key.max = number_text(max);
    key.unit = unit;
    key.value = number_text(field);
    add(std::move(key), [&field, min, max](const ConfigNode& node, const Key& key) {
      return set_real(node, key, min, max, field);
    });
  }

  void flag(std::string_view name, bool& field, std::string_view sentence) {
    Key key = start(name, KeyType::kFlag, sentence);
    key.value = field ? "true" : "false";
    add(std::move(key),
        [&field](const ConfigNode& node, const Key& key) { return set_flag(node, key, field); });
  }

  template <class E>
  void choice(std::string_view name, E& field, Names names, std::string_view sentence) {
    Key key = start(name, KeyType::kChoice, sentence);
    key.choices.assign(names.begin(), names.end());
    RF_ASSERT(std::size_t(field) < names.size());
    key.value = key.choices[std::size_t(field)];
    add(std::move(key), [&field](const ConfigNode& node, const Key& key) {
      return set_choice(node, key, [&](std::size_t index) { field = E(index); });
    });
  }

  void text(std::string_view name, std::string& field, std::string_view sentence) {
    Key key = start(name, KeyType::kText, sentence);
    key.value = quoted(field);
    add(std::move(key), [&field](const ConfigNode& node, const Key& key) -> Result {
      if (node.kind != ConfigNode::Kind::kScalar) return not_of_type(node, key);
      field = node.text;
      return std::nullopt;
    });
  }

  void numbers(std::string_view name, std::vector<int>& field, int min, int max, int max_entries,
               std::string_view unit, std::string_view sentence) {
    Key key = start(name, KeyType::kWholeList, sentence);
    key.min = number_text(std::int64_t(min));
    key.max = number_text(std::int64_t(max));
    key.max_entries = max_entries;
    key.unit = unit;
    key.value = list_text(field);
    add(std::move(key), [&field, min, max](const ConfigNode& node, const Key& key) {
      return set_whole_list(node, key, min, max, field);
    });
  }

  void game(GameSettings& game);

 private:
  Key start(std::string_view name, KeyType type, std::string_view sentence) const {
    Key key;
    key.section = sections_.back().name;
    key.name = name;
    key.type = type;
    key.sentence = sentence;
    return key;
  }

  template <class Set>
  void add(Key key, Set set) {
    auto bound = [key, set](const ConfigNode& node) { return set(node, key); };
    fields_.push_back({std::move(key), std::move(bound)});
  }

  void game_option(GameSettings& game, const GameOption& option);

  std::vector<Field>& fields_;
  std::vector<Section>& sections_;
};

void FieldVisitor::game(GameSettings& game) {
  sections_.push_back({"game", "the game and its own options; fixed for the life of a run"});
  Key key = start("name", KeyType::kChoice, "which game is played; always given");
  key.value = game.name;
  for (const GameEntry& entry : game_entries()) key.choices.emplace_back(entry.name);
  const std::vector<std::string> names = key.choices;
  add(std::move(key), [&game, names](const ConfigNode& node, const Key& key) {
    return set_choice(node, key, [&](std::size_t index) { game.name = names[index]; });
  });
  for (const GameEntry& entry : game_entries()) {
    if (entry.name != game.name) continue;
    for (const GameOption& option : entry.options()) game_option(game, option);
  }
}

void FieldVisitor::game_option(GameSettings& game, const GameOption& option) {
  const bool is_choice = !option.choices.empty();
  Key key = start(option.name, is_choice ? KeyType::kChoice : KeyType::kWhole, option.sentence);
  const auto given = game.values.find(option.name);
  const int value = given == game.values.end() ? option.initial : given->second;
  const auto take = [&game, name = option.name](std::int64_t taken) { game.values[name] = int(taken); };
  if (is_choice) {
    key.choices = option.choices;
    const bool known = std::size_t(value) < option.choices.size();  // make_game refuses the rest
    key.value = known ? option.choices[std::size_t(value)] : number_text(std::int64_t(value));
    add(std::move(key), [take](const ConfigNode& node, const Key& key) {
      return set_choice(node, key, [&](std::size_t index) { take(std::int64_t(index)); });
    });
    return;
  }
  key.min = number_text(std::int64_t(option.min));
  key.max = number_text(std::int64_t(option.max));
  key.value = number_text(std::int64_t(value));
  add(std::move(key), [take, low = option.min, high = option.max](const ConfigNode& node, const Key& key) {
    return set_whole(node, key, low, high, take);
  });
}

}  // namespace

std::vector<Field> list_fields(RunConfig& config) {
  std::vector<Field> fields;
  std::vector<Section> sections;
  FieldVisitor visitor(fields, sections);
  visitor.game(config.game);
  describe_sections(visitor, config);
  return fields;
}

std::vector<Key> list_keys(const RunConfig& config) {
  RunConfig copy = config;  // describe wants to be able to write
  std::vector<Key> keys;
  for (Field& field : list_fields(copy)) keys.push_back(std::move(field.key));
  return keys;
}

std::vector<Section> list_sections() {
  RunConfig fresh;
  std::vector<Field> fields;
  std::vector<Section> sections;
  FieldVisitor visitor(fields, sections);
  visitor.game(fresh.game);
  describe_sections(visitor, fresh);
  return sections;
}

std::string expected_text(const Key& key) {
  const std::string range =
      "from " + key.min + " to " + key.max + (key.unit.empty() ? "" : " (" + key.unit + ")");
  switch (key.type) {
    case KeyType::kWhole:
      return "a whole number " + range;
    case KeyType::kReal:
      return "a number " + range;
    case KeyType::kFlag:
      return "true or false";
    case KeyType::kChoice:
      return "one of " + joined(key.choices);
    case KeyType::kText:
      return "a text";
    case KeyType::kWholeList:
      break;
  }
  return "a list of 1 to " + std::to_string(key.max_entries) + " whole numbers " + range;
}

}  // namespace rf
