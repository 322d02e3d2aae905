#include "infer/onednn_api.h"

#include <dlfcn.h>

namespace rf::onednn {
namespace {

constexpr auto kInference = dnnl::prop_kind::forward_inference;

bool includes(dnnl::cpu_isa what) {
  // Each set of instructions has the bits of those that it contains.
  const auto have = unsigned(dnnl::get_effective_cpu_isa()), want = unsigned(what);
  return (have & want) == want;
}

}  // namespace

dnnl::primitive_attr make_attributes(const LayerAttributes& layer) {
  dnnl::post_ops after;
  if (layer.add_to_output) after.append_sum(1.f);
  if (layer.activate) {
    const bool elu = layer.activation == Activation::kElu;
    const auto function = elu ? dnnl::algorithm::eltwise_elu : dnnl::algorithm::eltwise_relu;
    const float alpha = elu ? 1.f : 0.f;
#if DNNL_VERSION_MAJOR >= 3
    after.append_eltwise(function, alpha, 0.f);
#else
    after.append_eltwise(1.f, function, alpha, 0.f);
#endif
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

dnnl::convolution_forward::primitive_desc describe_convolution(const dnnl::engine& engine,
                                                               const memory::desc& source,
                                                               const memory::desc& weights,
                                                               const memory::desc& bias,
                                                               const memory::desc& output, int padding,
                                                               const dnnl::primitive_attr& attributes) {
  const memory::dims strides = {1, 1}, pads = {padding, padding};
  constexpr auto direct = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  return {engine, kInference, direct, source, weights, bias, output, strides, pads, pads, attributes};
#else
  return {{kInference, direct, source, weights, bias, output, strides, pads, pads}, attributes, engine};
#endif
}

dnnl::inner_product_forward::primitive_desc describe_product(const dnnl::engine& engine,
                                                             const memory::desc& source,
                                                             const memory::desc& weights,
                                                             const memory::desc& output) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine, kInference, source, weights, output};
#else
  return {{kInference, source, weights, output}, engine};
#endif
}

memory::dims dims_of(const memory::desc& desc) {
#if DNNL_VERSION_MAJOR >= 3
  return desc.get_dims();
#else
  return desc.dims();
#endif
}

std::string library_version() {
  const dnnl_version_t* version = dnnl_version();
  return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->patch);
}

std::string processor_name() {
  const struct {
    dnnl::cpu_isa isa;
    const char* name;
  } known[] = {{dnnl::cpu_isa::avx512_core_amx, "avx512_core_amx"},
               {dnnl::cpu_isa::avx512_core_bf16, "avx512_core_bf16"},
               {dnnl::cpu_isa::avx512_core_vnni, "avx512_core_vnni"},
               {dnnl::cpu_isa::avx512_core, "avx512_core"},
               {dnnl::cpu_isa::avx2, "avx2"},
               {dnnl::cpu_isa::avx, "avx"}};
  for (const auto& [isa, name] : known) {
    if (includes(isa)) return name;
  }
  return "sse41";
}

bool has_bf16() {
  return includes(dnnl::cpu_isa::avx512_core_bf16);
}

bool bf16_is_faster() {
  return includes(dnnl::cpu_isa::avx512_core_amx) || (has_bf16() && __builtin_cpu_is("amd"));
}

void use_one_thread() {
  // The library may be built with OpenMP or with threads of its own; Debian's is with OpenMP.
  if (void* set_threads = dlsym(RTLD_DEFAULT, "omp_set_num_threads")) {
    reinterpret_cast<void (*)(int)>(set_threads)(1);
  }
}

}  // namespace rf::onednn
