#include "core/lessons/lesson_engine.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/devices/user_profiles.h"
#include "core/loader/settings.h"

namespace overlane
{
namespace
{

// Scenarios that run alike have the same.
std::string identity(Scenario scenario, const DeviceProfile& device)
{
    scenario.name.clear();
    return device.key + ' ' + scenarioToJson(scenario);
}

}  // namespace

const DeviceProfile& profileOfGpu(const std::string& gpu, const DeviceProfile& planned)
{
    if (&planned != &allDeviceProfiles().front() || gpu.empty())
        return planned;
    const std::vector<const DeviceProfile*> own = userDeviceProfiles();
    const auto isOfIt = [&gpu](const DeviceProfile* profile) { return profile->name.starts_with(gpu); };
    if (const auto last = std::find_if(own.rbegin(), own.rend(), isOfIt); last != own.rend())
        return **last;
    for (const DeviceProfile& profile : allDeviceProfiles())
        if (isOfIt(&profile))
            return profile;
    return planned;
}

LessonEngine simulatedLessonEngine()
{
    return [](const Scenario& scenario, const DeviceProfile& device, Progress& progress) -> Result<JudgedRunPointer> {
        ASSIGN_OR_RETURN(auto run, simulate(scenario, device, &progress));
        return JudgedRunPointer(std::make_shared<const JudgedRun>(scenario, device, std::move(run)));
    };
}

LessonEngine gpuLessonEngine(MeasuredRunOptions options)
{
    return [options = std::move(options)](const Scenario& scenario, const DeviceProfile& device,
                                          Progress& progress) -> Result<JudgedRunPointer> {
        ASSIGN_OR_RETURN(auto measured, measure(scenario, options, progress));
        MeasuredRunResult& result = measured;
        return JudgedRunPointer(std::make_shared<const JudgedRun>(scenario, profileOfGpu(result.device, device),
                                                                  std::move(result.run), result.report));
    };
}

LessonEngine rememberingEngine(LessonEngine engine, std::shared_ptr<std::size_t> made)
{
    return [engine = std::move(engine), made = std::move(made), runs = std::map<std::string, JudgedRunPointer>()](
               const Scenario& scenario, const DeviceProfile& device,
               Progress& progress) mutable -> Result<JudgedRunPointer> {
        const std::string key = identity(scenario, device);
        if (const auto known = runs.find(key); known != runs.end())
            return known->second;
        auto run = engine(scenario, device, progress);
        if (run.ok()) {
            runs.emplace(key, run.value());
            ++*made;
        }
        return run;
    };
}

}  // namespace overlane
