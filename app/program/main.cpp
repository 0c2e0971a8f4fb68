// overlane-ui: the window, or a picture of it, as the command line asks for it.
#include <clocale>
#include <cstdlib>
#include <optional>
#include <string>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSettings>

#include "app/fleet/fleet_page.h"
#include "app/fleet/fleet_tool.h"
#include "app/job/job_page.h"
#include "app/job/job_tool.h"
#include "app/lessons/lessons_tool.h"
#include "app/program/bundled_fonts.h"
#include "app/program/file_handover.h"
#include "app/program/laboratory_start.h"
#include "app/program/lesson_start.h"
#include "app/program/qt_messages.h"
#include "app/program/startup_watch.h"
#include "app/program/tools.h"
#include "app/program/window_arguments.h"
#include "app/second/second_timelines.h"
#include "app/shell/main_window.h"
#include "app/shell/screenshot.h"
#include "app/shell/svg_drawing.h"
#include "app/shell/window_shell.h"
#include "core/system/file_size_limit.h"

namespace
{

using namespace overlane;

void nameProgram()
{
    QCoreApplication::setOrganizationName("overlane");
    QCoreApplication::setApplicationName("overlane-ui");
    QCoreApplication::setApplicationVersion(OVERLANE_VERSION);
    QGuiApplication::setDesktopFileName("overlane");
}

// A picture looks as asked for, a window as it did last.
Theme themeOf(const WindowArguments& arguments)
{
    const Theme last = arguments.shooting() ? Theme::System : static_cast<Theme>(QSettings().value("theme", 0).toInt());
    return arguments.theme.value_or(last);
}

bool hasDisplay()
{
#ifdef Q_OS_LINUX
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || qEnvironmentVariableIsSet("DISPLAY") ||
           qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
#else
    return true;
#endif
}

void openFiles(MainWindow& window, const WindowArguments& arguments)
{
    window.beginWithFile();
    if (arguments.job)
        emit window.jobRequested(pathsOf(arguments.files));
    else
        window.takeFiles(pathsOf(arguments.files));
    if (!arguments.compare.empty())
        window.compareWith(QString::fromLocal8Bit(arguments.compare.c_str()));
}

void openLaboratory(MainWindow& window, const WindowArguments& arguments)
{
    window.document()->simulate();
    if (!arguments.plainLaboratory())
        return;
    window.offerFirstHint();
    if (!arguments.shooting())
        window.offerLastTraces();
}

// All that the command line asks a window to show.
Result<void> open(MainWindow& window, const WindowArguments& arguments)
{
    RETURN_IF_ERROR(configureLaboratory(*window.document()->laboratory(), arguments));
    RETURN_IF_ERROR(window.secondTimelines()->choose(arguments.changes));
    if (arguments.engine != WindowArguments::Engine::Simulated)
        runOnGpu(*window.document(), arguments.engine == WindowArguments::Engine::Both);
    window.document()->gpuRuns()->detect();
    if (arguments.files.empty())
        openLaboratory(window, arguments);
    else
        openFiles(window, arguments);
    return openLesson(*window.findChild<LessonsTool*>(), arguments);
}

// The status to end with.
int shoot(MainWindow& window, const WindowArguments& arguments)
{
    if (!arguments.handout.empty() && !writeHandout(*window.findChild<LessonsTool*>(), arguments.handout))
        return 1;
    if (arguments.screenshot.empty())
        return 0;
    // A picture shows the whole job, or fleet.
    JobPage& job = *window.findChild<JobTool*>()->page();
    const FleetPage& fleet = *window.findChild<FleetTool*>()->page();
    while (job.source()->busy() || !fleet.settled())
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    for (const QString& error : {job.errorText(), fleet.errorText()})
        if (!error.isEmpty()) {
            fail(error.toStdString());
            return 1;
        }
    return takeScreenshot(window, QString::fromLocal8Bit(arguments.screenshot.c_str()));
}

}  // namespace

int main(int argc, char** argv)
{
    QElapsedTimer clock;
    clock.start();
    takeFileSizeLimitAsError();
    WindowArguments arguments;
    if (const std::optional<int> status = readArguments(argc, argv, arguments))
        return *status;
    const bool shooting = arguments.shooting();
    if (shooting && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    takeQtMessages();
    if (arguments.reuse && handedOver(arguments.files))
        return 0;
    if (!hasDisplay())
        return fail("There is no display here; --screenshot OUT.png draws the window into a file instead.");

    std::optional<BundledFontconfig> fontconfig(std::in_place);
    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C");  // Qt takes the user's; files and other libraries write a point
    qtHasStarted();
    nameProgram();
    if (!ensureFont(application)) {
        const int failed = fail(
            "There are no fonts here, so every letter would be a box; install some, for example the package "
            "fonts-dejavu-core.");
        if (shooting)
            return failed;
    }
    fontconfig.reset();
    if (!arguments.draw.empty()) {
        const Result<void> drawn = drawSvgFile(arguments.files.front(), arguments.draw);
        return drawn.ok() ? 0 : fail(drawn.error());
    }
    const Theme theme = themeOf(arguments);
    applyTheme(application, theme);
    MainWindow window(!shooting, theme, arguments.size);
    plugTools(window.shell());
    if (const Result<void> opened = open(window, arguments); !opened.ok())
        return fail(opened.error());
    if (shooting)
        return shoot(window, arguments);
    std::optional<StartupWatch> watch;
    if (arguments.timeStartup)
        watch.emplace(window, clock);
    takeFilesOfOthers(window);
    window.show();
    return QApplication::exec();
}
