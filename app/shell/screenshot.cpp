#include "app/shell/screenshot.h"

#include <cstdio>

#include <QApplication>
#include <QEventLoop>
#include <QTimer>

#include "app/second/second_timelines.h"
#include "app/shell/main_window.h"
#include "app/shell/picture_file.h"
#include "app/verdict/verdict_bar.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

// Layouts and plots settle in events of their own after the data has come.
constexpr int kSettleMs = 120;

int fail(const QString& sentence)
{
    std::fprintf(stderr, "overlane-ui: %s\n", qPrintable(sentence));
    return 1;
}

}  // namespace

int takeScreenshot(MainWindow& window, const QString& path)
{
    QString error;
    QObject::connect(window.document(), &Document::failed, &window, [&error](const QString& text) { error = text; });
    QObject::connect(window.secondTimelines(), &SecondTimelines::failed, &window,
                     [&error](const QString& text) { error = text; });
    window.show();
    // What this machine offers is part of the picture, and a run on its GPU begins with the answer.
    if (!window.document()->gpuRuns()->support()) {
        QEventLoop loop;
        QObject::connect(window.document()->gpuRuns(), &GpuRuns::supportChanged, &loop, &QEventLoop::quit);
        loop.exec();
    }
    if (window.document()->busy()) {
        QEventLoop loop;
        QObject::connect(window.document(), &Document::idle, &loop, &QEventLoop::quit);
        loop.exec();
    }
    while (window.document()->insights()->busy() || window.secondTimelines()->busy() ||
           window.verdictBar()->easiest().busy())
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    if (!error.isEmpty())
        return fail(error);
    QEventLoop settle;
    QTimer::singleShot(kSettleMs, &settle, &QEventLoop::quit);
    settle.exec();
    const Result<void> written = writePicture(window.grab(), path);
    return written.ok() ? 0 : fail(text(written.error()));
}

}  // namespace overlane
