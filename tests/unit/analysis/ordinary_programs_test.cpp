// Recordings of ordinary programs: the iterations are those of the program's own outer loop, and take what the
// program itself measured (tests/data/traces/README.md).
#include <cstdint>
#include <gtest/gtest.h>
#include <ostream>
#include <string>

#include "core/analysis/steps.h"
#include "core/analysis/verdict.h"
#include "core/io/format.h"

namespace overlane
{
namespace
{

struct OrdinaryProgram {
    const char* name;
    std::int64_t iterations;
    double fromMs;  // what one takes, as measured by the program
    double toMs;
};

constexpr OrdinaryProgram kPrograms[] = {
    {"resnet_page", 48, 35, 44},
    {"lightning_page", 48, 25, 34},
    {"offload_page", 28, 195.7, 195.7},
    {"graphs_page", 68, 3.77, 3.77},
    {"jax_dev", 48, 12.6, 12.6},
    {"generate_plain", 24, 138.6, 138.6},
    {"actoff_page", 24, 1'525.0, 1'525.0},
    {"actoff_pin", 24, 129, 129},
    {"accumulate_pin", 49, 21.56, 21.56},
    {"embed_page", 40, 17.65, 17.65},
    {"fourier_page", 48, 17.83, 17.83},
    {"gan_page", 48, 20.62, 20.62},
    {"offloaded_page", 32, 93.2, 93.2},
    {"rollout_page", 48, 14.08, 14.08},
    {"segment_page", 48, 61.5, 61.5},
    {"trainer_pin", 38, 123.9, 123.9},
    {"dlrm_page", 48, 32.43, 32.43},
    {"host_adam_page", 44, 62.29, 62.29},
    {"kmeans_dev", 48, 9.62, 9.62},
    {"numba_page", 56, 6.15, 6.15},
    {"reduce_page", 68, 2.51, 2.51},
    {"sage_page", 48, 15.27, 15.27},
    {"server_page", 68, 12.86, 12.86},
    {"shards_page", 48, 32.15, 32.15},
    {"superres_page", 38, 79.91, 79.91},
    {"sessions_page", 48, 103.2, 103.2},
    {"features_page", 48, 119.2, 119.2},
    {"microscope_page", 48, 61.36, 61.36},
    {"surrogate_page", 48, 125.8, 125.8},
    {"radar_page", 68, 24.49, 24.49},
    {"satellite_page", 48, 28.60, 28.60},
    {"causal_trainer_w0", 49, 81.00, 81.00},
    {"jax_molecules_page", 57, 26.14, 26.14},
    {"lm_eval_page", 48, 245.7, 245.7},
    {"harvest_page", 48, 47.55, 47.55},
    {"moments_page", 48, 131.7, 131.7},
    {"tomography_page", 68, 16.20, 16.20},
    {"unmix_page", 56, 45.23, 45.23},
};
// How far a recorded run may be from the measured one.
constexpr double kTolerance = 0.10;

void PrintTo(const OrdinaryProgram& program, std::ostream* out)
{
    *out << program.name;
}

class OrdinaryPrograms : public testing::TestWithParam<OrdinaryProgram>
{
};

TEST_P(OrdinaryPrograms, AreJudgedByTheirOwnIterations)
{
    const OrdinaryProgram& program = GetParam();
    Progress progress;
    const Result<Trace> read = readTrace(
        std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/programs/" + program.name + ".overlane", progress);
    ASSERT_TRUE(read.ok()) << read.error();
    const StepSequence sequence = detectSteps(read.value());
    EXPECT_EQ(static_cast<std::int64_t>(sequence.steps.size()), program.iterations);
    const Analysis analysis(read.value());
    const Verdict found = verdictOfTrace(analysis, sequence.steps);
    ASSERT_TRUE(found.perStep);
    const double stepMs = static_cast<double>(found.nowNs) / 1e6;
    EXPECT_GE(stepMs, program.fromMs * (1 - kTolerance));
    EXPECT_LE(stepMs, program.toMs * (1 + kTolerance));
}

INSTANTIATE_TEST_SUITE_P(Recorded, OrdinaryPrograms, testing::ValuesIn(kPrograms),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace overlane
