#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include "core/certificate/certificate.h"
#include "core/support/error.h"
#include "core/support/files.h"
#include "core/support/text.h"
#include "property_tests/core/certificate/tamper.h"
#include "property_tests/support/skip.h"
#include "property_tests/tools/certificates.h"
#include "reparam/claims.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

const claim::Registry& registry() {
  static const claim::Registry all = [] {
    claim::Registry claims;
    reparam::register_claims(claims);
    return claims;
  }();
  return all;
}

const test::RandomCertificates& certificates() {
  static const test::RandomCertificates all = test::random_certificates(registry());
  return all;
}

bool has_python() { return std::system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'") == 0; }

// A folder of its own that goes away with the object.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("attest_replay_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& text) {
    const std::string path = (path_ / (std::to_string(count_++) + ".json")).string();
    write_file(path, text);
    return path;
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
  int count_ = 0;
};

struct Run {
  int exit_code = -1;
  std::string output;
};

Run run(const std::string& arguments) {
  const std::string command = "python3 -B '" ATTEST_SOURCE_DIR "/tools/replay.py' " + arguments + " 2>&1";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), nullptr);
  REQUIRE(pipe != nullptr);
  Run result;
  std::array<char, 4096> buffer{};
  for (std::size_t count = 0; (count = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;)
    result.output.append(buffer.data(), count);
  result.exit_code = WEXITSTATUS(pclose(pipe.release()));
  return result;
}

// The last word on each of the files: "agrees", "differs: ...", "unreadable: ...".
std::map<std::string, std::string> verdicts(const Folder& folder) {
  std::map<std::string, std::string> last;
  for (const auto& line : split(run(folder.path() + "/*.json").output, '\n')) {
    const auto colon = line.find(".json: ");
    if (colon != std::string::npos) last[line.substr(0, colon + 5)] = line.substr(colon + 7);
  }
  return last;
}

bool replay_agrees(const std::string& file) {
  try {
    return certificate::replay(certificate::parse_certificate(file), registry()).agrees;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("every side of a reparam claim that can be refuted has a certificate that replay confirms", "[tools]") {
  CHECK(certificates().without.empty());
  for (const auto& side : certificates().without) WARN("no certificate: " << side);
  CHECK(certificates().sides >= 36);
  for (const auto& made : certificates().made) {
    const auto result = certificate::replay(certificate::parse_certificate(certificate::to_json(made)), registry());
    INFO(made.claim << " " << made.side << ": " << result.disagreement);
    CHECK(result.agrees);
  }
}

TEST_CASE("replay.py recomputes the same texts from its own statements and arithmetic", "[tools]") {
  if (!has_python()) ATTEST_SKIP("no python3");
  Folder folder;
  std::map<std::string, std::string> names;
  for (const auto& made : certificates().made)
    names[folder.write(certificate::to_json(made))] = made.claim + " " + made.side + " " + made.arithmetic;
  const auto last = verdicts(folder);
  CHECK(last.size() == names.size());
  std::map<std::string, int> arithmetics;
  for (const auto& [path, verdict] : last) {
    INFO(names.at(path));
    CHECK(verdict == "agrees");
    ++arithmetics[names.at(path).substr(names.at(path).rfind(' ') + 1)];
  }
  std::cout << "  certificates confirmed by replay.py: " << arithmetics["rational"] << " rational, "
            << arithmetics["ball"] << " ball\n";
  CHECK(arithmetics["rational"] >= 20);
  CHECK(arithmetics["ball"] >= 20);
}

TEST_CASE("replay.py accepts exactly the edited certificates that replay accepts", "[tools]") {
  if (!has_python()) ATTEST_SKIP("no python3");
  Folder folder;
  std::map<std::string, std::pair<bool, std::string>> expected;
  int edit_number = 0;
  std::set<std::string> sides_done;
  for (const auto& made : certificates().made) {
    if (!sides_done.insert(made.claim + made.side).second) continue;  // the smallest size of each side
    for (const bool sealed : {false, true})
      for (const auto& edit : test::tampered(certificate::to_json(made), sealed)) {
        if (++edit_number % 11 != 0) continue;
        const bool agrees = replay_agrees(edit.text);
        INFO(made.claim << " " << made.side << " " << edit.what << (sealed ? ", sealed" : ""));
        CHECK((!agrees || (sealed && (edit.instance || edit.size || edit.minimal))));
        expected[folder.write(edit.text)] = {agrees, made.claim + " " + made.side + " " + edit.what};
      }
  }
  const auto last = verdicts(folder);
  CHECK(last.size() == expected.size());
  int rejected = 0, by_recomputation = 0;
  for (const auto& [path, verdict] : last) {
    INFO(expected.at(path).second << " -> replay.py: " << verdict);
    CHECK((verdict == "agrees") == expected.at(path).first);
    rejected += verdict == "agrees" ? 0 : 1;
    by_recomputation += verdict.rfind("differs: ", 0) == 0 && verdict.find("checksum") == std::string::npos ? 1 : 0;
  }
  std::cout << "  edits rejected by both: " << rejected << ", " << by_recomputation << " of them by recomputation\n";
  CHECK(rejected > 1000);
  CHECK(by_recomputation > 200);
}

TEST_CASE("replay.py tells agreement, difference and unreadable files apart by its exit code", "[tools]") {
  if (!has_python()) ATTEST_SKIP("no python3");
  Folder folder;
  const std::string good = certificate::to_json(certificates().made.front());
  certificate::Certificate other = certificates().made.front();
  other.differences.front().expected += "1";
  certificate::Certificate unknown = certificates().made.front();
  unknown.claim = "reparam.nothing";
  const std::string good_path = folder.write(good), other_path = folder.write(certificate::to_json(other));
  CHECK(run(good_path).exit_code == 0);
  CHECK(run(good_path + " " + good_path).exit_code == 0);
  CHECK(run(other_path).exit_code == 1);
  CHECK(run(good_path + " " + other_path).exit_code == 1);
  CHECK(run(folder.write("{}")).exit_code == 3);
  CHECK(run(folder.write(good.substr(0, good.size() / 2))).exit_code == 3);
  CHECK(run(folder.write(certificate::to_json(unknown))).exit_code == 3);
  CHECK(run(folder.path() + "/missing.json").exit_code == 3);
  CHECK(run("").exit_code == 3);
}

}  // namespace attest
