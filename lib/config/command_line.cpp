#include "config/command_line.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <map>

#include "base/error.h"
#include "base/version.h"
#include "config/nearest.h"
#include "config/option.h"
#include "config/paragraph.h"
#include "config/reference.h"
#include "config/values.h"

namespace rf {
namespace {

namespace po = boost::program_options;

struct Positional {
  std::string name, sentence;
  bool required = false;
};

const Explained kSharedExitCodes = {{"0", "done"},
                                    {"64", "the command line is wrong"},
                                    {"65", "a file is damaged or belongs to another game, network or run"},
                                    {"66", "a file, or the result of an earlier stage, is missing"},
                                    {"70", "a defect of this program"},
                                    {"73", "cannot write: disk full, read-only or no permission"},
                                    {"75", "interrupted or busy: the same command goes on later"},
                                    {"78", "a key of the config is wrong"}};

}  // namespace

struct CommandLine::Parts {
  Program program;
  std::vector<Option> options;
  std::vector<Positional> positionals;
  std::map<std::string, std::vector<std::string>> values;  // of what was given; a flag has one empty value

  const Option* find(const std::string& name) const {
    for (const Option& option : options) {
      if (option.name == name) return &option;
    }
    return nullptr;
  }

  void add(Option option) {
    RF_ASSERT(find(option.name) == nullptr);
    options.push_back(std::move(option));
  }

  const std::string* value(const std::string& name) const {
    const auto found = values.find(name);
    if (found != values.end()) return &found->second.back();
    const Option* option = find(name);
    return option != nullptr && !option->initial.empty() ? &option->initial : nullptr;
  }

  [[noreturn]] void fail_unknown(const std::string& word) const {
    std::vector<std::string> names;
    for (const Option& option : options) names.push_back(option.name);
    const std::size_t dashes = word.find_first_not_of('-');
    const std::string bare = dashes == std::string::npos ? "" : word.substr(dashes, word.find('=') - dashes);
    const auto near = nearest_name(bare, names);
    fail_usage("unknown option " + word.substr(0, word.find('=')), "",
               near ? "did you mean --" + *near + "?" : "see " + program.name + " --help");
  }

  std::vector<po::option> split(const std::vector<std::string>& words) const;
  void store(const po::option& parsed);
  void store_positionals(const std::vector<std::string>& words);
  std::optional<int> answer(std::FILE* out, const std::string& help) const;
};

std::vector<po::option> CommandLine::Parts::split(const std::vector<std::string>& words) const {
  po::options_description description;
  for (const Option& option : options) {
    if (option.kind == OptionKind::kFlag) {
      description.add_options()(option.name.c_str(), "");
    } else {
      description.add_options()(option.name.c_str(), po::value<std::string>(), "");
    }
  }
  namespace style = po::command_line_style;
  try {
    return po::command_line_parser(words)
        .options(description)
        .style(style::allow_long | style::long_allow_next | style::long_allow_adjacent)
        .run()
        .options;
  } catch (const po::unknown_option& error) {
    fail_unknown(error.get_option_name());
  } catch (const po::error& error) {
    fail_usage(error.what(), "", "see " + program.name + " --help");
  }
}

void CommandLine::Parts::store(const po::option& parsed) {
  const Option& option = *find(parsed.string_key);
  const std::string value = parsed.value.empty() ? "" : parsed.value.front();
  // "--run --confg C": the value was forgotten, or the next option misspelt.
  const bool next_word = parsed.original_tokens.size() > 1;
  if (next_word && value.starts_with("--")) {
    fail_usage("--" + option.name + " needs a value", "the next word is " + value,
               "write --" + option.name + "=" + value + " if that is the value");
  }
  std::vector<std::string>& stored = values[option.name];
  if (!stored.empty() && option.kind != OptionKind::kValues) {
    fail_usage("--" + option.name + " is given twice", "", "keep one of the two");
  }
  if (option.kind != OptionKind::kFlag) check_option_value(option, value);
  stored.push_back(value);
}

void CommandLine::Parts::store_positionals(const std::vector<std::string>& words) {
  if (words.size() > positionals.size()) {
    fail_usage("unexpected word '" + words[positionals.size()] + "'",
               positionals.empty() ? "there are only options"
                                   : "at most " + std::to_string(positionals.size()) + " words",
               "see " + program.name + " --help");
  }
  for (std::size_t i = 0; i < positionals.size(); ++i) {
    if (i < words.size()) {
      values[positionals[i].name] = {words[i]};
    } else if (positionals[i].required) {
      fail_usage(positionals[i].name + " is missing", positionals[i].sentence,
                 "see " + program.name + " --help");
    }
  }
}

std::optional<int> CommandLine::Parts::answer(std::FILE* out, const std::string& help) const {
  std::string text;
  if (values.contains("help")) {
    text = help;
  } else if (values.contains("help-config")) {
    text = help_config();
  } else if (values.contains("version")) {
    text = program.name + " " + kVersion + " (" + kRevision + ")\n";
  } else {
    return std::nullopt;
  }
  if (out != nullptr && (std::fputs(text.c_str(), out) < 0 || std::fflush(out) != 0)) {
    fail(ExitCode::kCannotWrite, "cannot write the help text", "standard output is closed or full");
  }
  return int(ExitCode::kDone);
}

CommandLine::CommandLine(Program program) : parts_(std::make_unique<Parts>()) {
  parts_->program = std::move(program);
  add_flag("help", "show this text");
  add_flag("help-config", "show every key of a config file");
  add_flag("version", "show the version");
  add_flag("quiet", "write warnings and errors only");
  add_flag("verbose", "write more");
}

CommandLine::~CommandLine() = default;

void CommandLine::add_run_options() {
  add_value("run", "DIR", "the run's folder");
  add_value("config", "FILE",
            "config of a new run; a run that exists has its own and is compared with this one");
  add_values("set", "SECTION.KEY=VALUE", "sets one key of the config; any number of times");
}

void CommandLine::add_flag(const std::string& name, const std::string& sentence) {
  parts_->add({name, "", sentence, OptionKind::kFlag, "", "", "", {}});
}

void CommandLine::add_value(const std::string& name, const std::string& metavar,
                            const std::string& sentence) {
  parts_->add({name, metavar, sentence, OptionKind::kValue, "", "", "", {}});
}

void CommandLine::add_values(const std::string& name, const std::string& metavar,
                             const std::string& sentence) {
  parts_->add({name, metavar, sentence, OptionKind::kValues, "", "", "", {}});
}

void CommandLine::add_choice(const std::string& name, const std::vector<std::string>& choices,
                             const std::string& initial, const std::string& sentence) {
  parts_->add({name, "WORD", sentence, OptionKind::kChoice, initial, "", "", choices});
}

void CommandLine::add_number(const std::string& name, const std::string& metavar, double initial, double min,
                             double max, const std::string& sentence) {
  parts_->add({name,
               metavar,
               sentence,
               OptionKind::kNumber,
               number_text(initial),
               number_text(min),
               number_text(max),
               {}});
}

void CommandLine::add_whole(const std::string& name, const std::string& metavar, std::int64_t initial,
                            std::int64_t min, std::int64_t max, const std::string& sentence) {
  parts_->add({name,
               metavar,
               sentence,
               OptionKind::kWhole,
               number_text(initial),
               number_text(min),
               number_text(max),
               {}});
}

void CommandLine::add_positional(const std::string& name, const std::string& sentence, bool required) {
  parts_->positionals.push_back({name, sentence, required});
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv, std::FILE* out) {
  const std::vector<std::string> all(argv + std::min(argc, 1), argv + argc);
  const auto terminator = std::find(all.begin(), all.end(), "--");
  parts_->values.clear();
  std::vector<std::string> words;
  for (const po::option& parsed : parts_->split({all.begin(), terminator})) {
    if (!parsed.string_key.empty()) {
      parts_->store(parsed);
      continue;
    }
    const std::string& word = parsed.value.front();
    if (word.size() > 1 && word[0] == '-' && !is_real_text(word)) parts_->fail_unknown(word);
    words.push_back(word);
  }
  if (const auto code = parts_->answer(out, help())) return code;
  if (terminator != all.end()) words.insert(words.end(), terminator + 1, all.end());
  parts_->store_positionals(words);
  if (flag("quiet") && flag("verbose")) fail_usage("--quiet contradicts --verbose", "", "give one of them");
  return std::nullopt;
}

bool CommandLine::given(const std::string& name) const {
  return parts_->values.contains(name);
}

bool CommandLine::flag(const std::string& name) const {
  RF_ASSERT(parts_->find(name) != nullptr && parts_->find(name)->kind == OptionKind::kFlag);
  return given(name);
}

std::optional<std::string> CommandLine::text(const std::string& name) const {
  const std::string* value = parts_->value(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(*value);
}

std::vector<std::string> CommandLine::texts(const std::string& name) const {
  const auto found = parts_->values.find(name);
  return found == parts_->values.end() ? std::vector<std::string>{} : found->second;
}

double CommandLine::number(const std::string& name) const {
  RF_ASSERT(parts_->find(name) != nullptr && parts_->find(name)->kind == OptionKind::kNumber);
  return *parse_real(*parts_->value(name));
}

std::int64_t CommandLine::whole(const std::string& name) const {
  RF_ASSERT(parts_->find(name) != nullptr && parts_->find(name)->kind == OptionKind::kWhole);
  return *parse_whole(*parts_->value(name));
}

std::string CommandLine::required(const std::string& name) const {
  const Option* option = parts_->find(name);
  RF_ASSERT(option != nullptr);
  const std::string* value = parts_->value(name);
  if (value == nullptr)
    fail_usage("--" + name + " is missing", option->sentence, "give " + option_term(*option));
  return *value;
}

LogLevel CommandLine::log_level() const {
  return flag("quiet") ? LogLevel::kQuiet : flag("verbose") ? LogLevel::kDebug : LogLevel::kInfo;
}

std::string CommandLine::help() const {
  constexpr std::size_t kColumn = 28;
  const Program& program = parts_->program;
  std::string out;
  append_paragraph(out, 0, program.name + ": " + program.purpose);
  out += "\nUsage: " + program.name + " [OPTIONS]";
  for (const Positional& word : parts_->positionals)
    out += word.required ? " " + word.name : " [" + word.name + "]";
  out += "\n\n";
  for (const Positional& word : parts_->positionals) {
    out += "  " + word.name;
    append_paragraph(out, kColumn, word.sentence);
  }
  for (const Option& option : parts_->options) {
    out += "  " + option_term(option);
    append_paragraph(out, kColumn, option_text(option));
  }
  if (!program.list.empty()) out += "\n" + program.list_title + ":\n";
  for (const auto& [name, meaning] : program.list) {
    out += "  " + name;
    append_paragraph(out, kColumn, meaning);
  }
  if (!program.examples.empty()) out += "\nExamples:\n";
  for (const auto& [command, meaning] : program.examples) {
    out += "  " + command + "\n";
    append_paragraph(out, 6, meaning);
  }
  out += "\nExit codes:\n";
  Explained codes = kSharedExitCodes;
  codes.insert(codes.end(), program.exit_codes.begin(), program.exit_codes.end());
  for (const auto& [code, meaning] : codes) {
    out += "  " + code;
    append_paragraph(out, 6, meaning);
  }
  return out;
}

}  // namespace rf
