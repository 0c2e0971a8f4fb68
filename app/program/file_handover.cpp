#include "app/program/file_handover.h"

#include <cstdio>

#include <QFile>
#include <QFileInfo>
#include <QObject>

#include "app/shell/main_window.h"
#include "app/shell/running_window.h"

namespace overlane
{

QStringList pathsOf(const std::vector<std::string>& files)
{
    QStringList paths;
    for (const std::string& file : files)
        paths << QFileInfo(QFile::decodeName(file.c_str())).absoluteFilePath();
    return paths;
}

bool handedOver(const std::vector<std::string>& files)
{
    const Result<bool> taken = RunningWindow::handOver(RunningWindow::usualFolder(), pathsOf(files));
    if (!taken.ok())
        std::fprintf(stderr, "overlane-ui: %s\n", taken.error().c_str());
    return taken.ok() && taken.value();
}

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

}  // namespace overlane
