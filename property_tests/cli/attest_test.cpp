// The command as its users run it: exit codes, what goes to stdout and stderr, files.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "property_tests/cli/run.h"

using namespace attest;
using Catch::Matchers::Contains;
using test::Folder;
using test::Ran;
using test::run;

TEST_CASE("usage errors exit with 3 and say what is wrong", "[cli]") {
  CHECK(run("").code == 3);
  CHECK(run("chek").code == 3);
  CHECK(run("check --jobs 0").code == 3);
  CHECK_THAT(run("check reparam.telescop").errors, Contains("did you mean reparam.telescope"));
  CHECK(run("check reparam.telescop").code == 3);
  CHECK_THAT(run("check reparam.lemma --size big").errors, Contains("unknown size 'big'"));
  CHECK_THAT(run("check reparam.lemma --arith real").errors, Contains("unknown arithmetic 'real'"));
  CHECK_THAT(run("refute reparam.lemma").errors, Contains("invertible"));
  CHECK_THAT(run("refute reparam.lemma --without invertable").errors, Contains("did you mean invertible"));
  CHECK_THAT(run("check reparam.lemma --json /nowhere/at/all.json").errors, Contains("cannot write"));
  CHECK(run("check reparam.lemma --json /tmp").code == 3);
  CHECK(run("refute reparam.lemma --without invertible --certificate /nowhere/c.json").code == 3);
  CHECK_THAT(run("check reparam.lemma --arith field --prime 4").errors, Contains("4"));
  CHECK(run("check reparam.lemma --arith field --prime 4").code == 3);
  CHECK(run("check reparam.lemma --arith field --prime -5").code == 3);
  CHECK(run("check reparam.lemma --arith field --prime 1009 --jobs 1000000").code == 2);
  CHECK_THAT(run("check reparam.lemma --weights /nowhere.safetensors").errors, Contains("/nowhere.safetensors"));
  CHECK(run("check reparam.lemma --weights /nowhere.safetensors").code == 3);
}

TEST_CASE("every verb has help with an example", "[cli]") {
  for (const char* verb : {"list", "check", "refute", "explain", "replay"}) {
    const Ran help = run(std::string(verb) + " --help");
    CHECK(help.code == 0);
    CHECK_THAT(help.output, Contains("Example: attest " + std::string(verb)));
  }
}

TEST_CASE("list --json is an array of claims with what is expected of them", "[cli]") {
  const Ran listed = run("list --json");
  REQUIRE(listed.code == 0);
  const auto claims = nlohmann::json::parse(listed.output);
  REQUIRE(claims.is_array());
  REQUIRE(claims.size() > 20);
  for (const auto& claim : claims) {
    for (const char* key : {"id", "kind", "source", "hypotheses", "expected"}) CHECK(claim.contains(key));
    CHECK(claim["expected"].contains("claim"));
  }
}

TEST_CASE("check with --json - prints the record alone, and expected verdicts exit with 0", "[cli]") {
  const Ran checked = run("check reparam.lemma --json -");
  CHECK(checked.code == 0);
  const auto record = nlohmann::json::parse(checked.output);
  CHECK(record["schema"] == "attest.report/1");
  CHECK(record["summary"]["unexpected"] == 0);
}

TEST_CASE("the record does not depend on the number of threads", "[cli]") {
  const auto record = [](const std::string& jobs) {
    auto json = nlohmann::json::parse(run("check reparam.lemma reparam.merge_qk --json - --jobs " + jobs).output);
    json.erase("environment");
    for (auto& result : json["results"]) result.erase("measured");
    return json;
  };
  CHECK(record("1") == record("3"));
}

TEST_CASE("a refutation's certificate replays, and an edited one does not", "[cli]") {
  const Folder folder;
  const std::string file = folder.file("certificate.json");
  CHECK(run("refute reparam.telescope --without one_skip_missing --certificate " + file).code == 0);
  CHECK(run("replay " + file).code == 0);
  std::string text = read_file(file);
  const auto at = text.find("\"expected\":\"");
  REQUIRE(at != std::string::npos);
  text.insert(at + 12, "1");
  write_file(file, text);
  const int code = run("replay " + file).code;
  CHECK((code == 1 || code == 3));
  write_file(file, "{");
  CHECK(run("replay " + file).code == 3);
}

TEST_CASE("all four reports are written from one run", "[cli]") {
  const Folder folder;
  const Ran checked =
      run("check reparam.merge_qk --arith field,rational --json " + folder.file("r.json") + " --html " +
          folder.file("html") + " --markdown " + folder.file("r.md") + " --junit " + folder.file("r.xml"));
  CHECK(checked.code == 0);
  for (const char* name : {"r.json", "html/index.html", "r.md", "r.xml"})
    CHECK(std::filesystem::file_size(folder.file(name)) > 200);
}

TEST_CASE("Ctrl-C ends a run with the partial record written", "[cli]") {
  const Folder folder;
  const std::string command = "timeout --foreground --signal=INT 2 " + std::string(ATTEST_BINARY) +
                              " check reparam.telescope --size kmg-1.2b --jobs 1 --arith field,rational --json " +
                              folder.file("r.json") + " >" + folder.file("out") + " 2>" + folder.file("err");
  const int status = std::system(command.c_str());
  // --foreground: otherwise timeout signals the process group as well, and a second signal ends the command at once.
  // timeout reports 124 when it had to stop the command, whatever the command's own code was.
  CHECK(WEXITSTATUS(status) == 124);
  const auto record = nlohmann::json::parse(read_file(folder.file("r.json")));
  CHECK(record["interrupted"] == true);
  CHECK_THAT(read_file(folder.file("err")), Contains("interrupted"));
  const int preserved = std::system(("timeout --preserve-status" + command.substr(7)).c_str());
  CHECK(WEXITSTATUS(preserved) == 130);
}
