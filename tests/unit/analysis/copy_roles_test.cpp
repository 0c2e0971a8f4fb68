// What copies carry, told from hand-made loops: each rule and what comes close to it.
#include "core/analysis/copy_roles.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/role_hints.h"
#include "core/base/units.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

// Calls follow each other, ten microseconds each; the device does what it is asked for at once.
class Program
{
public:
    void in(std::int64_t bytes) { copy(EventKind::CopyH2D, bytes); }
    void out(std::int64_t bytes) { copy(EventKind::CopyD2H, bytes); }
    void launch(int kernels = 1)
    {
        for (int kernel = 0; kernel < kernels; ++kernel) {
            m_sample.host(EventKind::RuntimeCall, m_nowNs, m_nowNs + kUs, "cudaLaunchKernel", ++m_correlation);
            m_sample.kernel(m_nowNs + 2 * kUs, m_nowNs + 8 * kUs, 7, m_correlation);
            m_nowNs += 10 * kUs;
        }
    }
    void waitForBatch()
    {
        m_sample.host(EventKind::HostWork, m_nowNs, m_nowNs + 5 * kUs,
                      "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
        m_nowNs += 10 * kUs;
    }
    // Whatever `body` does lies within a range of that name.
    void range(std::string_view name, const std::function<void()>& body)
    {
        const std::int64_t startNs = m_nowNs;
        m_nowNs += kUs;
        body();
        m_sample.host(EventKind::Annotation, startNs, m_nowNs, name);
        m_nowNs += kUs;
    }
    // What a sampler saw of the main thread while `body` went on.
    void sampled(std::string_view function, const std::function<void()>& body)
    {
        const TrackId stacks = m_sample.track(m_sample.process(), TrackKind::Stacks, 101, "stacks");
        const std::int64_t startNs = m_nowNs;
        body();
        m_sample.add(stacks, EventKind::ProgramFrame, startNs, m_nowNs, "train.py:12 main");
        m_sample.add(stacks, EventKind::LibraryFrame, startNs, m_nowNs, function);
    }
    void iterations(int count, const std::function<void(int iteration)>& body)
    {
        for (int iteration = 0; iteration < count; ++iteration) {
            const std::int64_t startNs = m_nowNs;
            body(iteration);
            m_sample.host(EventKind::Step, startNs, m_nowNs, "ProfilerStep#" + std::to_string(iteration));
        }
    }
    void memory(MemoryKind kind) { m_memory = kind; }
    Trace build() { return m_sample.build(); }

private:
    void copy(EventKind kind, std::int64_t bytes)
    {
        m_sample.host(EventKind::RuntimeCall, m_nowNs, m_nowNs + kUs, "cudaMemcpyAsync", ++m_correlation);
        m_sample.copy(kind, m_nowNs + 2 * kUs, m_nowNs + 8 * kUs, m_memory, bytes, 7, AsyncFlag::Async, m_correlation);
        m_nowNs += 10 * kUs;
    }

    test::SampleTrace m_sample;
    std::int64_t m_nowNs = 0;
    std::uint32_t m_correlation = 0;
    MemoryKind m_memory = MemoryKind::Pinned;
};

// "batch 64 MiB in" -> copies, with the sizes that matter only.
std::map<std::string, int> rolesOf(const Analysis& analysis)
{
    std::map<std::string, int> roles;
    for (const DeviceActivity& device : analysis.devices())
        for (const auto* copies : {&device.h2dCopies, &device.d2hCopies})
            for (const CopyRecord& copy : *copies) {
                ++roles[std::string(copyRoleName(copy.role)) + (copies == &device.h2dCopies ? " in" : " out")];
                EXPECT_EQ(copy.role == CopyRole::Unknown, copy.roleConfidence == 0);
                EXPECT_LE(copy.roleConfidence, 1);
            }
    return roles;
}
std::map<std::string, int> rolesOf(Program& program)
{
    return rolesOf(Analysis(program.build()));
}
using Roles = std::map<std::string, int>;

TEST(CopyRoles, WhatFollowsAWaitForTheLoaderIsABatch)
{
    Program program;
    program.iterations(6, [&](int) {
        for (int micro = 0; micro < 4; ++micro) {  // four batches per iteration
            program.waitForBatch();
            program.in(8 * kMiB);
            program.in(512);
            program.launch(20);
        }
        program.out(4);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 48}, {"result out", 6}}));
}

TEST(CopyRoles, OneBurstPerIterationIsABatch)
{
    Program program;
    program.iterations(6, [&](int iteration) {
        program.in(8 * kMiB + iteration * kMiB);  // padded to the longest text of each batch
        program.in(4 * kKiB);
        program.launch(20);
        program.out(4 * kMiB);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 12}, {"result out", 6}}));
}

TEST(CopyRoles, SeveralAlikePerIterationWithoutALoaderMayBeAnything)
{
    Program program;  // micro-batches, or layers of one tensor each
    program.iterations(6, [&](int) {
        for (int part = 0; part < 4; ++part) {
            program.in(8 * kMiB);
            program.launch(20);
        }
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"unknown in", 24}}));
}

// As what is tapped from the layers of a model and kept on the host.
TEST(CopyRoles, WhatOnlyEverComesBackInManyBurstsAreResults)
{
    for (const bool goesIn : {false, true}) {
        Program program;
        program.iterations(6, [&](int) {
            program.in(kMiB);
            for (int layer = 0; layer < 4; ++layer) {
                program.launch(20);
                program.out(8 * kMiB);
            }
            if (goesIn)
                program.in(8 * kMiB);
        });
        Roles expected = goesIn ? Roles{{"batch in", 6}, {"gradient out", 24}, {"parameter in", 6}}
                                : Roles{{"batch in", 6}, {"result out", 24}};
        EXPECT_EQ(rolesOf(program), expected) << goesIn;
    }
}

TEST(CopyRoles, ABatchThatIsCutIntoMicroBatchesIsWaitedForOnce)
{
    Program program;
    program.iterations(6, [&](int iteration) {
        program.waitForBatch();
        for (int micro = 0; micro < 4; ++micro) {
            program.in((8 + iteration) * kMiB);  // padded to the longest text of each batch
            program.in(4 * kKiB);
            program.launch(20);
        }
        program.out(4);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 48}, {"result out", 6}}));

    Program layers;  // of one tensor each
    layers.iterations(6, [&](int) {
        layers.waitForBatch();
        layers.in(4 * kMiB);
        for (int layer = 0; layer < 4; ++layer) {
            layers.launch(20);
            layers.in(8 * kMiB);
        }
    });
    EXPECT_EQ(rolesOf(layers), (Roles{{"batch in", 6}, {"unknown in", 24}}));
}

TEST(CopyRoles, AreThoseOfTheIterationsThatWereChosen)
{
    Program program;
    program.iterations(6, [&](int) {
        for (int part = 0; part < 4; ++part) {
            program.in(8 * kMiB);
            program.launch(20);
        }
    });
    const Trace trace = program.build();
    EXPECT_EQ(rolesOf(Analysis(trace)), (Roles{{"unknown in", 24}}));
    const StepSequence parts = stepsOfLevel(trace, "24").value();
    const Analysis byParts(trace, parts);
    EXPECT_EQ(byParts.steps().steps.size(), 24u);
    EXPECT_EQ(rolesOf(byParts), (Roles{{"batch in", 24}}));
}

TEST(CopyRoles, LayersThatComeInEveryIterationAreParameters)
{
    Program program;
    program.iterations(5, [&](int) {
        program.in(16 * kKiB);
        program.launch(3);
        for (int layer = 0; layer < 8; ++layer) {
            for (int matrix = 0; matrix < 4; ++matrix)
                program.in(8 * kMiB);
            program.in(22 * kMiB);
            program.in(4 * kKiB);  // a norm
            program.launch(10);
        }
        program.out(4);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 5}, {"parameter in", 240}, {"result out", 5}}));
}

TEST(CopyRoles, BurstsThatVaryFromIterationToIterationAreNoParameters)
{
    Program program;
    program.iterations(8, [&](int iteration) {
        for (int part = 0; part < 5; ++part) {
            for (int tensor = 0; tensor < 3; ++tensor)
                program.in((1 + (iteration * 31 + part * 17 + tensor * 7) % 40) * kMiB);
            program.launch(10);
        }
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"unknown in", 120}}));
}

TEST(CopyRoles, GradientsGoOutWhereParametersComeIn)
{
    Program program;
    program.iterations(5, [&](int) {
        for (int layer = 0; layer < 6; ++layer) {  // forward
            program.in((8 + layer) * kMiB);
            program.launch(10);
        }
        for (int layer = 5; layer >= 0; --layer) {  // backward: once more in, its gradient out
            program.in((8 + layer) * kMiB);
            program.launch(20);
            program.out((8 + layer) * kMiB);
        }
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"parameter in", 60}, {"gradient out", 30}}));
}

TEST(CopyRoles, WhatGoesOutAndComesBackInTheSameIterationAreActivations)
{
    Program program;
    for (int upload = 0; upload < 16; ++upload)
        program.in(upload % 2 == 0 ? 64 * kMiB : 16 * kKiB);  // as large as an activation
    program.launch(4);
    program.iterations(5, [&](int) {
        for (int layer = 0; layer < 8; ++layer) {
            program.launch(2);
            program.out(64 * kMiB);
            program.out(32 * kMiB);
        }
        for (int layer = 0; layer < 8; ++layer) {
            program.in(32 * kMiB);
            program.in(64 * kMiB);
            program.launch(4);
        }
        program.out(4);
    });
    EXPECT_EQ(rolesOf(program),
              (Roles{{"parameter in", 16}, {"activation in", 80}, {"activation out", 80}, {"result out", 5}}));
}

TEST(CopyRoles, APieceInAndAPieceOutIsNoRoundTrip)
{
    Program program;
    program.iterations(6, [&](int) {
        program.in(16 * kMiB);
        for (int piece = 0; piece < 7; ++piece) {  // the next one comes while this one is computed
            program.in(16 * kMiB);
            program.launch(5);
            program.out(16 * kMiB);
        }
        program.launch(5);
        program.out(16 * kMiB);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 48}, {"result out", 48}}));
}

TEST(CopyRoles, WhatComesBackAllAtOnceWasUpdatedOnTheHost)
{
    Program program;
    program.iterations(6, [&](int) {
        program.launch(40);
        for (int layer = 0; layer < 8; ++layer) {
            program.launch(10);
            program.out((8 + layer) * kMiB);
        }
        for (int layer = 0; layer < 8; ++layer)
            program.in((8 + layer) * kMiB);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"gradient out", 48}, {"parameter in", 48}}));
}

// Gradients leave during the backward pass, and a kernel each takes the parameters that come back.
void offloadedUpdate(Program& program, const std::function<void(const std::function<void()>&)>& asOptimizer)
{
    program.iterations(6, [&](int) {
        program.launch(40);
        for (int layer = 0; layer < 8; ++layer) {
            program.launch(10);
            program.out((8 + layer) * kMiB);
        }
        asOptimizer([&] {
            for (int layer = 0; layer < 8; ++layer) {
                program.in((8 + layer) * kMiB);
                program.launch();
            }
        });
    });
}

TEST(CopyRoles, WhatAnOptimizerOnTheHostSendsAreParameters)
{
    const Roles wanted{{"gradient out", 48}, {"parameter in", 48}};
    Program named;
    offloadedUpdate(named, [&](const auto& body) { named.range("Optimizer.step#DeepSpeedCPUAdam.step", body); });
    EXPECT_EQ(rolesOf(named), wanted);
    Program measured;
    offloadedUpdate(measured,
                    [&](const auto& body) { measured.range("torchao/optim/cpu_offload.py(88): step", body); });
    EXPECT_EQ(rolesOf(measured), wanted);
    Program sampled;
    offloadedUpdate(sampled, [&](const auto& body) { sampled.sampled("torch/optim/adamw.py:220 step", body); });
    EXPECT_EQ(rolesOf(sampled), wanted);
    Program unnamed;  // it looks like activations
    offloadedUpdate(unnamed, [&](const auto& body) { unnamed.range("update", body); });
    EXPECT_EQ(rolesOf(unnamed), (Roles{{"activation out", 48}, {"activation in", 48}}));
}

TEST(CopyRoles, GradientsAllAtOnceAndParametersAllAtOnce)
{
    Program program;
    program.iterations(6, [&](int) {
        program.launch(80);
        for (int layer = 0; layer < 8; ++layer)
            program.out((8 + layer) * kMiB);
        for (int layer = 0; layer < 8; ++layer)
            program.in((8 + layer) * kMiB);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"gradient out", 48}, {"parameter in", 48}}));
}

// What goes one way only is none of the parameters: the batch, right behind them and their many small ones.
TEST(CopyRoles, ABatchBesideParametersThatReturnIsABatch)
{
    Program program;
    program.iterations(6, [&](int) {
        program.launch(80);
        for (int layer = 0; layer < 26; ++layer)
            program.out((8 + layer) * kMiB);
        for (int layer = 0; layer < 26; ++layer)
            program.in((8 + layer) * kMiB);
        for (int bias = 0; bias < 40; ++bias)
            program.in(4 * kKiB);
        program.in(64 * kMiB);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 6}, {"gradient out", 6 * 26}, {"parameter in", 6 * (26 + 40)}}));
}

// Both moments of each parameter come for its update and leave.
void visitingState(Program& program, const std::function<void(const std::function<void()>&)>& asOptimizer)
{
    program.iterations(6, [&](int) {
        program.in(4 * kMiB);
        program.launch(60);
        asOptimizer([&] {
            for (int parameter = 0; parameter < 10; ++parameter) {
                for (int moment = 0; moment < 2; ++moment)
                    program.in((16 + parameter / 2 * 7 % 5) * kMiB);
                program.launch(2);
                for (int moment = 0; moment < 2; ++moment)
                    program.out((16 + parameter / 2 * 7 % 5) * kMiB);
            }
        });
    });
}

TEST(CopyRoles, WhatComesForTheUpdateAndLeavesIsOptimizerState)
{
    const Roles wanted{{"batch in", 6}, {"optimizer state in", 120}, {"optimizer state out", 120}};
    Program named;
    visitingState(named, [&](const auto& body) { named.range("Optimizer.step#AdamW8bit.step", body); });
    EXPECT_EQ(rolesOf(named), wanted);
    Program unnamed;
    visitingState(unnamed, [](const auto& body) { body(); });
    EXPECT_EQ(rolesOf(unnamed), wanted);
}

// Iterations that begin in the middle of the update: what leaves seems to come back.
TEST(CopyRoles, StateThatVisitsPartByPartIsToldWhereverIterationsAreCut)
{
    Program program;
    const auto update = [&](int from, int to) {
        for (int part = from; part < to; ++part) {
            const std::int64_t bytes = (part == 0 ? 42 : part == 9 ? 40 : 38) * kMiB;
            program.in(bytes);
            program.launch(5);
            program.out(bytes);
        }
    };
    program.iterations(8, [&](int) {
        update(5, 10);
        program.in(kMiB);
        program.launch(60);
        update(0, 5);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 8}, {"optimizer state in", 80}, {"optimizer state out", 80}}));
}

TEST(CopyRoles, AClosureOfAnOptimizerHoldsTheOtherPasses)
{
    Program program;  // as Lightning runs them
    program.iterations(5, [&](int) {
        program.range("Optimizer.step#SGD.step", [&] {
            for (int layer = 0; layer < 8; ++layer) {
                program.launch(2);
                program.out(64 * kMiB);
                program.out(32 * kMiB);
            }
            for (int layer = 0; layer < 8; ++layer) {
                program.in(32 * kMiB);
                program.in(64 * kMiB);
                program.launch(4);
            }
        });
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"activation in", 80}, {"activation out", 80}}));
}

TEST(CopyRoles, SizesThatGrowByATokenAreAKvCache)
{
    Program program;
    program.iterations(4, [&](int) {
        program.in(2 * kKiB);
        for (int token = 0; token < 12; ++token)
            for (int layer = 0; layer < 4; ++layer) {
                program.in(16 * kKiB * (100 + token));
                program.launch(5);
            }
    });
    Roles roles = rolesOf(program);
    EXPECT_EQ(roles["KV cache in"], 4 * 48);
}

// A conversation's cache comes in, twelve tokens make it longer, and it goes back.
TEST(CopyRoles, WhatGoesBackLargerByTheSameAmountIsAKvCache)
{
    Program program;
    program.iterations(10, [&](int iteration) {
        const std::int64_t length = 300 + iteration * 7919 % 101;
        for (int tensor = 0; tensor < 8; ++tensor)
            program.in(kKiB * length);
        for (int token = 0; token < 12; ++token) {
            program.launch(5);
            program.out(8);
        }
        for (int tensor = 0; tensor < 8; ++tensor)
            program.out(kKiB * (length + 12));
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"KV cache in", 80}, {"KV cache out", 80}, {"result out", 120}}));
}

TEST(CopyRoles, ThreeQuartersOfTheSizesOfAKvCacheGrowByTheSameAmount)
{
    for (const int alike : {7, 6}) {  // of nine
        Program program;
        std::int64_t length = 100;
        int grown = 0;
        program.iterations(5, [&](int) {
            for (int size = 0; size < 2; ++size) {
                for (int layer = 0; layer < 2; ++layer) {
                    program.in(16 * kKiB * length);
                    program.launch(5);
                }
                length += grown++ < alike ? 1 : 10 * grown;
            }
        });
        EXPECT_EQ(rolesOf(program)["KV cache in"], alike == 7 ? 20 : 0) << alike;
    }
}

TEST(CopyRoles, SizesThatChangeAtRandomAreNoKvCache)
{
    Program program;
    program.iterations(40, [&](int iteration) {
        program.in(16 * kKiB * (100 + iteration * 7919 % 101));
        program.launch(5);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 40}}));
}

TEST(CopyRoles, AModelThatIsMovedForEveryRequestAreParameters)
{
    Program program;
    program.iterations(4, [&](int) {
        for (int layer = 0; layer < 12; ++layer)
            for (const std::int64_t bytes : {8 * kMiB, 22 * kMiB, 4 * kKiB})
                program.in(bytes);
        program.launch(50);
        program.out(200 * kKiB);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"parameter in", 144}, {"result out", 4}}));
}

TEST(CopyRoles, ATableOfManyColumnsIsNotToldFromAModel)
{
    Program program;  // each column has a size of its own
    program.iterations(4, [&](int) {
        for (int column = 0; column < 30; ++column)
            program.in((100 + column) * kKiB);
        program.launch(50);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"unknown in", 120}}));
}

TEST(CopyRoles, FewCopiesBeforeTheFirstIterationAreNoModel)
{
    Program program;
    program.in(64 * kMiB);
    program.launch(2);
    program.iterations(5, [&](int) {
        program.in(8 * kMiB);
        program.launch(10);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"unknown in", 1}, {"batch in", 5}}));
}

TEST(CopyRoles, WithoutIterationsNothingIsTold)
{
    Program program;
    for (int copy = 0; copy < 3; ++copy)
        program.in((copy + 1) * kMiB);
    program.launch(1);
    EXPECT_EQ(rolesOf(program), (Roles{{"unknown in", 3}}));
}

TEST(CopyRoles, ManagedMemoryMigrates)
{
    Program program;
    program.memory(MemoryKind::Managed);
    program.iterations(4, [&](int) {
        program.in(kMiB);
        program.launch(10);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"migration in", 4}}));
}

TEST(CopyRoles, ARangeAroundTheCallSaysIt)
{
    Program program;
    program.iterations(5, [&](int) {
        program.range("FSDP::pre_forward (block.0)", [&] {
            program.range("FSDP::inputs_to_device", [&] { program.in(3 * kMiB); });
            program.in(64 * kMiB);
        });
        program.launch(10);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 5}, {"parameter in", 5}}));
}

TEST(CopyRoles, RangesThatDisagreeSayNothing)
{
    Program program;
    program.iterations(6, [&](int iteration) {
        program.range(iteration % 2 == 0 ? "load_weights" : "load_batch", [&] { program.in(3 * kMiB); });
        program.launch(10);
    });
    EXPECT_EQ(rolesOf(program), (Roles{{"batch in", 6}}));
}

TEST(CopyRoles, NamesOfOtherThingsTellNothing)
{
    EXPECT_EQ(roleOfName("save_on_cpu"), CopyRole::Activation);
    EXPECT_EQ(roleOfName("enumerate(DataLoader)"), std::nullopt);
    EXPECT_EQ(roleOfName("aten::to"), std::nullopt);
    EXPECT_EQ(roleOfName("Optimizer.step#SGD.step"), std::nullopt);
    EXPECT_TRUE(isOptimizerName("Optimizer.step#SGD.step"));
    EXPECT_TRUE(isOptimizerName("torch/optim/adamw.py(220): step"));
    EXPECT_FALSE(isOptimizerName("torch/optim/lr_scheduler.py(140): wrapper"));
    EXPECT_FALSE(isOptimizerName("Optimizer.zero_grad#SGD.zero_grad"));
    EXPECT_EQ(roleOfName(""), std::nullopt);
}

TEST(CopyRoles, OtherCopiesAreToldByTheirKind)
{
    const CopyInfo within{kMiB, MemoryKind::Device, MemoryKind::Device, AsyncFlag::Async};
    const CopyInfo managed{kMiB, MemoryKind::Managed, MemoryKind::Device, AsyncFlag::Async};
    EXPECT_EQ(roleOfOtherCopy(EventKind::CopyD2D, "Memcpy PtoP (device -> device)", &within), CopyRole::Peer);
    EXPECT_EQ(roleOfOtherCopy(EventKind::CopyD2D, "Memcpy DtoD (device -> device)", &within), CopyRole::WithinDevice);
    EXPECT_EQ(roleOfOtherCopy(EventKind::CopyOther, "Unified memory migration HtoD", nullptr), CopyRole::Migration);
    EXPECT_EQ(roleOfOtherCopy(EventKind::CopyD2D, "Memcpy DtoD", &managed), CopyRole::Migration);
    EXPECT_EQ(roleOfOtherCopy(EventKind::CopyOther, "Memcpy (pinned -> pageable)", nullptr), CopyRole::Unknown);
}

}  // namespace
}  // namespace overlane
