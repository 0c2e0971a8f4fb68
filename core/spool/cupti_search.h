// Where CUPTI may be on a machine, best first.
//
// Pure functions, so that the order is a test's matter. In order: what the user names; what the
// dynamic linker finds (LD_LIBRARY_PATH, the cache); beside this program; the toolkit of CUDA_HOME
// or CUDA_PATH; /usr/local/cuda; the wheels of pip beside any library the process has loaded from a
// site-packages folder, then those beside Overlane's own wheel. A CUPTI newer than the driver does not work, so its own
// major version comes first and newer ones are left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

struct CuptiSearch {
    std::string named;                       // OVERLANE_CUPTI
    std::string besideProgram;               // folder of this program or library
    std::vector<std::string> toolkits;       // CUDA_HOME, CUDA_PATH, /usr/local/cuda
    std::vector<std::string> loadedObjects;  // paths of what the process has loaded
    std::vector<std::string> packages;       // site-packages of the Python that Overlane's wheel is in
    int driverMajor = 0;                     // 13 for a driver of CUDA 13; 0 = unknown
};

// Paths of the libraries that this process has loaded.
std::vector<std::string> loadedObjects();
// Folders of packages of the Python below whose lib/overlane a library of Overlane lies, as pip installs it.
std::vector<std::string> packageFolders(const std::string& besideProgram);
std::vector<std::string> cuptiCandidates(const CuptiSearch& search);
// Whether a path is that of a CUPTI library, whatever its version.
bool isCuptiLibrary(std::string_view path);
// What this process knows; `driverMajor` is for the caller to find out.
CuptiSearch searchHere(int driverMajor);

}  // namespace overlane
