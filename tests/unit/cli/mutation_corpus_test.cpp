// Files that are nearly right: seeded mutations of small ones, read and judged. Whatever they hold, no
// duration is negative and no figure lies beyond the trace.
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "core/io/format.h"
#include "tests/support/odd_shapes.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using Json = nlohmann::json;
using test::TempDir;

constexpr std::array<std::string_view, 22> kNumbers{"0",
                                                    "-1",
                                                    "1",
                                                    "0.0005",
                                                    "1e18",
                                                    "1e15",
                                                    "2305843009213693.951",
                                                    "2305843009213693951",
                                                    "4611686018427387904",
                                                    "9223372036854775807",
                                                    "-9223372036854775808",
                                                    "18446744073709551615",
                                                    "1e308",
                                                    "-1e308",
                                                    "1e-308",
                                                    "NaN",
                                                    "4294967295",
                                                    "2147483648",
                                                    "null",
                                                    "\"7\"",
                                                    "[]",
                                                    "1125899906842624"};
constexpr std::array<std::string_view, 12> kWords{"ProfilerStep#1",   "cudaMemcpy",
                                                  "cudaLaunchKernel", "cudaStreamSynchronize",
                                                  "kernel",           "gpu_memcpy",
                                                  "cuda_runtime",     "gpu_user_annotation",
                                                  "cuda_sync",        "Memcpy DtoH (Device -> Pinned)",
                                                  "[memory]",         "X"};

class Mutator
{
public:
    Mutator(std::string text, std::uint64_t seed) : m_text(std::move(text)), m_random(seed) {}

    std::string make()
    {
        for (std::size_t left = 1 + below(4); left > 0; --left)
            mutate();
        return m_text;
    }

private:
    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : m_random() % bound; }

    // Replaces the number, or the text, that comes next behind a random place.
    void replace(std::string_view digits, std::string_view otherwise, std::string_view with)
    {
        const std::size_t first = m_text.find_first_of(digits, below(m_text.size()));
        if (first == std::string::npos)
            return;
        const std::size_t last = std::min(m_text.find_first_of(otherwise, first), m_text.size());
        m_text.replace(first, last - first, with);
    }
    void mutate()
    {
        switch (below(6)) {
            case 0:
            case 1:
            case 2:
                return replace("0123456789-", ",}] \n", kNumbers[below(kNumbers.size())]);
            case 3: {
                const std::size_t quote = m_text.find("\": \"", below(m_text.size()));
                const std::size_t end = quote == std::string::npos ? quote : m_text.find('"', quote + 4);
                if (end != std::string::npos)
                    m_text.replace(quote + 4, end - quote - 4, kWords[below(kWords.size())]);
                return;
            }
            case 4: {  // a line twice, somewhere else
                const std::size_t line = m_text.find('\n', below(m_text.size()));
                const std::size_t end = line == std::string::npos ? line : m_text.find('\n', line + 1);
                const std::size_t place = m_text.find('\n', below(m_text.size()));
                if (end != std::string::npos && place != std::string::npos)
                    m_text.insert(place, m_text.substr(line, end - line));
                return;
            }
            default:
                m_text.erase(below(m_text.size()), 1 + below(40));
        }
    }

    std::string m_text;
    std::mt19937_64 m_random;
};

void expectSound(const Trace& trace, const std::string& where)
{
    const Interval span = trace.span();
    ASSERT_GE(span.lengthNs(), 0) << where;
    std::int64_t sumNs = 0;
    for (std::uint32_t at = 0; at < trace.eventCount(); ++at) {
        const Interval event = trace.interval(EventIndex(at));
        ASSERT_LE(event.startNs, event.endNs) << where;
        ASSERT_TRUE(span.startNs <= event.startNs && event.endNs <= span.endNs) << where;
        ASSERT_FALSE(__builtin_add_overflow(sumNs, event.lengthNs(), &sumNs)) << where;
        const CopyInfo* copy = trace.copy(EventIndex(at));
        ASSERT_TRUE(copy == nullptr || copy->bytes >= 0) << where;
    }
    std::int64_t counted = static_cast<std::int64_t>(trace.eventCount());
    for (const ImportStat& stat : trace.stats().all()) {
        ASSERT_GE(stat.count, 0) << where;
        counted += stat.count;
    }
    ASSERT_EQ(counted, trace.metadata().sourceEvents) << where;
}

// Every figure of `info --json`: times from 0 to the length of the trace, or as often as it has devices;
// sizes and counts from 0, shares from 0 to 1.
void expectFigures(const Json& json, double mostNs, const std::string& where)
{
    for (const auto& [key, value] : json.items()) {
        const std::string here = fmt::format("{}/{}", where, key);
        if (value.is_structured()) {
            expectFigures(value, mostNs, here);
        } else if (value.is_number() && key != "device") {
            const double figure = value.get<double>();
            const bool isShare = key.find("share") != std::string::npos || key == "confidence";
            EXPECT_TRUE(std::isfinite(figure)) << here;
            EXPECT_GE(figure, 0) << here;
            EXPECT_TRUE(!key.ends_with("_ns") || figure <= mostNs) << here << ": " << figure << " of " << mostNs;
            EXPECT_TRUE(!isShare || figure <= 1.0000001) << here << ": " << figure;
        }
    }
}

class MutationCorpusTest : public testing::TestWithParam<std::uint64_t>
{
};

TEST_P(MutationCorpusTest, NoDurationIsNegativeAndNoFigureBeyondTheTrace)
{
    constexpr std::uint64_t kOfEach = 60;
    const TempDir folder;
    const std::string folderOfData = std::string(OVERLANE_SOURCE_DIR) + "/tests/data/cli/";
    const std::array<std::string, 4> seeds{test::readFile(folderOfData + "small.json"),
                                           test::readFile(folderOfData + "hostile_names.json"),
                                           test::kinetoText(test::oddEvents(test::OddShape::Steps, 12)),
                                           test::kinetoText(test::oddEvents(test::OddShape::Mixture, 60))};
    int opened = 0;
    for (std::size_t of = 0; of < seeds.size(); ++of)
        for (std::uint64_t at = 0; at < kOfEach; ++at) {
            const std::uint64_t seed = GetParam() * 1'000 + at;
            const std::string where = "file " + std::to_string(of) + ", seed " + std::to_string(seed);
            const std::string path = folder.write("mutant.json", Mutator(seeds[of], seed).make());
            Progress progress;
            const Result<Trace> trace = readTrace(path, progress);
            if (!trace.ok())
                continue;
            ++opened;
            ASSERT_NO_FATAL_FAILURE(expectSound(trace.value(), where));
            const test::Outcome info = test::call({"info", "--json", path});
            ASSERT_TRUE(Json::accept(info.out)) << where << info.err;
            const auto devices = static_cast<double>(std::max<std::size_t>(trace.value().devices().size(), 1));
            expectFigures(Json::parse(info.out), devices * static_cast<double>(trace.value().span().lengthNs()), where);
        }
    EXPECT_GT(opened, static_cast<int>(seeds.size() * kOfEach / 2)) << "the mutations break too much";
}

INSTANTIATE_TEST_SUITE_P(Seeded, MutationCorpusTest, testing::Range(std::uint64_t{1}, std::uint64_t{6}));

}  // namespace
}  // namespace overlane
