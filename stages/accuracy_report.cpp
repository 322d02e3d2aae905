#include "accuracy_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/log.h"

namespace rf {
namespace {

std::string cell(const Share& share) {
  if (share.judged == 0) return "               -";
  const auto [low, high] = wilson_interval(share.right, share.judged);
  char text[64];
  std::snprintf(text, sizeof text, "%5s (%s-%s)", fixed(100.0 * share.right / share.judged, 1).c_str(),
                fixed(100 * low, 1).c_str(), fixed(100 * high, 1).c_str());
  const std::string padding(std::size_t(std::max(0, 17 - int(std::strlen(text)))), ' ');
  return padding + text;
}

}  // namespace

void FileCount::add(const Answer& answer) {
  ++positions;
  bool known = false;
  for (std::size_t m = 0; m < kMeasures; ++m) {
    if (!answer[m]) continue;
    known = true;
    ++shares[m].judged;
    shares[m].right += *answer[m];
  }
  unknown += !known;
}

std::string accuracy_table(const std::vector<FileCount>& files) {
  std::size_t width = 4;
  for (const FileCount& file : files) width = std::max(width, file.name.size());
  const auto fill = [&](std::string text) { return text + std::string(width - text.size(), ' '); };
  std::string text = "right moves in %, with the interval of 95 %; best: the moves that are best by value\n" +
                     fill("file") +
                     "  positions            policy            search       policy best"
                     "       search best\n";
  for (const FileCount& file : files) {
    char number[32];
    std::snprintf(number, sizeof number, "  %9d", file.positions);
    text += fill(file.name) + number;
    for (const Share& share : file.shares) text += " " + cell(share);
    text += "\n";
  }
  for (const FileCount& file : files) {
    if (file.finished > 0) {
      text += file.name + ": " + std::to_string(file.finished) + " finished games are left out\n";
    }
    if (file.other > 0) {
      text += file.name + ": " + std::to_string(file.other) + " positions of other boards are left out\n";
    }
    if (file.unknown > 0) {
      text += file.name + ": no right move is known in " + std::to_string(file.unknown) + " positions\n";
    }
  }
  return text;
}

Json accuracy_json(const std::vector<FileCount>& files) {
  Json list = Json::array();
  for (const FileCount& file : files) {
    Json json = {{"file", file.name},
                 {"positions", file.positions},
                 {"finished", file.finished},
                 {"other", file.other},
                 {"unknown", file.unknown}};
    for (std::size_t m = 0; m < kMeasures; ++m) {
      const Share& share = file.shares[m];
      const auto [low, high] = wilson_interval(share.right, share.judged);
      json[kMeasureNames[m]] = share.judged == 0 ? Json()
                                                 : Json{{"right", share.right},
                                                        {"judged", share.judged},
                                                        {"share", double(share.right) / share.judged},
                                                        {"interval_95", {low, high}}};
    }
    list.push_back(std::move(json));
  }
  return list;
}

std::pair<double, double> wilson_interval(int right, int all) {
  if (all == 0) return {0, 1};
  constexpr double z = 1.959964;
  const double n = all, p = right / n;
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

}  // namespace rf
