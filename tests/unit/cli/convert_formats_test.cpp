// overlane convert into the formats of other programs: the verdict that the JSON keeps, the tables, and what it says.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/tables/table_list.h"
#include "tests/support/expect_text.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kConvertedTraces = OVERLANE_SOURCE_DIR "/tests/data/traces/";
const std::string kRecordedCopies = kConvertedTraces + "programs/actoff_page.overlane";

// Recorded by every profiler that is read: with CUDA graphs, several GPUs and processes, JAX, ROCm, TensorFlow 1.
std::vector<std::string> convertedFiles()
{
    std::vector<std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(OVERLANE_SOURCE_DIR "/resources/samples"))
        if (entry.path().extension() == ".overlane")
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    for (const char* name :
         {"programs/actoff_page.overlane", "programs/graphs_page.overlane", "programs/jax_dev.overlane",
          "programs/numba_page.overlane", "nsys/nsys_h100_2gpu.sqlite", "h200/w8_pin_nb_side_d16.pt.trace.json.gz",
          "kineto/hta_alexnet.json.gz", "kineto/hta_mi250_minitoy_rocm6.2.json.gz",
          "kineto/kittibox_tf1_timeline.json.gz", "kineto/dlrm_4rank/worker0_step_12.1694128201545.pt.trace.json.gz"})
        files.push_back(kConvertedTraces + name);
    return files;
}

// All that is said of a trace, but for the name of the file and the example of a name that shows the framework, which
// is the first of several.
Json saidOf(const std::string& file)
{
    const test::Outcome info = test::call({"info", "--json", file});
    EXPECT_EQ(info.code, kExitOk) << file << info.err;
    Json json = Json::parse(info.out, nullptr, false);
    json.erase("file");
    if (json.contains("program") && json["program"].is_object())
        json["program"].erase("evidence");
    return json;
}

TEST(ConvertToJson, KeepsEveryFigureOfTheVerdict)
{
    const test::TempDir folder;
    ASSERT_GE(convertedFiles().size(), 16u);
    for (const std::string& file : convertedFiles()) {
        const std::string out = folder.path(file.size() % 2 == 0 ? "out.json" : "out.json.gz");
        const test::Outcome converted = test::call({"convert", file, out});
        ASSERT_EQ(converted.code, kExitOk) << converted.err;
        const Json before = saidOf(file);
        ASSERT_TRUE(before.contains("verdict")) << file;
        EXPECT_EQ(saidOf(out), before) << file << "\n" << Json::diff(before, saidOf(out)).dump(1).substr(0, 2000);
    }
}

TEST(ConvertToJson, SaysWhatItLeavesOut)
{
    const test::TempDir folder;
    const auto said = [&](const char* name) {
        const test::Outcome converted = test::call({"convert", kRecordedCopies, folder.path(name)});
        EXPECT_EQ(converted.code, kExitOk) << converted.err;
        return converted.out.substr(converted.out.find('\n') + 1);
    };
    test::expectText(said("out.json"));
    test::expectNarrow(said("out.json"));
    test::expectText(said("out.overlane"));
}

TEST(ConvertToCsv, WritesTheTableThatPythonHas)
{
    const test::Outcome table = test::call({"convert", "--table", "copies", kRecordedCopies, "-"});
    ASSERT_EQ(table.code, kExitOk) << table.err;
    EXPECT_THAT(table.out, StartsWith("event,start_ns,duration_ns,name,direction,device,stream,iteration,bytes,source,"
                                      "destination,call_kind,role,cause,hidden_ns,call\n"));
    const Json info = Json::parse(test::call({"info", "--json", kRecordedCopies}).out);
    const std::int64_t copies = info["devices"][0]["h2d"].get<std::int64_t>();
    std::int64_t rows = 0;
    for (std::size_t at = table.out.find(",h2d,"); at != std::string::npos; at = table.out.find(",h2d,", at + 1))
        ++rows;
    EXPECT_EQ(rows, copies);
    const test::TempDir folder;
    const test::Outcome file = test::call({"convert", "--table", "copies", kRecordedCopies, folder.path("copies.csv")});
    EXPECT_EQ(file.code, kExitOk) << file.err;
    EXPECT_THAT(file.out, HasSubstr(folder.path("copies.csv")));
    std::string lines = test::readFile(folder.path("copies.csv"));
    EXPECT_EQ(std::erase(lines, '\r'), std::count(table.out.begin(), table.out.end(), '\n'));
    EXPECT_EQ(lines, table.out);
}

TEST(ConvertToSqlite, WritesEveryTable)
{
    const test::TempDir folder;
    const std::string out = folder.path("out.sqlite");
    const test::Outcome converted = test::call({"convert", kRecordedCopies, out});
    ASSERT_EQ(converted.code, kExitOk) << converted.err;
    const std::string bytes = test::readFile(out);
    for (const TableKind& table : allTables())
        EXPECT_THAT(bytes, HasSubstr("CREATE TABLE \"" + std::string(table.name) + "\" (")) << table.name;
    EXPECT_THAT(bytes, HasSubstr("CREATE INDEX \"iterations_by_start_ns\""));
    test::expectFailure(test::call({"info", out}), kExitFailed, out);
    ASSERT_EQ(test::call({"convert", "--table", "idle", kRecordedCopies, folder.path("one.db")}).code, kExitOk);
    EXPECT_THAT(test::readFile(folder.path("one.db")), testing::Not(HasSubstr("CREATE TABLE \"copies\"")));
}

TEST(Convert, NamesWhatCanBeWritten)
{
    const test::TempDir folder;
    const auto refused = [&](std::vector<std::string> arguments, const std::string& part) {
        arguments.insert(arguments.begin(), "convert");
        test::expectFailure(test::call(arguments), kExitUsage, part);
    };
    refused({kRecordedCopies, folder.path("out.parquet")},
            ".overlane, .json, .json.gz, .sqlite, .sqlite3, .db, .csv, .csv.gz");
    refused({kRecordedCopies, folder.path("out.csv")}, "choose it with --table: copies, kernels,");
    refused({"--table", "copys", kRecordedCopies, "-"}, "did you mean 'copies'?");
    refused({"--table", "copies", kRecordedCopies, folder.path("out.json")}, "takes the whole trace");
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Convert, SaysWhereAFileCannotBeMade)
{
    for (const char* name : {"/nowhere/out.json", "/nowhere/out.sqlite"})
        test::expectFailure(test::call({"convert", kRecordedCopies, name}), kExitFailed, name);
    test::expectFailure(test::call({"convert", "--table", "idle", kRecordedCopies, "/nowhere/out.csv"}), kExitFailed,
                        "/nowhere/out.csv");
}

}  // namespace
}  // namespace overlane
