#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/claim/claim.h"

namespace attest::cli {

// Exit codes (docs/verdicts.md): 0 as declared, 1 a definite verdict that is not, 2 undecided, 3 usage or input,
// 4 internal error, 130 interrupted.
enum ExitCode {
  as_declared = 0,
  against_declaration = 1,
  not_decided = 2,
  bad_input = 3,
  internal = 4,
  interrupted = 130
};

// Every chapter's claims.
claim::Registry all_claims();

struct ListOptions {
  bool json = false;
};
int list(const ListOptions& options);

struct CheckOptions {
  std::vector<std::string> claims;       // ids or chapters; empty: all
  std::vector<std::string> arithmetics;  // empty: all
  std::vector<std::string> sizes;        // empty: tiny; "all": tiny and every size the claim names
  std::int64_t trials = 0;
  std::uint64_t seed = 1;
  std::uint64_t prime = 0;
  std::int64_t jobs = 0;  // 0: one a core
  std::string weights;    // a checkpoint
  std::string json, html, markdown, junit;
  std::vector<std::string> allow_undecided;
  bool no_search = false;              // skip the search for smallest counterexamples
  std::vector<std::string> arguments;  // as typed, for the record
};
int check(const CheckOptions& options);

struct RefuteOptions {
  std::string claim;
  std::string without;
  std::uint64_t seed = 1;
  std::int64_t budget = 0;
  std::string json;         // the record
  std::string certificate;  // the certificate alone
  std::vector<std::string> arguments;
};
int refute(const RefuteOptions& options);

struct ExplainOptions {
  std::string claim;
};
int explain(const ExplainOptions& options);

struct ReplayOptions {
  std::vector<std::string> files;
};
int replay(const ReplayOptions& options);

}  // namespace attest::cli
