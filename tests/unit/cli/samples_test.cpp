// The recordings that come with Overlane: small, readable, with something to see in each, and nothing in
// them of the machine they were made on beyond its kind.
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/cli/cli.h"
#include "core/io/format.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uintmax_t kMostBytes = 300u << 10;
constexpr std::uintmax_t kMostBytesOfAll = 2560u << 10;

std::vector<fs::path> sampleFiles()
{
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(OVERLANE_SOURCE_DIR "/resources/samples"))
        if (entry.path().extension() == ".overlane")
            files.push_back(entry.path());
    return files;
}

Json info(const fs::path& file)
{
    std::ostringstream out, err;
    EXPECT_EQ(runCli({"info", "--json", file.string()}, out, err), kExitOk) << file << ": " << err.str();
    return Json::parse(out.str(), nullptr, false);
}

TEST(Samples, InfoFindsCopiesAndKernelsInEach)
{
    EXPECT_GE(sampleFiles().size(), 6u);
    for (const fs::path& file : sampleFiles()) {
        const Json report = info(file);
        ASSERT_TRUE(report.is_object()) << file;
        const bool twoGpus = file.stem() == "two_gpus";
        EXPECT_EQ(report["devices"].size(), twoGpus ? 2u : 1u) << file;
        for (const Json& device : report["devices"]) {
            EXPECT_GT(device["kernels"], 50) << file;
            EXPECT_GE(device["h2d"], 20) << file;
        }
    }
}

// What the menu says of them.
TEST(Samples, CopiesHideWhereTheyAreSaidToHide)
{
    const fs::path folder = OVERLANE_SOURCE_DIR "/resources/samples";
    const auto hidden = [&](const char* name) {
        return info(folder / name)["devices"][0]["overlap_share"].get<double>();
    };
    for (const char* name : {"dataloader_pageable_blocking.overlane", "dataloader_pinned_blocking.overlane",
                             "dataloader_pinned_non_blocking.overlane"})
        EXPECT_LT(hidden(name), 0.2) << name;
    EXPECT_GT(hidden("dataloader_pinned_side_stream.overlane"), 0.7);
    EXPECT_LT(hidden("pipeline_pageable.overlane"), 0.3);
    EXPECT_GT(hidden("pipeline_pinned.overlane"), 0.7);
}

TEST(Samples, AreSmall)
{
    std::uintmax_t all = 0;
    for (const fs::path& file : sampleFiles()) {
        EXPECT_LE(fs::file_size(file), kMostBytes) << file;
        all += fs::file_size(file);
    }
    EXPECT_LE(all, kMostBytesOfAll);
}

TEST(Samples, NameNoFolderOfTheMachine)
{
    for (const fs::path& file : sampleFiles()) {
        Progress progress;
        const Result<Trace> trace = readTrace(file.string(), progress);
        ASSERT_TRUE(trace.ok()) << trace.error();
        const TraceMetadata& metadata = trace.value().metadata();
        std::string words = metadata.title + metadata.notes + metadata.scenarioJson;
        for (const auto& [key, value] : metadata.properties)
            words += fmt::format("{}: {}\n", key, value);
        for (const Track& track : trace.value().tracks())
            words += track.name + '\n';
        for (std::uint32_t index = 0; index < trace.value().eventCount(); ++index)
            words += fmt::format("{}\n", trace.value().name(EventIndex(index)));
        for (const char* folder : {"/work", "/tmp", "/home", "/root", "/opt"})
            EXPECT_THAT(words, testing::Not(testing::HasSubstr(folder))) << file;
    }
}

}  // namespace
}  // namespace overlane
