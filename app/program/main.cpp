// overlane-ui: reads the command line, shows the window or draws it into a PNG.
#include <CLI/CLI.hpp>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QFont>
#include <QSettings>
#include <QTimer>
#include <qcustomplot.h>

#include "app/fleet/fleet_page.h"
#include "app/fleet/fleet_tool.h"
#include "app/job/job_page.h"
#include "app/job/job_tool.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/lessons_tool.h"
#include "app/program/bundled_fonts.h"
#include "app/program/qt_messages.h"
#include "app/program/tools.h"
#include "app/second/split_view.h"
#include "app/session/file_bytes.h"
#include "app/shell/main_window.h"
#include "app/shell/running_window.h"
#include "app/shell/screenshot.h"
#include "app/shell/svg_drawing.h"
#include "app/shell/window_shell.h"
#include "app/widgets/text.h"
#include "build_commit.h"
#include "core/base/built_with.h"
#include "core/devices/user_profiles.h"
#include "core/manual/manual_files.h"
#include "core/system/file_size_limit.h"

namespace
{

using namespace overlane;

constexpr const char* kSimulated = "simulated";
constexpr const char* kGpu = "gpu";
constexpr const char* kBoth = "both";

struct Options {
    std::vector<std::string> files;
    std::string screenshot;
    std::string size;
    std::string theme;
    std::string preset;
    std::string device;
    std::string engine = kSimulated;
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
        values = {"system", "light", "dark", "high-contrast"};
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

void declare(CLI::App& cli, Options& options)
{
    cli.add_option("FILE", options.files,
                   "Traces to open, each in a tab: .overlane, PyTorch profiler JSON, Nsight Systems SQLite");
    cli.add_flag("--reuse", options.reuse, "Hand the files to a window that is open already, where there is one");
    cli.add_flag("--job", options.job, "Take the files as the ranks of one job, as a folder is taken");
    cli.add_option("--screenshot", options.screenshot, "Draw the window into this PNG, without a display, and exit");
    cli.add_option("--size", options.size, "Size of the window, as 1920x1080");
    cli.add_option("--theme", options.theme, "system, light, dark or high-contrast");
    cli.add_option("--preset", options.preset, "Laboratory settings to start with, by key");
    cli.add_option("--device", options.device, "Device profile to simulate, by key");
    cli.add_option("--engine", options.engine,
                   "What runs these settings at the start: simulated, gpu (this machine's own), or both, one above the "
                   "other")
        ->check(CLI::IsMember({kSimulated, kGpu, kBoth}))
        ->capture_default_str();
    cli.add_option("--set", options.settings, "A laboratory setting as KEY=VALUE; may be repeated")
        ->allow_extra_args(false);
    cli.add_option("--compare", options.compare, "A second trace, B, to show below FILE and compare with it");
    cli.add_option("--what-if", options.changes,
                   "Switch this change on, as `overlane whatif --change` takes it; may be repeated")
        ->allow_extra_args(false)
        ->type_name("CHANGE");
    cli.add_option("--lesson", options.lesson, "A lesson to open, by key; drawn into a picture it has run")
        ->type_name("KEY");
    cli.add_option("--lessons", options.lessons, "A folder with lessons of your own")->type_name("DIR");
    cli.add_flag("--presenter", options.presenter, "With --lesson: for a room, a slide at a time in large type");
    cli.add_option("--slide", options.slide, "With --presenter: the slide to begin with, from 1")->type_name("N");
    cli.add_option("--handout", options.handout, "Write the lesson with its runs to this .pdf or .html, and exit")
        ->type_name("FILE");
    cli.add_flag("--before-run", options.beforeRun)->group("");
    cli.add_option("--draw", options.draw)->group("");  // for `overlane picture`
    cli.set_version_flag("--version", versionText());
    cli.add_option("--manual", options.manual)->group("");
    cli.add_flag("--time-startup", options.timeStartup)->group("");
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

int fail(const std::string& sentence)
{
    std::fprintf(stderr, "overlane-ui: %s\n", sentence.c_str());
    return 2;
}

// Whether the window, which names files by what can be read of their names, would miss this one.
bool readsLikeAnother(const std::string& file)
{
    std::error_code error;
    return std::filesystem::exists(file, error) &&
           !std::filesystem::equivalent(fileBytes(QFile::decodeName(file.c_str())), file, error);
}

// The laboratory as the command line asks for it.
Result<void> configure(Laboratory& laboratory, const Options& options)
{
    if (!options.preset.empty()) {
        const Preset* found = nullptr;
        for (const Preset& preset : allPresets())
            if (preset.key == options.preset)
                found = &preset;
        if (found == nullptr)
            return Error{"There is no preset \"" + options.preset + "\"; --help lists them."};
        laboratory.applyPreset(*found);
    }
    if (!options.device.empty()) {
        ASSIGN_OR_RETURN(const DeviceProfile* device, deviceProfileFrom(options.device));
        laboratory.setDevice(device->key);
    }
    Scenario scenario = laboratory.scenario();
    for (const std::string& assignment : options.settings) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos)
            return Error{"--set wants KEY=VALUE, not \"" + assignment + "\"."};
        Result<void> set = assignSetting(scenario, assignment.substr(0, equals), assignment.substr(equals + 1));
        if (!set.ok())
            return set;
    }
    Result<void> checked = checkScenario(scenario);
    if (!checked.ok())
        return checked;
    laboratory.setScenario(scenario, u"Command line"_s);
    laboratory.undoStack()->clear();
    return {};
}

QStringList pathsOf(const std::vector<std::string>& files)
{
    QStringList paths;
    for (const std::string& file : files)
        paths << QFileInfo(QFile::decodeName(file.c_str())).absoluteFilePath();
    return paths;
}

// Whether a window that is open already has taken the files. One that does not answer is said, and another opens.
bool handedOver(const Options& options)
{
    const Result<bool> taken = RunningWindow::handOver(RunningWindow::usualFolder(), pathsOf(options.files));
    if (!taken.ok())
        std::fprintf(stderr, "overlane-ui: %s\n", taken.error().c_str());
    return taken.ok() && taken.value();
}

// From now on another start of the program may hand its files to this window.
void takeFilesOfOthers(MainWindow& window)
{
    auto* running = new RunningWindow(&window);
    if (const Result<bool> listens = running->listen(RunningWindow::usualFolder()); !listens.ok())
        std::fprintf(stderr, "overlane-ui: %s\n", listens.error().c_str());
    QObject::connect(running, &RunningWindow::filesGiven, &window, [&window](const QStringList& paths) {
        if (!paths.isEmpty())
            window.takeFiles(paths);
        window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
        window.raise();
        window.activateWindow();
    });
}

Theme themeOf(const std::string& name, bool remember)
{
    if (name == "light")
        return Theme::Light;
    if (name == "dark")
        return Theme::Dark;
    if (name == "high-contrast")
        return Theme::HighContrast;
    if (name.empty() && remember)
        return static_cast<Theme>(QSettings().value("theme", 0).toInt());
    return Theme::System;
}

// The laboratory's settings on this machine's GPU, once the driver has answered.
void runOnGpu(Document& document, bool alsoSimulated)
{
    GpuRuns* runs = document.gpuRuns();
    const auto begin = [&document, runs, alsoSimulated] {
        if (runs->support()->state != GpuSupport::State::Ready) {
            emit document.failed(QString::fromStdString(runs->support()->sentence));
            return;
        }
        document.setEngine(Document::Engine::Gpu);
        if (alsoSimulated)
            document.runOnBoth();
        else
            document.run();
    };
    QObject::connect(runs, &GpuRuns::supportChanged, &document, begin, Qt::SingleShotConnection);
}

// The lesson as the command line asks for it. A picture shows it with its runs.
Result<void> openLesson(const MainWindow& window, const Options& options, bool shooting)
{
    LessonsTool& lessons = *window.findChild<LessonsTool*>();
    if (!options.lessons.empty())
        lessons.openFolder(QString::fromLocal8Bit(options.lessons.c_str()));
    if (options.lesson.empty())
        return {};
    LessonPage& page = *lessons.page();
    if (page.list()->find(QString::fromStdString(options.lesson)).lesson == nullptr) {
        std::string known;
        for (const LessonShelf& shelf : page.list()->shelves())
            for (const Lesson& lesson : *shelf.lessons)
                known += (known.empty() ? "" : ", ") + lesson.key;
        return Error{"There is no lesson \"" + options.lesson + "\"; there are " + known + "."};
    }
    lessons.show(QString::fromStdString(options.lesson));
    if (shooting && !options.beforeRun) {
        page.session()->skip();
        page.session()->run();
        while (page.session()->busy())
            QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    page.setPresenting(options.presenter);
    if (options.slide > 0)
        page.reader()->setSlide(options.slide - 1);
    while (shooting && page.session()->trying())
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    return {};
}

// A picture shows the whole job.
void awaitJob(const JobTool& job)
{
    while (job.page()->source()->busy())
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
}

void awaitFleet(const FleetTool& fleet)
{
    while (!fleet.page()->settled())
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
}

bool writeHandout(LessonsTool& lessons, const std::string& file)
{
    const QString path = QString::fromLocal8Bit(file.c_str());
    if (lessons.writeHandout(path, path.endsWith(u".pdf"_s, Qt::CaseInsensitive)))
        return true;
    std::fprintf(stderr, "overlane-ui: %s\n", qPrintable(lessons.page()->errorText()));
    return false;
}

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Prints how long the first paint and the first drawn trace took since main(), and the longest turn of the event loop
// from the one to the other, also in this thread's own time, which a busy machine does not lengthen; then quits.
class StartupWatch : public QObject
{
public:
    StartupWatch(MainWindow& window, const QElapsedTimer& clock) : m_window(window), m_clock(clock)
    {
        window.installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() != QEvent::Paint)
            return false;
        if (!m_painted) {
            std::printf("first paint: %lld ms\n", static_cast<long long>(m_clock.elapsed()));
            m_turnNs = m_clock.nsecsElapsed();
            m_turnMs = threadMs();
            QTimer::singleShot(0, this, &StartupWatch::watchTrace);
        }
        m_painted = true;
        return false;
    }

private:
    void watchTrace()
    {
        const qint64 nowNs = m_clock.nsecsElapsed();
        m_heldNs = std::max(m_heldNs, nowNs - m_turnNs);
        m_turnNs = nowNs;
        const double nowMs = threadMs();
        m_heldMs = std::max(m_heldMs, nowMs - m_turnMs);
        m_turnMs = nowMs;
        if (m_window.document()->busy() || !m_window.document()->trace()) {
            QTimer::singleShot(0, this, &StartupWatch::watchTrace);
            return;
        }
        m_window.grab();
        std::printf("first trace drawn: %lld ms\n", static_cast<long long>(m_clock.elapsed()));
        std::printf("longest turn: %.1f ms, %.1f ms of its own\n", static_cast<double>(m_heldNs) / 1e6, m_heldMs);
        QCoreApplication::quit();
    }
    MainWindow& m_window;
    const QElapsedTimer& m_clock;
    bool m_painted = false;
    qint64 m_turnNs = 0;
    qint64 m_heldNs = 0;
    double m_turnMs = 0;
    double m_heldMs = 0;
};

}  // namespace

int main(int argc, char** argv)
{
    QElapsedTimer clock;
    clock.start();
    takeFileSizeLimitAsError();
    Options options;
    CLI::App cli("Overlane: do the copies to the GPU hide behind the compute, and if not, why?", "overlane-ui");
    declare(cli, options);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::Success& answered) {  // --help, --version
        return cli.exit(answered);
    } catch (const CLI::ParseError& error) {
        return fail(std::string(error.what()) + " (--help lists what there is)");
    }
    if (!options.manual.empty())
        return writeManualOf(cli, options.manual);
    if (!options.theme.empty() && options.theme != "system" && options.theme != "light" && options.theme != "dark" &&
        options.theme != "high-contrast")
        return fail("--theme wants system, light, dark or high-contrast, not \"" + options.theme + "\".");

    if (!options.handout.empty() && options.lesson.empty())
        return fail("--handout wants a lesson: --lesson KEY.");
    if (!options.draw.empty() && options.files.size() != 1)
        return fail("--draw wants one SVG of `overlane picture`.");
    const bool shooting = !options.screenshot.empty() || !options.handout.empty() || !options.draw.empty();
    if (shooting && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    for (const std::string& file : options.files)
        if (readsLikeAnother(file))
            return fail("Another file's name reads like that of " + file +
                        ", and the window cannot tell them apart; rename one.");
    if (options.reuse && (!options.compare.empty() || !options.changes.empty() || shooting))
        return fail("--reuse takes files only; a running window has its own comparison and changes.");
    takeQtMessages();
    if (options.reuse && handedOver(options))
        return 0;
#ifdef Q_OS_LINUX
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM") && !qEnvironmentVariableIsSet("DISPLAY") &&
        !qEnvironmentVariableIsSet("WAYLAND_DISPLAY"))
        return fail("There is no display here; --screenshot OUT.png draws the window into a file instead.");
#endif
    std::optional<QSize> size;
    if (!options.size.empty() && !(size = parsedSize(options.size)))
        return fail("--size wants WIDTHxHEIGHT between 640x480 and 16384x16384, not \"" + options.size + "\".");

    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C");  // Qt takes the user's; files and other libraries write a point
    qtHasStarted();
    QCoreApplication::setOrganizationName("overlane");
    QCoreApplication::setApplicationName("overlane-ui");
    QCoreApplication::setApplicationVersion(OVERLANE_VERSION);
    QGuiApplication::setDesktopFileName("overlane");

    if (!ensureFont(application)) {
        const int failed = fail(
            "There are no fonts here, so every letter would be a box; install some, for example the package "
            "fonts-dejavu-core.");
        if (shooting)
            return failed;
    }
    if (!options.draw.empty()) {
        const Result<void> drawn = drawSvgFile(options.files.front(), options.draw);
        return drawn.ok() ? 0 : fail(drawn.error());
    }
    const Theme theme = themeOf(options.theme, !shooting);
    applyTheme(application, theme);
    MainWindow window(!shooting, theme);
    plugTools(window.shell());
    if (size) {
        window.resize(*size);
        window.arrangeDocks();
    }
    const Result<void> configured = configure(*window.document()->laboratory(), options);
    if (!configured.ok())
        return fail(configured.error());

    const Result<void> chosen = window.split()->choose(options.changes);
    if (!chosen.ok())
        return fail(chosen.error());
    const bool onGpu = options.engine != kSimulated;
    if (onGpu && !options.files.empty())
        return fail("--engine is for the laboratory; a trace that is opened has run already.");
    if (onGpu)
        runOnGpu(*window.document(), options.engine == kBoth);
    window.document()->gpuRuns()->detect();
    if (!options.compare.empty() && options.files.empty())
        return fail("--compare wants two traces: overlane-ui A --compare B.");
    if (readsLikeAnother(options.compare))
        return fail("Another file's name reads like that of " + options.compare +
                    ", and the window cannot tell them apart; rename one.");
    if (!options.files.empty()) {
        window.beginWithFile();
        if (options.job)
            emit window.jobRequested(pathsOf(options.files));
        else
            window.takeFiles(pathsOf(options.files));
        if (!options.compare.empty())
            window.compareWith(QString::fromLocal8Bit(options.compare.c_str()));
    } else {
        window.document()->simulate();
        const bool plain = options.preset.empty() && options.device.empty() && options.settings.empty() && !onGpu;
        if (plain)
            window.offerFirstHint();
        if (plain && !shooting)
            window.offerLastTraces();
    }
    const Result<void> lesson = openLesson(window, options, shooting);
    if (!lesson.ok())
        return fail(lesson.error());
    if (!options.handout.empty() && !writeHandout(*window.findChild<LessonsTool*>(), options.handout))
        return 1;
    if (!options.handout.empty() && options.screenshot.empty())
        return 0;
    if (shooting) {
        const JobTool& job = *window.findChild<JobTool*>();
        awaitJob(job);
        const FleetTool& fleet = *window.findChild<FleetTool*>();
        awaitFleet(fleet);
        for (const QString& error : {job.page()->errorText(), fleet.page()->errorText()})
            if (!error.isEmpty()) {
                fail(error.toStdString());
                return 1;
            }
    }
    if (shooting)
        return takeScreenshot(window, QString::fromLocal8Bit(options.screenshot.c_str()));
    std::optional<StartupWatch> watch;
    if (options.timeStartup)
        watch.emplace(window, clock);
    takeFilesOfOthers(window);
    window.show();
    return QApplication::exec();
}
