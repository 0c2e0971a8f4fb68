#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "core/base/temporary_folder.h"
#include "core/doctor/diagnosis.h"
#include "core/doctor/in_time.h"
#include "core/recorder/native_code.h"
#include "core/recorder/perf_ring.h"
#include "core/recorder/pytorch_hook.h"
#include "core/spool/cupti_search.h"
#include "core/spool/record_environment.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kLookPeriodNs = 10'000'000;

CuptiSearch cuptiSearch(const DoctorFacts& facts, const Variables& variables)
{
    CuptiSearch search;
    search.driverMajor = facts.gpu.driverVersion / 1000;
    search.named = variable(variables, record_environment::kCuptiLibrary);
    search.besideProgram = fs::path(facts.injectLibrary).parent_path().string();
    search.packages = packageFolders(search.besideProgram);
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const std::string toolkit = variable(variables, name); !toolkit.empty())
            search.toolkits.push_back(toolkit);
    search.toolkits.emplace_back("/usr/local/cuda");
    // A recorded PyTorch has loaded its own libraries, which lie there.
    if (!facts.python.torchFile.empty())
        search.loadedObjects.push_back(facts.python.torchFile);
    return search;
}

// In PATH, as execvp() looks for it.
std::string inPath(const std::string& program, const Variables& variables)
{
    std::string folders = variable(variables, "PATH") + ':';
    for (std::size_t colon = folders.find(':'); colon != std::string::npos; colon = folders.find(':')) {
        std::string file = fmt::format("{}/{}", folders.substr(0, colon), program);
        if (colon > 0 && access(file.c_str(), X_OK) == 0)
            return file;
        folders.erase(0, colon + 1);
    }
    return {};
}

void readTemporaryFolder(DoctorFacts& facts)
{
    std::error_code unknown;
    facts.temporaryFolder = fs::temp_directory_path(unknown).string();
    if (unknown)
        facts.temporaryFolder = "the folder for temporary files";
    const auto folder = TemporaryFolder::make("doctor");
    if (!folder.ok())
        return;
    const fs::space_info space = fs::space(folder.value().path(), unknown);
    facts.temporaryFreeBytes = unknown ? 0 : static_cast<std::int64_t>(space.available);
}

}  // namespace

DoctorFacts readDoctorFacts(const DoctorOptions& options)
{
    DoctorFacts facts;
    if (auto gpu = answerInTime<GpuSupport>(detectGpuSupport, options.mostForDriver))
        facts.gpu = *std::move(gpu);
    else
        facts.driverIsSilent = true;
    facts.around = readSurroundings(options.root, options.variables);
    facts.isAdministrator = geteuid() == 0;
    facts.injectLibrary = companionPath(record_environment::kInjectLibrary).string();
    facts.engineLibrary = gpuBackendPath().string();
    facts.hookFolder = pytorchHookFolder().string();
    facts.windowProgram = options.windowProgram.find('/') != std::string::npos
                              ? options.windowProgram
                              : inPath(options.windowProgram, options.variables);
    facts.windowHasFonts = bringsFonts(facts.windowProgram);
    facts.python = askPython(options.python, facts.hookFolder, options.mostForPython);
    if (auto found = findCupti(cuptiCandidates(cuptiSearch(facts, options.variables))); found.ok())
        facts.cupti = std::move(found).value();
    else
        facts.cuptiReason = found.error();
    facts.readsStacks = NativeCode::isAvailable();
    PerfRing::open(gettid(), kLookPeriodNs, openPerfEvent, facts.stacksError);
    readTemporaryFolder(facts);
    return facts;
}

}  // namespace overlane
