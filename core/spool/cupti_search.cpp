#include "core/spool/cupti_search.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>

#include "core/spool/record_environment.h"

namespace overlane
{
namespace
{

constexpr int kNewestMajor = 13;
constexpr int kOldestMajor = 12;

std::string folderOf(const std::string& path)
{
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace

bool isCuptiLibrary(std::string_view path)
{
    const auto slash = path.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    return name.starts_with("libcupti.so");
}

std::vector<std::string> packageFolders(const std::string& besideProgram)
{
    std::vector<std::string> found;
    std::error_code none;
    const std::string lib = folderOf(besideProgram);
    if (lib.empty() || besideProgram.substr(lib.size()) != "/overlane")
        return found;
    for (auto at = std::filesystem::directory_iterator(lib, none); !none && at != std::filesystem::directory_iterator();
         at.increment(none))
        if (at->path().filename().string().starts_with("python3"))
            for (const char* folder : {"/site-packages", "/dist-packages"})
                if (std::string packages = at->path().string() + folder; std::filesystem::exists(packages, none))
                    found.push_back(std::move(packages));
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::string> cuptiCandidates(const CuptiSearch& search)
{
    std::vector<std::string> folders;
    if (!search.besideProgram.empty())
        folders.insert(folders.end(), {search.besideProgram, search.besideProgram + "/../lib"});
    for (const std::string& toolkit : search.toolkits)
        folders.insert(folders.end(), {toolkit + "/extras/CUPTI/lib64", toolkit + "/lib64", toolkit + "/lib"});
    std::vector<std::string> wheels;
    for (const std::string& path : search.loadedObjects) {
        constexpr std::string_view kSite = "/site-packages/";
        const auto site = path.find(kSite);
        if (site == std::string::npos)
            continue;
        const std::string root = path.substr(0, site + kSite.size() - 1);
        if (std::find(wheels.begin(), wheels.end(), root) == wheels.end())
            wheels.push_back(root);
    }
    wheels.insert(wheels.end(), search.packages.begin(), search.packages.end());

    std::vector<std::string> result;
    if (!search.named.empty())
        result.push_back(search.named);
    const int newest = search.driverMajor > 0 ? std::min(search.driverMajor, kNewestMajor) : kNewestMajor;
    for (int major = newest; major >= kOldestMajor; --major) {
        const std::string number = std::to_string(major);
        const std::string name = "libcupti.so." + number;
        const auto add = [&](std::string folder, std::string_view below) {
            result.push_back(folder.append(below).append("/").append(name));
        };
        result.push_back(name);
        for (const std::string& folder : folders)
            add(folder, "");
        for (const std::string& root : wheels) {
            add(root, "/nvidia/cu" + number + "/lib");
            add(root, "/nvidia/cuda_cupti/lib");
        }
    }
    return result;
}

std::vector<std::string> loadedObjects()
{
    std::vector<std::string> objects;
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* result) {
            if (object->dlpi_name != nullptr && *object->dlpi_name != '\0')
                static_cast<std::vector<std::string>*>(result)->emplace_back(object->dlpi_name);
            return 0;
        },
        &objects);
    return objects;
}

CuptiSearch searchHere(int driverMajor)
{
    CuptiSearch search;
    search.driverMajor = driverMajor;
    if (const char* named = std::getenv(record_environment::kCuptiLibrary); named != nullptr)
        search.named = named;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* toolkit = std::getenv(variable); toolkit != nullptr && *toolkit != '\0')
            search.toolkits.emplace_back(toolkit);
    search.toolkits.emplace_back("/usr/local/cuda");
    Dl_info info = {};
    if (dladdr(reinterpret_cast<const void*>(&searchHere), &info) != 0 && info.dli_fname != nullptr)
        search.besideProgram = folderOf(info.dli_fname);
    search.packages = packageFolders(search.besideProgram);
    search.loadedObjects = loadedObjects();
    return search;
}

}  // namespace overlane
