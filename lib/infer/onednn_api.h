// oneDNN 2 and 3 behind one face: what differs between their C++ interfaces is here and nowhere else.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <string>

#include "net/config.h"

namespace rf::onednn {

using dnnl::memory;
using DataType = memory::data_type;
using Layout = memory::format_tag;

struct LayerAttributes {
  bool add_to_output = false;  // the layer's result is added to what is in its output
  bool activate = false;       // and then goes through the activation
  Activation activation = Activation::kRelu;
};

// Scratch memory is the caller's.
dnnl::primitive_attr make_attributes(const LayerAttributes& layer);

// Stride 1, padding that keeps the board's size.
dnnl::convolution_forward::primitive_desc describe_convolution(const dnnl::engine& engine,
                                                               const memory::desc& source,
                                                               const memory::desc& weights,
                                                               const memory::desc& bias,
                                                               const memory::desc& output, int padding,
                                                               const dnnl::primitive_attr& attributes);
// [M, K] x [N, K] -> [M, N].
dnnl::inner_product_forward::primitive_desc describe_product(const dnnl::engine& engine,
                                                             const memory::desc& source,
                                                             const memory::desc& weights,
                                                             const memory::desc& output);

memory::dims dims_of(const memory::desc& desc);
std::string library_version();  // "2.6.3", of the library that was loaded
std::string processor_name();   // the instruction set that it uses: "avx512_core_amx"
bool has_bf16();                // does the processor multiply bf16, as far as the library may use it?
// Is bf16 faster than f32? With AMX (6 times for small networks on a Xeon) and with AVX-512 BF16 of AMD (1.9
// times on a Zen 4); not with that of the Xeon alone (0.7 times). By what the processor is, so that the ranks
// of a job agree.
bool bf16_is_faster();
// Primitives run on the calling thread alone.
void use_one_thread();

}  // namespace rf::onednn
