#include "core/doctor/python_probe.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/doctor/cupti_probe.h"
#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

constexpr auto kLong = std::chrono::seconds(60);

std::string program(const test::TempDir& folder, std::string_view script)
{
    std::string path = folder.write("python", "#!/bin/sh\n" + std::string(script));
    chmod(path.c_str(), 0755);
    return path;
}

TEST(PythonProbe, AnswersAreLinesAmongOthers)
{
    const PythonFacts facts = parsePythonFacts(
        "Welcome to the cluster\noverlane.program=/opt/venv/bin/python\noverlane.version=3.12.1\nloader=no\n"
        "overlane.torch_version=2.6.0+cu124\noverlane.torch_cuda=12.4\noverlane.loader=\noverlane.torch_file=");
    EXPECT_EQ(facts.program, "/opt/venv/bin/python");
    EXPECT_EQ(facts.version, "3.12.1");
    EXPECT_EQ(facts.torchVersion, "2.6.0+cu124");
    EXPECT_EQ(facts.torchCuda, "12.4");
    ASSERT_TRUE(facts.loaderProblem);
    EXPECT_EQ(*facts.loaderProblem, "");
    EXPECT_FALSE(parsePythonFacts("overlane.version=3").loaderProblem) << "not answered is not understood";
}

TEST(PythonProbe, AProgramThatAnswersIsRead)
{
    const test::TempDir folder;
    const PythonFacts facts =
        askPython(program(folder, "echo overlane.program=$0; echo overlane.version=3.9.0"), "", kLong);
    EXPECT_EQ(facts.program, folder.path("python"));
    EXPECT_EQ(facts.version, "3.9.0");
    EXPECT_EQ(facts.failure, "");
}

TEST(PythonProbe, OneThatDoesNotEndIsEndedAndItsAnswersStand)
{
    const test::TempDir folder;
    const std::string hanging =
        program(folder, "echo overlane.program=$0\necho $$ > " + folder.path("pid") + "\nexec tail -f /dev/null\n");
    const PythonFacts facts = askPython(hanging, "", std::chrono::milliseconds(300));
    EXPECT_NE(facts.failure, "");
    const std::string pid = test::readFile(folder.path("pid"));
    if (!pid.empty()) {
        EXPECT_EQ(facts.program, hanging);
        EXPECT_NE(kill(std::stoi(pid), 0), 0) << "it still runs";
    }
}

TEST(PythonProbe, OneThatIsNotThereIsAFailure)
{
    const PythonFacts facts = askPython("/nowhere/python", "", kLong);
    EXPECT_EQ(facts.program, "");
    EXPECT_NE(facts.failure, "");
}

// PyTorch as far as the questions reach into it; the loader's pieces are not as the hook expects them.
TEST(PythonProbe, ThePyTorchOfARealPythonIsDescribed)
{
    if (askPython("python3", "", kLong).program.empty())
        GTEST_SKIP() << "no python3 here";
    const test::TempDir folder;
    std::filesystem::create_directories(folder.path("torch/utils/data"));
    std::ofstream(folder.path("torch/__init__.py")) << "";
    std::ofstream(folder.path("torch/version.py")) << "__version__ = '9.1'\ncuda = '12.4'\n";
    std::ofstream(folder.path("torch/utils/__init__.py")) << "";
    std::ofstream(folder.path("torch/utils/data/__init__.py")) << "";
    std::ofstream(folder.path("torch/utils/data/dataloader.py")) << "";
    const std::string script = program(folder, "PYTHONPATH=" + folder.path().string() + " exec python3 \"$@\"\n");
    const PythonFacts facts = askPython(script, OVERLANE_SOURCE_DIR "/resources/pytorch", kLong);
    EXPECT_EQ(facts.failure, "");
    EXPECT_EQ(facts.torchVersion, "9.1");
    EXPECT_EQ(facts.torchCuda, "12.4");
    EXPECT_EQ(facts.torchFile, folder.path("torch/__init__.py"));
    ASSERT_TRUE(facts.loaderProblem);
    EXPECT_NE(*facts.loaderProblem, "");
    EXPECT_FALSE(askPython(script, "", kLong).loaderProblem) << "without the hook's folder it is not looked at";
}

TEST(CuptiProbe, WhatIsNotThereOrIsAnotherLibraryIsPassedOver)
{
    EXPECT_FALSE(findCupti({}).ok());
    const auto found = findCupti({"/nowhere/libcupti.so.12", "libm.so.6"});
    ASSERT_FALSE(found.ok());
    EXPECT_NE(found.error().find("/nowhere/libcupti.so.12"), std::string::npos) << found.error();
}

}  // namespace
}  // namespace overlane
