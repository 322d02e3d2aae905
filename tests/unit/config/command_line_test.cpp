#include "config/command_line.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/version.h"
#include "config/reference.h"
#include "unit/config/config_test_base.h"

namespace rf {
namespace {

// One of everything.
class Line {
 public:
  Line()
      : line_(
            {"rf-test", "does nothing", {{"rf-test --run R", "an example"}}, {{"3", "a code of its own"}}}) {
    line_.add_run_options();
    line_.add_flag("json", "last line is one JSON object");
    line_.add_value("versus", "WHO", "the opponent");
    line_.add_choice("first", {"me", "you"}, "me", "who begins");
    line_.add_number("threshold", "SHARE", 0.55, 0, 1, "points needed");
    line_.add_whole("games", "N", 40, 2, 1000, "games of the match");
    line_.add_whole("offset", "N", 0, -10, 10, "may be negative");
    line_.add_positional("FIRST", "a word", false);
    line_.add_positional("SECOND", "another", false);
  }
  // `output` has what was printed.
  std::optional<int> parse(const std::vector<std::string>& words) {
    std::vector<const char*> argv = {"rf-test"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* out = open_memstream(&text, &size);
    struct Closer {
      std::FILE*& out;
      char*& text;
      std::string& output;
      ~Closer() {
        std::fclose(out);
        output = text;
        std::free(text);
      }
    } closer{out, text, output};
    return line_.parse(int(argv.size()), argv.data(), out);
  }
  std::string refusal(const std::vector<std::string>& words) {
    try {
      parse(words);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "accepted: " << testing::PrintToString(words);
    return "";
  }
  CommandLine* operator->() { return &line_; }
  std::string output;

 private:
  CommandLine line_;
};

TEST(CommandLine, HasDefaults) {
  Line line;
  EXPECT_EQ(line.parse({}), std::nullopt);
  EXPECT_FALSE(line->flag("json"));
  EXPECT_FALSE(line->given("games"));
  EXPECT_EQ(line->whole("games"), 40);
  EXPECT_EQ(line->number("threshold"), 0.55);
  EXPECT_EQ(line->text("first"), "me");
  EXPECT_EQ(line->text("versus"), std::nullopt);
  EXPECT_EQ(line->text("FIRST"), std::nullopt);
  EXPECT_TRUE(line->texts("set").empty());
  EXPECT_EQ(line->log_level(), LogLevel::kInfo);
  EXPECT_TRUE(line.output.empty());
}

TEST(CommandLine, TakesBothForms) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--run", "R 1", "--games", "10", "--json", "--threshold", "1e-1", "--first",
                                 "you", "--set", "a.b=1", "--set", "c.d=[2, 3]", "--quiet"},
        std::vector<std::string>{"--run=R 1", "--games=10", "--json", "--threshold=0.1", "--first=you",
                                 "--set=a.b=1", "--set=c.d=[2, 3]", "--quiet"}}) {
    Line line;
    EXPECT_EQ(line.parse(words), std::nullopt);
    EXPECT_EQ(line->text("run"), "R 1");
    EXPECT_EQ(line->required("run"), "R 1");
    EXPECT_EQ(line->whole("games"), 10);
    EXPECT_TRUE(line->given("games"));
    EXPECT_TRUE(line->flag("json"));
    EXPECT_EQ(line->number("threshold"), 0.1);
    EXPECT_EQ(line->text("first"), "you");
    EXPECT_EQ(line->texts("set"), (std::vector<std::string>{"a.b=1", "c.d=[2, 3]"}));
    EXPECT_EQ(line->log_level(), LogLevel::kQuiet);
  }
}

TEST(CommandLine, NegativeNumbersAreValues) {
  Line line;
  EXPECT_EQ(line.parse({"--offset", "-2"}), std::nullopt);
  EXPECT_EQ(line->whole("offset"), -2);
  EXPECT_EQ(line.parse({"--offset=-3", "-4"}), std::nullopt);
  EXPECT_EQ(line->whole("offset"), -3);
  EXPECT_EQ(line->text("FIRST"), "-4");
  for (const auto& words : {std::vector<std::string>{"--threshold", "-0.5"}, {"--threshold=-0.5"}}) {
    EXPECT_EQ(line.refusal(words), "--threshold: -0.5 is out of range (allowed: 0 to 1)");
  }
}

TEST(CommandLine, TakesPositionals) {
  Line line;
  EXPECT_EQ(line.parse({"a", "--json", "b c"}), std::nullopt);
  EXPECT_EQ(line->text("FIRST"), "a");
  EXPECT_EQ(line->text("SECOND"), "b c");
  EXPECT_EQ(line.parse({"--json", "--", "--games"}), std::nullopt);
  EXPECT_EQ(line->text("FIRST"), "--games");
  EXPECT_EQ(line->text("SECOND"), std::nullopt);
  expect_holds(line.refusal({"a", "b", "c"}), {"unexpected word 'c'", "at most 2 words"});
  CommandLine strict({"rf-test", "does nothing", {}});
  strict.add_positional("FILE", "what to read", true);
  const char* argv[] = {"rf-test"};
  EXPECT_THROW(strict.parse(1, argv, nullptr), Error);
}

TEST(CommandLine, RefusesWhatItDoesNotKnow) {
  Line line;
  EXPECT_EQ(line.refusal({"--gmaes", "3"}), "unknown option --gmaes: did you mean --games?");
  EXPECT_EQ(line.refusal({"--gmaes=3"}), "unknown option --gmaes: did you mean --games?");
  EXPECT_EQ(line.refusal({"--game", "3"}),
            "unknown option --game: did you mean --games?");  // no abbreviations
  EXPECT_EQ(line.refusal({"--thresh=0.5"}), "unknown option --thresh: did you mean --threshold?");
  EXPECT_EQ(line.refusal({"-games", "3"}), "unknown option -games: did you mean --games?");
  EXPECT_EQ(line.refusal({"--GAMES=3"}), "unknown option --GAMES: did you mean --games?");
  expect_holds(line.refusal({"-x"}), {"unknown option -x"});
  expect_holds(line.refusal({"--qqqqqqq"}), {"unknown option --qqqqqqq: see rf-test --help"});
}

TEST(CommandLine, RefusesBadValues) {
  Line line;
  expect_holds(line.refusal({"--games", "1"}), {"--games: 1 is out of range (allowed: 2 to 1000)"});
  expect_holds(line.refusal({"--games", "99999999999999999999"}), {"is out of range (allowed: 2 to 1000)"});
  expect_holds(line.refusal({"--games", "1e2"}),
               {"'1e2' is not a whole number: give a whole number from 2 to 1000"});
  expect_holds(line.refusal({"--games", "ten"}), {"--games: 'ten' is not a whole number"});
  expect_holds(line.refusal({"--threshold", "nan"}), {"--threshold: 'nan' is not a number"});
  expect_holds(line.refusal({"--threshold", "0,5"}), {"--threshold: '0,5' is not a number"});
  expect_holds(line.refusal({"--first", "yuo"}),
               {"'yuo' is not a choice (choices: me, you): did you mean you?"});
}

TEST(CommandLine, RefusesMissingValuesAndRepeats) {
  Line line;
  expect_holds(line.refusal({"--run"}), {"run"});
  expect_holds(line.refusal({"--run="}), {"run"});
  expect_holds(line.refusal({"--run", ""}), {"--run has an empty value"});
  expect_holds(line.refusal({"--run", "--json"}), {"run"});
  expect_holds(line.refusal({"--run", "--confg", "c.yaml"}), {"--run needs a value", "--confg"});
  expect_holds(line.refusal({"--json=1"}), {"json"});
  expect_holds(line.refusal({"--run", "a", "--run", "a"}), {"--run is given twice"});
  expect_holds(line.refusal({"--json", "--json"}), {"--json is given twice"});
  expect_holds(line.refusal({"--quiet", "--verbose"}), {"--quiet contradicts --verbose"});
  EXPECT_EQ(line.parse({"--run=--odd"}), std::nullopt);
  EXPECT_EQ(line->text("run"), "--odd");
  EXPECT_EQ(line.parse({}), std::nullopt);
  EXPECT_THROW(line->required("run"), Error);
}

TEST(CommandLine, AnswersAndIsDone) {
  Line line;
  EXPECT_EQ(line.parse({"--version"}), 0);
  EXPECT_EQ(line.output, std::string("rf-test ") + kVersion + " (" + kRevision + ")\n");
  EXPECT_EQ(line.parse({"--help-config"}), 0);
  EXPECT_EQ(line.output, help_config());
  EXPECT_EQ(line.parse({"--help", "--version", "a"}), 0);
  EXPECT_EQ(line.output, line->help());
}

TEST(CommandLine, HelpShowsAllAndFitsATerminal) {
  Line line;
  const std::string help = line->help();
  expect_holds(help,
               {"rf-test: does nothing", "Usage: rf-test [OPTIONS] [FIRST] [SECOND]", "--help-config",
                "--version", "--quiet", "--verbose", "--run DIR", "--config FILE", "--set SECTION.KEY=VALUE",
                "--json", "a whole number from 2 to 1000, default 40", "a number from 0 to 1, default 0.55",
                "one of me, you, default me", "rf-test --run R", "an example", "75", "a code of its own"});
  std::istringstream lines(help);
  for (std::string text; std::getline(lines, text);) EXPECT_LE(text.size(), 100u) << text;
}

}  // namespace
}  // namespace rf
