// The command line of overlane-ui: its options as data, and which of them go together.
//
// Read before the application is made, whose platform depends on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <QSize>

#include "app/theme/palette.h"

namespace overlane
{

struct WindowArguments {
    // What runs the laboratory's settings at the start.
    enum class Engine : std::uint8_t { Simulated, Gpu, Both };

    std::vector<std::string> files;
    std::string screenshot;
    std::optional<QSize> size;
    std::optional<Theme> theme;  // none: as it was chosen last
    std::string preset;
    std::string device;
    Engine engine = Engine::Simulated;
    std::vector<std::string> settings;
    std::vector<std::string> changes;
    std::string compare;
    std::string lesson;
    std::string lessons;
    std::string handout;
    std::string draw;  // the picture to make of FILE, an SVG
    bool presenter = false;
    bool beforeRun = false;
    int slide = 0;
    bool reuse = false;
    bool job = false;
    bool timeStartup = false;

    // Something is drawn or written and the program ends: no window is shown, and nothing is remembered.
    bool shooting() const { return !screenshot.empty() || !handout.empty() || !draw.empty(); }
    // The laboratory as it was left, with nothing asked of it.
    bool plainLaboratory() const
    {
        return preset.empty() && device.empty() && settings.empty() && engine == Engine::Simulated;
    }
};

// The status to end with where the command line was an answer of its own, as --help, or wrong.
std::optional<int> readArguments(int argc, char** argv, WindowArguments& arguments);

// One sentence on standard error; the status of a command line that is wrong.
int fail(const std::string& sentence);

}  // namespace overlane
