// RecorderLock: says that a recording's folder is in use, for as long as it lives: by the recorder that follows
// it, or by a recovery that merges it. The system lets go of it with its process, however that ends.
//
// An advisory lock (flock) on the folder's control file; a folder without one is not in use. One thread.
#pragma once

#include <string>

#include "core/base/descriptor.h"

namespace overlane
{

class RecorderLock
{
public:
    RecorderLock() = default;
    explicit RecorderLock(const std::string& folder);

    // False where the folder has no control file, or somebody else holds it.
    bool held() const { return m_held; }
    // Whether it is somebody else's, another object of this process included.
    bool isTaken() const { return m_taken; }

private:
    Descriptor m_file;
    bool m_held = false;
    bool m_taken = false;
};

}  // namespace overlane
