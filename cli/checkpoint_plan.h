#pragma once

#include "cli/campaign.h"
#include "model/layout.h"

namespace attest::cli {

// Opens the file and reads every layer once. Throws InputError naming the file and the tensor.
std::shared_ptr<model::Checkpoint> open_checkpoint(const std::string& path);

// Cells in which the claim's matrices come from the checkpoint: one a layer for claims about one attention, one for the
// whole network where a claim names every layer's weights. Nothing for claims that use none of its matrices, and no
// ablations: a checkpoint's weights are what they are. The matrices are read when the cell runs.
void add_checkpoint_cells(const claim::Claim& claim, const std::shared_ptr<model::Checkpoint>& checkpoint,
                          const std::vector<std::string>& arithmetics, const verdict::Options& engine,
                          std::vector<Task>& tasks);

}  // namespace attest::cli
