#include "app/program/window_arguments.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <QFile>
#include <QString>
#include <QStringList>
#include <qcustomplot.h>

#include "app/session/file_bytes.h"
#include "build_commit.h"
#include "core/base/built_with.h"
#include "core/devices/device_profile.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "core/manual/manual_files.h"

namespace overlane
{
namespace
{

constexpr const char* kSimulated = "simulated";
constexpr const char* kGpu = "gpu";
constexpr const char* kBoth = "both";

constexpr std::array<std::pair<const char*, Theme>, 4> kThemes{{{"system", Theme::System},
                                                                {"light", Theme::Light},
                                                                {"dark", Theme::Dark},
                                                                {"high-contrast", Theme::HighContrast}}};

// Options that are something else than text.
struct Texts {
    std::string size;
    std::string theme;
    std::string engine = kSimulated;
    std::string manual;  // the folder to write the manual page and completion below
};

std::string versionText()
{
    return builtWith("overlane-ui", OVERLANE_VERSION, OVERLANE_COMMIT) +
           "\nBuilt with Qt " QT_VERSION_STR " and QCustomPlot " QCUSTOMPLOT_VERSION_STR ", running with Qt " +
           qVersion() + ".";
}

// The values that the window takes from its own lists.
std::vector<std::string> valuesOf(std::string_view option)
{
    std::vector<std::string> values;
    if (option == "--theme")
        for (const auto& [name, theme] : kThemes)
            values.emplace_back(name);
    for (const Preset& preset : allPresets())
        if (option == "--preset")
            values.emplace_back(preset.key);
    for (const DeviceProfile& profile : allDeviceProfiles())
        if (option == "--device")
            values.push_back(profile.key);
    for (const Setting& setting : allSettings())
        if (option == "--set")
            values.push_back(std::string(setting.key) + "=");
    return values;
}

int writeManualOf(const CLI::App& cli, const std::string& folder)
{
    const auto written = writeManual(
        readSheet(cli, OVERLANE_VERSION, [](std::string_view, std::string_view option) { return valuesOf(option); }),
        folder);
    if (!written.ok())
        std::fprintf(stderr, "overlane-ui: %s\n", written.error().c_str());
    return written.ok() ? 0 : 1;
}

void declare(CLI::App& cli, WindowArguments& arguments, Texts& texts)
{
    cli.add_option("FILE", arguments.files,
                   "Traces to open, each in a tab: .overlane, PyTorch profiler JSON, Nsight Systems SQLite");
    cli.add_flag("--reuse", arguments.reuse, "Hand the files to a window that is open already, where there is one");
    cli.add_flag("--job", arguments.job, "Take the files as the ranks of one job, as a folder is taken");
    cli.add_option("--screenshot", arguments.screenshot, "Draw the window into this PNG, without a display, and exit");
    cli.add_option("--size", texts.size, "Size of the window, as 1920x1080");
    cli.add_option("--theme", texts.theme, "system, light, dark or high-contrast");
    cli.add_option("--preset", arguments.preset, "Laboratory settings to start with, by key");
    cli.add_option("--device", arguments.device, "Device profile to simulate, by key");
    cli.add_option("--engine", texts.engine,
                   "What runs these settings at the start: simulated, gpu (this machine's own), or both, one above the "
                   "other")
        ->check(CLI::IsMember({kSimulated, kGpu, kBoth}))
        ->capture_default_str();
    cli.add_option("--set", arguments.settings, "A laboratory setting as KEY=VALUE; may be repeated")
        ->allow_extra_args(false);
    cli.add_option("--compare", arguments.compare, "A second trace, B, to show below FILE and compare with it");
    cli.add_option("--what-if", arguments.changes,
                   "Switch this change on, as `overlane whatif --change` takes it; may be repeated")
        ->allow_extra_args(false)
        ->type_name("CHANGE");
    cli.add_option("--lesson", arguments.lesson, "A lesson to open, by key; drawn into a picture it has run")
        ->type_name("KEY");
    cli.add_option("--lessons", arguments.lessons, "A folder with lessons of your own")->type_name("DIR");
    cli.add_flag("--presenter", arguments.presenter, "With --lesson: for a room, a slide at a time in large type");
    cli.add_option("--slide", arguments.slide, "With --presenter: the slide to begin with, from 1")->type_name("N");
    cli.add_option("--handout", arguments.handout, "Write the lesson with its runs to this .pdf or .html, and exit")
        ->type_name("FILE");
    cli.add_flag("--before-run", arguments.beforeRun)->group("");
    cli.add_option("--draw", arguments.draw)->group("");  // for `overlane picture`
    cli.set_version_flag("--version", versionText());
    cli.add_option("--manual", texts.manual)->group("");
    cli.add_flag("--time-startup", arguments.timeStartup)->group("");
    std::string keys = "Presets:";
    for (const Preset& preset : allPresets())
        keys += "\n  " + std::string(preset.key) + "  (" + std::string(preset.name) + ")";
    keys += "\nDevices:";
    for (const DeviceProfile& profile : allDeviceProfiles())
        keys += "\n  " + profile.key + "  (" + profile.name + ")";
    keys += "\nSettings: `overlane run --help` explains each.";
    cli.footer(keys);
}

std::optional<QSize> parsedSize(const std::string& text)
{
    const QStringList parts = QString::fromStdString(text).split('x');
    if (parts.size() != 2)
        return {};
    const QSize size(parts[0].toInt(), parts[1].toInt());
    if (size.width() < 640 || size.height() < 480 || size.width() > 16384 || size.height() > 16384)
        return {};
    return size;
}

// Whether the window, which names files by what can be read of their names, would miss this one.
bool readsLikeAnother(const std::string& file)
{
    std::error_code error;
    return std::filesystem::exists(file, error) &&
           !std::filesystem::equivalent(fileBytes(QFile::decodeName(file.c_str())), file, error);
}

// What is wrong with them; none where nothing is.
std::optional<std::string> complaintOf(const WindowArguments& arguments)
{
    if (!arguments.handout.empty() && arguments.lesson.empty())
        return "--handout wants a lesson: --lesson KEY.";
    if (!arguments.draw.empty() && arguments.files.size() != 1)
        return "--draw wants one SVG of `overlane picture`.";
    std::vector<std::string> files = arguments.files;
    files.push_back(arguments.compare);
    for (const std::string& file : files)
        if (readsLikeAnother(file))
            return "Another file's name reads like that of " + file +
                   ", and the window cannot tell them apart; rename one.";
    if (arguments.reuse && (!arguments.compare.empty() || !arguments.changes.empty() || arguments.shooting()))
        return "--reuse takes files only; a running window has its own comparison and changes.";
    if (arguments.engine != WindowArguments::Engine::Simulated && !arguments.files.empty())
        return "--engine is for the laboratory; a trace that is opened has run already.";
    if (!arguments.compare.empty() && arguments.files.empty())
        return "--compare wants two traces: overlane-ui A --compare B.";
    return {};
}

// The same of what is said in words.
std::optional<std::string> read(const Texts& texts, WindowArguments& arguments)
{
    for (const auto& [name, theme] : kThemes)
        if (texts.theme == name)
            arguments.theme = theme;
    if (!texts.theme.empty() && !arguments.theme)
        return "--theme wants system, light, dark or high-contrast, not \"" + texts.theme + "\".";
    arguments.size = parsedSize(texts.size);
    if (!texts.size.empty() && !arguments.size)
        return "--size wants WIDTHxHEIGHT between 640x480 and 16384x16384, not \"" + texts.size + "\".";
    if (texts.engine != kSimulated)
        arguments.engine = texts.engine == kBoth ? WindowArguments::Engine::Both : WindowArguments::Engine::Gpu;
    return {};
}

}  // namespace

std::optional<int> readArguments(int argc, char** argv, WindowArguments& arguments)
{
    Texts texts;
    CLI::App cli("Overlane: do the copies to the GPU hide behind the compute, and if not, why?", "overlane-ui");
    declare(cli, arguments, texts);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::Success& answered) {  // --help, --version
        return cli.exit(answered);
    } catch (const CLI::ParseError& error) {
        return fail(std::string(error.what()) + " (--help lists what there is)");
    }
    if (!texts.manual.empty())
        return writeManualOf(cli, texts.manual);
    std::optional<std::string> complaint = read(texts, arguments);
    if (!complaint)
        complaint = complaintOf(arguments);
    if (complaint)
        return fail(*complaint);
    return {};
}

int fail(const std::string& sentence)
{
    std::fprintf(stderr, "overlane-ui: %s\n", sentence.c_str());
    return 2;
}

}  // namespace overlane
