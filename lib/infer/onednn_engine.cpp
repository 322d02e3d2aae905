#include "infer/onednn_engine.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace rf::onednn {
namespace {

// Fewer planes have no brgemm kernel in bf16 (a third slower).
constexpr int kFewestBf16Planes = 8;

memory::desc vector_of(int size) {
  return {{size}, DataType::f32, Layout::x};
}

memory zeros(const memory::desc& desc, const dnnl::engine& engine) {
  memory tensor(desc, engine);
  std::memset(tensor.get_data_handle(), 0, desc.get_size());
  return tensor;
}

}  // namespace

PackedNetwork::PackedNetwork(FoldedNetwork network, DataType data, int most_rows)
    : network_(std::move(network)), data_(data), most_rows_(most_rows) {
  const Architecture& a = architecture();
  int channels = 1;
  for (const ConvSpec& conv : tower_convs(a)) channels = std::max(channels, conv.out);
  rooms_[Room::kTrunk] = zeros(describe(channels, data, most_rows), engine_);
  rooms_[Room::kInside] = zeros(describe(channels, data, most_rows), engine_);
  if (data == DataType::bf16) {
    rooms_[Room::kPlanes] = zeros(describe(std::max(a.planes, kFewestBf16Planes), data, most_rows), engine_);
  }
}

memory PackedNetwork::activations(Room room, int channels, int rows) {
  RF_ASSERT(rows <= most_rows_);
  return {describe(channels, data_, rows), engine_, rooms_.at(room).get_data_handle()};
}

memory::desc PackedNetwork::describe(int channels, DataType data, int rows) const {
  return {{rows, channels, architecture().rows, architecture().cols}, data, Layout::nhwc};
}

memory PackedNetwork::packed(const std::string& name, const memory::desc& plain, const memory::desc& wanted) {
  std::vector<memory>& known = packed_[name];
  for (const memory& form : known) {
    if (form.get_desc() == wanted) return form;
  }
  memory source(plain, engine_, network_.weights.at(name).data());
  if (dims_of(plain) != dims_of(wanted)) {
    memory padded = zeros({dims_of(wanted), DataType::f32, Layout::oihw}, engine_);
    memory part(padded.get_desc().submemory_desc(dims_of(plain), memory::dims(dims_of(plain).size(), 0)),
                engine_, padded.get_data_handle());
    dnnl::reorder(source, part).execute(stream_, source, part);
    source = padded;
  }
  memory form(wanted, engine_);
  dnnl::reorder(source, form).execute(stream_, source, form);
  stream_.wait();
  known.push_back(form);
  return form;
}

Engine::Engine(PackedNetwork& network, int rows) : network_(network), rows_(rows) {
  const Architecture& a = network.architecture();
  const std::vector<ConvSpec> tower = tower_convs(a), heads = head_convs(a);
  try {
    memory x = take_planes();
    for (std::size_t i = 0; i < tower.size(); ++i) {
      // Residual: stem and the ends of blocks go to the trunk, where a block's input is waiting to be added
      // to.
      const auto room = i % 2 == 0 ? PackedNetwork::Room::kTrunk : PackedNetwork::Room::kInside;
      const memory output = network.activations(room, tower[i].out, rows);
      add_convolution(x, tower[i], output, a.network.kind == NetworkKind::kResidual && i > 0 && i % 2 == 0);
      x = output;
    }
    policy_ = head(x, heads[0]);
    value_ = head(x, heads[1]);
    finish();
  } catch (const dnnl::error& error) {
    fail(ExitCode::kInternal, "oneDNN cannot build the network", error.what());
  }
}

memory Engine::take_planes() {
  const int planes = network_.architecture().planes;
  planes_ = memory(network_.describe(planes, DataType::f32, rows_), network_.engine(), nullptr);
  if (network_.data() == DataType::f32) return planes_;
  const memory padded =
      network_.activations(PackedNetwork::Room::kPlanes, std::max(planes, kFewestBf16Planes), rows_);
  const memory part(padded.get_desc().submemory_desc(dims_of(planes_.get_desc()), {0, 0, 0, 0}),
                    network_.engine(), padded.get_data_handle());
  const dnnl::reorder::primitive_desc description(planes_, part);
  kernels_.push_back(std::string("planes ") + description.impl_info_str());
  scratchpads_.push_back({});
  steps_.push_back({dnnl::reorder(description), {{DNNL_ARG_FROM, planes_}, {DNNL_ARG_TO, part}}, {}});
  return padded;
}

memory Engine::head(const memory& source, const ConvSpec& conv) {
  const memory output(network_.describe(conv.out, DataType::f32, rows_), network_.engine(), nullptr);
  add_convolution(source, conv, output, false);
  return output;
}

void Engine::add_convolution(const memory& source, const ConvSpec& conv, const memory& output,
                             bool add_to_output) {
  const memory::dims plain = {conv.out, conv.in, conv.kernel, conv.kernel};
  const memory::dims used = {conv.out, dims_of(source.get_desc())[1], conv.kernel, conv.kernel};
  const auto description = describe_convolution(
      network_.engine(), source.get_desc(), {used, network_.data(), Layout::any}, vector_of(conv.out),
      output.get_desc(), conv.kernel / 2,
      make_attributes({add_to_output, true, network_.architecture().network.activation}));
  const std::string kernel = description.impl_info_str();
  kernels_.push_back(conv.name + " " + kernel);
  if (kernel.find("ref") != std::string::npos) {
    fail(ExitCode::kInternal, "oneDNN has only a slow reference kernel for " + conv.name, kernel);
  }
  scratchpads_.push_back(description.scratchpad_desc());
  steps_.push_back(
      {dnnl::convolution_forward(description),
       {{DNNL_ARG_SRC, source},
        {DNNL_ARG_WEIGHTS, network_.packed(conv.name + ".weight", {plain, DataType::f32, Layout::oihw},
                                           description.weights_desc())},
        {DNNL_ARG_BIAS, network_.packed(conv.name + ".bias", vector_of(conv.out), description.bias_desc())},
        {DNNL_ARG_DST, output}},
       {}});
}

void Engine::finish() {
  std::size_t size = 0;
  for (const memory::desc& scratchpad : scratchpads_) size = std::max(size, scratchpad.get_size());
  scratchpad_ =
      memory({{memory::dim(std::max<std::size_t>(size, 1))}, DataType::u8, Layout::x}, network_.engine());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    if (scratchpads_[i].get_size() > 0) {
      step.arguments.emplace_back(DNNL_ARG_SCRATCHPAD,
                                  memory(scratchpads_[i], network_.engine(), scratchpad_.get_data_handle()));
    }
    for (const auto& [argument, tensor] : step.arguments)
      step.plain_arguments.push_back({argument, tensor.get()});
  }
}

void Engine::run(const float* planes, float* policy, float* value) {
  planes_.set_data_handle(const_cast<float*>(planes));
  policy_.set_data_handle(policy);
  value_.set_data_handle(value);
  for (const Step& step : steps_) {
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(step.primitive.get(), network_.stream().get(),
                               int(step.plain_arguments.size()), step.plain_arguments.data()),
        "a primitive failed");
  }
  network_.stream().wait();
}

}  // namespace rf::onednn
