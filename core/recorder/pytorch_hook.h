// PyTorch's loader in a recording: the folder whose sitecustomize.py hooks into every Python of the
// program, and the variable that makes Python find it.
//
// The folder is resources/pytorch of the sources: pytorch/ beside the program, share/overlane/pytorch
// where installed or built. Pure functions of the file system and the environment, any thread.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "core/base/result.h"

namespace overlane
{

// Empty where this copy of Overlane came without it.
std::filesystem::path pytorchHookFolder();

// PYTHONPATH with the folder (empty: the one above) before what this process has there. The Error says
// that it is missing or cannot be named in PYTHONPATH.
Result<std::pair<std::string, std::string>> pytorchHookVariable(std::filesystem::path folder = {});

// Whether a process of the recording in this folder wrote of its loader, or of why it could not.
bool hookWasReached(const std::filesystem::path& spoolFolder);

}  // namespace overlane
