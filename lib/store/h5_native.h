// Private to this folder: HDF5's names for our element types.
#pragma once

#include <hdf5.h>

#include <cstddef>

#include "store/h5.h"

namespace rf {

inline std::size_t h5_size(H5Type type, std::size_t text_bytes) {
  switch (type) {
    case H5Type::kI8:
    case H5Type::kU8:
      return 1;
    case H5Type::kI16:
      return 2;
    case H5Type::kI32:
    case H5Type::kF32:
      return 4;
    case H5Type::kI64:
    case H5Type::kU64:
      return 8;
    case H5Type::kText:
      return text_bytes;
  }
  return 0;
}

// A new identifier; the caller owns it. In the file all numbers are little-endian, in memory native.
inline H5Handle h5_datatype(H5Type type, std::size_t text_bytes, bool in_file) {
  const auto number = [&](hid_t file, hid_t memory) {
    return H5Handle(H5Tcopy(in_file ? file : memory), H5Tclose, "cannot make an HDF5 type");
  };
  switch (type) {
    case H5Type::kI8:
      return number(H5T_STD_I8LE, H5T_NATIVE_INT8);
    case H5Type::kI16:
      return number(H5T_STD_I16LE, H5T_NATIVE_INT16);
    case H5Type::kI32:
      return number(H5T_STD_I32LE, H5T_NATIVE_INT32);
    case H5Type::kI64:
      return number(H5T_STD_I64LE, H5T_NATIVE_INT64);
    case H5Type::kU8:
      return number(H5T_STD_U8LE, H5T_NATIVE_UINT8);
    case H5Type::kU64:
      return number(H5T_STD_U64LE, H5T_NATIVE_UINT64);
    case H5Type::kF32:
      return number(H5T_IEEE_F32LE, H5T_NATIVE_FLOAT);
    case H5Type::kText:
      break;
  }
  H5Handle text = number(H5T_C_S1, H5T_C_S1);
  h5_check(H5Tset_size(text.id(), text_bytes), "cannot make an HDF5 type");
  h5_check(H5Tset_strpad(text.id(), H5T_STR_NULLPAD), "cannot make an HDF5 type");
  h5_check(H5Tset_cset(text.id(), H5T_CSET_UTF8), "cannot make an HDF5 type");
  return text;
}

}  // namespace rf
