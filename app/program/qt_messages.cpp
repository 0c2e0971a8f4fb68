#include "app/program/qt_messages.h"

#include <cstdio>
#include <cstdlib>

#include <QMutex>
#include <QStringList>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kExitNoDisplay = 2;

struct Messages {
    QMutex mutex;
    bool started = false;
    QStringList waiting;
};

Messages& messages()
{
    static Messages all;  // Qt's handler is a plain function
    return all;
}

// A machine without a session (a server, a container) has no XDG_RUNTIME_DIR, drawing without a display knows no
// hints to a window manager: nothing to act upon.
bool isNotice(const QString& text)
{
    return text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set")) ||
           text.startsWith(QLatin1String("This plugin does not support"));
}

void print(const QString& line)
{
    std::fprintf(stderr, "%s\n", qPrintable(line));
}

QString display()
{
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
        if (qEnvironmentVariableIsSet(name))
            return qEnvironmentVariable(name);
    return {};
}

[[noreturn]] void endWithoutDisplay(const QStringList& reasons)
{
    const bool silent = reasons.join(' ').contains(QLatin1String("could not connect to display")) ||
                        reasons.join(' ').contains(QLatin1String("Failed to create wl_display"));
    const QString what = silent ? u"The display \"%1\" does not answer."_s.arg(display())
                                : u"Qt cannot open a window here: %1"_s.arg(reasons.join(' '));
    print(
        u"overlane-ui: %1 Over ssh, connect with ssh -X. Without a display, --screenshot OUT.png draws "
        "the window into a file, and `overlane info FILE` prints the verdict."_s.arg(what.simplified()));
    std::_Exit(kExitNoDisplay);
}

void handle(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (isNotice(text))
        return;
    Messages& all = messages();
    const QMutexLocker lock(&all.mutex);
    if (!all.started && type == QtFatalMsg)
        endWithoutDisplay(all.waiting.isEmpty() ? QStringList{text} : all.waiting);
    const QString line = qFormatLogMessage(type, context, text);
    if (all.started)
        print(line);
    else
        all.waiting << line;
}

}  // namespace

void takeQtMessages()
{
    qInstallMessageHandler(handle);
}

void qtHasStarted()
{
    Messages& all = messages();
    const QMutexLocker lock(&all.mutex);
    all.started = true;
    for (const QString& line : std::as_const(all.waiting))
        print(line);
    all.waiting.clear();
}

}  // namespace overlane
