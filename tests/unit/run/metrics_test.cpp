#include "run/metrics.h"

#include <algorithm>

#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

std::vector<std::int64_t> ids(const Events& events) {
  std::vector<std::int64_t> result;
  for (const Json& event : events.events) result.push_back(event["id"].get<std::int64_t>());
  return result;
}

TEST(Metrics, IdsGrow) {
  const TempRun t;
  EXPECT_TRUE(read_events(t.run).events.empty());
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(append_event(t.run, {{"event", "trained"}, {"loss", 0.5 * i}}), i);
  const Events events = read_events(t.run);
  EXPECT_EQ(ids(events), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(events.events[2]["loss"], 1.5);
  EXPECT_EQ(events.torn_lines, 0);
  const std::string text = read_text(t.run.metrics());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
}

TEST(Metrics, ATornLastLineLosesNothingElse) {
  // Cut at every byte of the last event.
  const TempRun t;
  append_event(t.run, {{"event", "first"}});
  const std::size_t whole_lines = read_text(t.run.metrics()).size();
  append_event(t.run, {{"event", "second"}, {"text", "line\nbreak"}});
  const std::string text = read_text(t.run.metrics());
  for (std::size_t size = whole_lines; size <= text.size(); ++size) {
    write_text(t.run.metrics(), text.substr(0, size));
    const bool second_is_there = size + 1 >= text.size();  // its line break alone may be missing
    const bool torn = size > whole_lines && !second_is_there;
    EXPECT_EQ(append_event(t.run, {{"event", "third"}}), second_is_there ? 3 : 2);
    const Events events = read_events(t.run);
    ASSERT_EQ(ids(events),
              second_is_there ? (std::vector<std::int64_t>{1, 2, 3}) : (std::vector<std::int64_t>{1, 2}))
        << size;
    EXPECT_EQ(events.events.back()["event"], "third");
    EXPECT_EQ(events.torn_lines, torn ? 1 : 0) << size;
  }
}

TEST(Metrics, LongAndTornTailsAreReadToTheLastId) {
  const TempRun t;
  append_event(t.run, {{"event", "first"}});
  append_event(t.run, {{"text", std::string(300'000, 'x')}});
  std::string text = read_text(t.run.metrics());
  for (int i = 0; i < 3000; ++i)
    text += "{\"id\": 9, \"torn\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
  write_text(t.run.metrics(), text);
  EXPECT_EQ(append_event(t.run, {{"event", "third"}}), 3);
  EXPECT_EQ(read_events(t.run).torn_lines, 3000);
  // A file of torn lines alone.
  write_text(t.run.metrics(), "{\"id\": 1, \"eve");
  EXPECT_EQ(append_event(t.run, {{"event", "first"}}), 1);
  EXPECT_EQ(ids(read_events(t.run)), std::vector<std::int64_t>{1});
}

TEST(Metrics, AKeyIsThereOnce) {
  const TempRun t;
  const Json event{{"key", "generate 7"}, {"games", 40}};
  EXPECT_EQ(append_event(t.run, event), 1);
  EXPECT_EQ(append_event(t.run, {{"key", "train 7"}}), 2);
  EXPECT_EQ(append_event(t.run, event), 1);
  EXPECT_EQ(read_events(t.run).events.size(), 2u);
}

TEST(Metrics, RepeatedAndForeignLinesAreSkippedAndCounted) {
  const TempRun t;
  write_text(t.run.metrics(),
             "{\"id\":1}\n{\"id\":2}\n{\"id\":2}\n\n{\"id\":1}\n[3]\n{\"no\":4}\n{\"id\":5}\n");
  const Events events = read_events(t.run);
  EXPECT_EQ(ids(events), (std::vector<std::int64_t>{1, 2, 5}));
  EXPECT_EQ(events.repeated_lines, 2);
  EXPECT_EQ(events.torn_lines, 2);
}

}  // namespace
}  // namespace rf::test
