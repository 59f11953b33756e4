#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/rational.h"
#include "model/data_type.h"

namespace attest::model {

// An array file: its header, and its values as a matrix (rank 1: 1 x n, rank 0: 1 x 1).
struct NpyArray {
  DataType type = DataType::float64;  // F16, F32 or F64
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  DoubleMatrix values;
};

// Parses a whole .npy image, versions 1.0 and 2.0, little-endian f2, f4, f8, C or Fortran order, rank at most 2. Values
// are exact. Throws InputError naming the file, the field, its value and what was expected, or the position of a
// NaN or an infinity.
NpyArray parse_npy(const std::string& file_name, std::string_view image);
NpyArray read_npy(const std::string& path);

struct NpyOptions {
  DataType type = DataType::float64;
  bool fortran_order = false;
  bool as_row = false;    // a 1 x n matrix as a rank-1 array
  int major_version = 1;  // 1 or 2
};

// The file image; values are rounded to nearest even in the type. Throws InputError naming the position and the value
// where one is not finite or overflows the type.
std::string encode_npy(const DoubleMatrix& values, const NpyOptions& options = {});
// The same into a file: the whole file or nothing.
void write_npy(const std::string& path, const DoubleMatrix& values, const NpyOptions& options = {});

}  // namespace attest::model
