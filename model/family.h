#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/layout.h"

namespace attest::model {

// The lengths that shapes are made of.
enum class Extent { one, residual, query, key_value, hidden };

// How a tensor of the file holds a matrix of the reference semantics.
enum class Storage {
  in_by_out,  // as it is used: X W
  out_by_in,  // PyTorch's Linear: y = W x
  row,        // a bias or a gain
};

// One name of the reference semantics and where a family keeps it. Several file names are alternatives, of which the
// first that is present is read.
struct Entry {
  std::string name;
  std::vector<std::string> suffixes;  // after "PREFIXlayer.I."
  Storage storage = Storage::in_by_out;
  Extent rows = Extent::one;
  Extent cols = Extent::one;
  bool optional = false;
  int part = 0;  // this matrix is the part-th (from 0) of `parts` equal blocks of output columns
  int parts = 1;
};

struct FamilyDescription {
  Family family;
  std::string name;                 // for messages: "BERT"
  std::string layer_prefix;         // "encoder.layer."
  std::string marker;               // the suffix that every layer of this family has, and no other family
  std::string heads_key;            // in config.json
  std::string key_value_heads_key;  // empty: as many as heads
  std::string head_width_key;       // empty: d / h
  std::string activation_key;
  std::string hidden_name;  // the entry whose columns count the hidden units
  std::vector<Entry> entries;
};

const std::vector<FamilyDescription>& families();
const FamilyDescription& describe(Family family);

}  // namespace attest::model
