#include "store/network_file.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "store/tensor_file.h"

namespace rf {
namespace {

const std::string kPrefix = "network.";
constexpr std::int64_t kMostPlanes = 1 << 16, kMostSide = 1 << 10, kMostActions = 1 << 22;

std::string numbers_text(const std::vector<int>& values) {
  std::string text;
  for (int v : values) text += (text.empty() ? "" : " ") + std::to_string(v);
  return text;
}

// Visitor of describe(): the keys become attributes.
class AttributeWriter {
 public:
  explicit AttributeWriter(TensorFile& file) : file_(file) {}
  template <class T, class Limit>
  void number(const char* name, T& value, Limit, Limit, const char*, const char*) {
    if constexpr (std::is_floating_point_v<T>) {
      file_.attributes[kPrefix + name] = double(value);
    } else {
      file_.attributes[kPrefix + name] = std::int64_t(value);
    }
  }
  void flag(const char* name, bool& value, const char*) {
    file_.attributes[kPrefix + name] = std::int64_t(value);
  }
  template <class E>
  void choice(const char* name, E& value, Names names, const char*) {
    file_.attributes[kPrefix + name] = std::string(names[std::size_t(value)]);
  }
  void text(const char* name, std::string& value, const char*) { file_.attributes[kPrefix + name] = value; }
  void numbers(const char* name, std::vector<int>& values, int, int, int, const char*, const char*) {
    file_.attributes[kPrefix + name] = numbers_text(values);
  }

 private:
  TensorFile& file_;
};

// Visitor of describe(): the keys come from attributes, each within its limits.
class AttributeReader {
 public:
  explicit AttributeReader(const TensorFile& file) : file_(file) {}
  template <class T, class Limit>
  void number(const char* name, T& value, Limit min, Limit max, const char*, const char*) {
    if constexpr (std::is_floating_point_v<T>) {
      value = file_.real(kPrefix + name);
      if (!(value >= min && value <= max)) refuse(name, std::to_string(value));
    } else {
      const std::int64_t in_file = file_.integer(kPrefix + name);
      if (in_file < std::int64_t(min) || in_file > std::int64_t(max)) refuse(name, std::to_string(in_file));
      value = T(in_file);
    }
  }
  void flag(const char* name, bool& value, const char*) {
    const std::int64_t in_file = file_.integer(kPrefix + name);
    if (in_file != 0 && in_file != 1) refuse(name, std::to_string(in_file));
    value = in_file == 1;
  }
  template <class E>
  void choice(const char* name, E& value, Names names, const char*) {
    const std::string& in_file = file_.text(kPrefix + name);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == in_file) {
        value = E(int(i));
        return;
      }
    }
    refuse(name, in_file);
  }
  void text(const char* name, std::string& value, const char*) { value = file_.text(kPrefix + name); }
  void numbers(const char* name, std::vector<int>& values, int min, int max, int max_entries, const char*,
               const char*) {
    const std::string& in_file = file_.text(kPrefix + name);
    values.clear();
    if (in_file.empty()) return;
    std::int64_t number = -1;  // none begun
    for (char c : in_file + " ") {
      if (c >= '0' && c <= '9') {
        number = std::max<std::int64_t>(number, 0) * 10 + (c - '0');
        if (number > max) refuse(name, in_file);
      } else if (c == ' ' && number >= min && int(values.size()) < max_entries) {
        values.push_back(int(number));
        number = -1;
      } else {
        refuse(name, in_file);
      }
    }
  }

 private:
  [[noreturn]] void refuse(const char* name, const std::string& value) const {
    fail(ExitCode::kBadData, file_.origin + ": " + kPrefix + name + " is '" + value + "'",
         "this program knows no such network");
  }
  const TensorFile& file_;
};

int bounded(const TensorFile& file, const std::string& name, std::int64_t min, std::int64_t max) {
  const std::int64_t value = file.integer(name);
  if (value < min || value > max) {
    fail(ExitCode::kBadData, file.origin + ": " + name + " is " + std::to_string(value),
         "allowed: " + std::to_string(min) + " to " + std::to_string(max));
  }
  return int(value);
}

[[noreturn]] void differ(const std::filesystem::path& path, const std::string& property,
                         const std::string& found, const std::string& expected) {
  fail(ExitCode::kBadData, "network " + path.string() + " has " + property + " " + found,
       "expected: " + expected);
}

std::string attribute_text(const TensorAttribute& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real);
  return std::get<std::string>(value);
}

TensorFile described(Architecture architecture) {
  TensorFile file;
  AttributeWriter writer(file);
  describe(writer, architecture.network);
  return file;
}

}  // namespace

std::string write_network(const std::filesystem::path& path, const NetworkFile& network) {
  const Architecture& a = network.architecture;
  check_weights(a, network.weights, path.string());
  TensorFile file = described(a);
  file.kind = kNetworkFiletype;
  file.attributes["game_id"] = a.game_id;
  file.attributes["planes"] = std::int64_t(a.planes);
  file.attributes["rows"] = std::int64_t(a.rows);
  file.attributes["cols"] = std::int64_t(a.cols);
  file.attributes["num_actions"] = std::int64_t(a.num_actions);
  file.attributes["run_id"] = network.run_id;
  file.attributes["iteration"] = std::int64_t(network.iteration);
  file.attributes["step"] = network.step;
  for (const TensorSpec& spec : tensor_specs(a)) {
    file.tensors[spec.name] = {spec.shape, network.weights.at(spec.name)};
  }
  return write_tensor_file(path, file);
}

NetworkFile read_network(const std::filesystem::path& path) {
  TensorFile file = read_tensor_file(path, kNetworkFiletype);
  NetworkFile network;
  Architecture& a = network.architecture;
  a.game_id = file.text("game_id");
  a.planes = bounded(file, "planes", 1, kMostPlanes);
  a.rows = bounded(file, "rows", 1, kMostSide);
  a.cols = bounded(file, "cols", 1, kMostSide);
  a.num_actions = bounded(file, "num_actions", 1, kMostActions);
  AttributeReader reader(file);
  describe(reader, a.network);
  if (a.network.kind == NetworkKind::kPlain && a.network.plain_channels.empty()) {
    fail(ExitCode::kBadData, path.string() + ": network.plain_channels is empty",
         "a plain network has a layer or more");
  }
  network.run_id = file.text("run_id");
  network.iteration = bounded(file, "iteration", 0, std::numeric_limits<int>::max());
  network.step = file.integer("step");
  network.digest = file.digest;
  for (const TensorSpec& spec : tensor_specs(a)) {
    const Tensor& tensor = file.tensor(spec.name);
    if (tensor.shape != spec.shape) {
      fail(ExitCode::kBadData, path.string() + ": tensor " + spec.name + " has another shape",
           architecture_text(a) + " needs " + std::to_string(spec.size()) + " values");
    }
  }
  for (auto& [name, tensor] : file.tensors) network.weights[name] = std::move(tensor.values);
  check_weights(a, network.weights, path.string());
  return network;
}

void expect_game(const NetworkFile& network, const std::string& game_id, const std::filesystem::path& path) {
  if (network.architecture.game_id != game_id) differ(path, "game", network.architecture.game_id, game_id);
}

void expect_architecture(const NetworkFile& network, const Architecture& expected,
                         const std::filesystem::path& path) {
  const Architecture& found = network.architecture;
  expect_game(network, expected.game_id, path);
  const auto same = [&](const std::string& property, int a, int b) {
    if (a != b) differ(path, property, std::to_string(a), std::to_string(b));
  };
  same("planes", found.planes, expected.planes);
  same("rows", found.rows, expected.rows);
  same("cols", found.cols, expected.cols);
  same("num_actions", found.num_actions, expected.num_actions);
  const TensorFile ours = described(found), theirs = described(expected);
  for (const auto& [name, value] : ours.attributes) {
    const TensorAttribute& other = theirs.attributes.at(name);
    if (value != other) differ(path, name, attribute_text(value), attribute_text(other));
  }
}

}  // namespace rf
