#include "config/document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <utility>

#include "base/error.h"

namespace rf {
namespace {

[[noreturn]] void fail_at(const std::string& origin, int line, std::string_view problem,
                          std::string_view why = {}, std::string_view hint = {}) {
  fail(ExitCode::kBadConfig, origin + ":" + std::to_string(line) + ": " + std::string(problem), why, hint);
}

// Builds the tree from the parser's events, which unlike YAML::Node keep lines, quotes and duplicates.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& origin) : origin_(origin) {}
  ConfigNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      fail_at(origin_, mark.line + 1, "a second document begins here", "a config is one YAML document",
              "check the line and those before it for '---' or text after the end");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(make(ConfigNode::Kind::kNull, mark)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse(mark, "an alias ('*')"); }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse(mark, "an anchor ('&')"); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& text) override {
    ConfigNode node = make(ConfigNode::Kind::kScalar, mark);
    if (tag != "?" && tag != "!") refuse(mark, "a tag ('!!')");  // "?" plain, "!" quoted
    node.quoted = tag == "!";
    node.text = text;
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open_.push_back(make(ConfigNode::Kind::kList, mark));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open_.push_back(make(ConfigNode::Kind::kMap, mark));
  }
  void OnMapEnd() override { close(); }

 private:
  static ConfigNode make(ConfigNode::Kind kind, const YAML::Mark& mark) {
    ConfigNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    return node;
  }
  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& what) {
    fail_at(origin_, mark.line + 1, what + " is not allowed", "every value of a config is written out",
            "write the value itself");
  }
  void close() {
    ConfigNode node = std::move(open_.back());
    open_.pop_back();
    add(std::move(node));
  }
  void add(ConfigNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    ConfigNode& parent = open_.back();
    const bool is_key = parent.kind == ConfigNode::Kind::kMap && parent.keys.size() == parent.items.size();
    (is_key ? parent.keys : parent.items).push_back(std::move(node));
  }

  const std::string& origin_;
  int documents_ = 0;
  ConfigNode root_;
  std::vector<ConfigNode> open_;  // maps and lists that have not ended
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// What the parser would pass over or report in another line.
void check_line(std::string_view line, int number, const std::string& origin, std::string& section) {
  for (char c : line) {
    // yaml-cpp takes byte 4 for the end of the text and would drop all that follows.
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\r') || byte == 0x7f) {
      fail_at(origin, number, "not a text file", "it holds control character " + std::to_string(int(byte)));
    }
  }
  const std::size_t indent = line.find_first_not_of(" \t\r");
  if (indent == std::string_view::npos || line[indent] == '#') return;
  if (line.substr(0, indent).find('\t') != std::string_view::npos) {
    fail_at(origin, number, "a tab in the indentation", "YAML wants blanks",
            "indent the keys of a section by two blanks");
  }
  std::size_t end = indent;
  while (end < line.size() && is_word(line[end])) ++end;
  if (end == indent || end >= line.size() || line[end] != ':') return;
  const std::string word(line.substr(indent, end - indent));
  if (indent == 0) section = word;
  const std::string_view rest = line.substr(end + 1);
  if (rest.empty() || rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r') return;
  const std::string key = indent == 0 || section.empty() ? word : section + "." + word;
  fail_at(origin, number, key + ": no blank after the colon",
          "YAML reads '" + std::string(line.substr(indent)) + "' as one word",
          "write '" + word + ": " + std::string(rest) + "'");
}

void check_lines(std::string_view yaml, const std::string& origin) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (yaml.starts_with(kByteOrderMark)) yaml.remove_prefix(kByteOrderMark.size());
  std::string section;
  for (int number = 1; !yaml.empty(); ++number) {
    const std::size_t end = yaml.find('\n');
    check_line(yaml.substr(0, end), number, origin, section);
    yaml.remove_prefix(end == std::string_view::npos ? yaml.size() : end + 1);
  }
}

}  // namespace

ConfigNode parse_document(std::string_view yaml, const std::string& origin) {
  check_lines(yaml, origin);
  TreeBuilder tree(origin);
  try {
    std::istringstream in{std::string(yaml)};
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(tree)) {
    }
  } catch (const YAML::Exception& error) {
    fail_at(origin, error.mark.is_null() ? 1 : error.mark.line + 1, "not YAML", error.msg,
            "check this line and the one before it");
  }
  return tree.take_root();
}

std::string node_text(const ConfigNode& node) {
  constexpr std::size_t kLongest = 60;
  switch (node.kind) {
    case ConfigNode::Kind::kNull:
      return "nothing";
    case ConfigNode::Kind::kList:
      return "a list";
    case ConfigNode::Kind::kMap:
      return "a map";
    case ConfigNode::Kind::kScalar:
      break;
  }
  return "'" + (node.text.size() > kLongest ? node.text.substr(0, kLongest) + "..." : node.text) + "'";
}

}  // namespace rf
