#pragma once

#include <string>
#include <vector>

namespace attest::test {

// A certificate's file with one thing edited.
struct Tampered {
  std::string what;       // "differences[0].expected: digit 3"
  std::string text;       // the file
  bool instance = false;  // the edit is in a matrix of the instance
  bool size = false;      // the edit is a count of the size
  bool minimal = false;   // one valid word for `minimal` instead of another
};

// Every single edit of a certificate: each number, digit of an enclosure, label, id, side, count, word changed; each
// part of a list or of the instance removed, doubled or exchanged with the next. sealed: with a checksum that is right
// for the edited content, so that only recomputation can find the edit; else the checksum stays as it was.
std::vector<Tampered> tampered(const std::string& file, bool sealed);

}  // namespace attest::test
