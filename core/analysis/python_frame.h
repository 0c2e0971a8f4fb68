// Names of Python functions in traces of PyTorch's profiler (with_stack=True): "train.py(88): augment".
//
// Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace overlane
{

struct PythonFrame {
    std::string place;  // "train.py:88 augment"
    // Not Python's own library, nor a package that programs use as it is. Such a trace has paths without the
    // folder that they were found in, so this goes by the names of modules.
    bool isProgram = false;
};

// None for what has no file: built-in functions, nn.Module ranges, anything else.
std::optional<PythonFrame> pythonFrame(std::string_view name);

}  // namespace overlane
