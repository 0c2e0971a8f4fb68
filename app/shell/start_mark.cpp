#include "app/shell/start_mark.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QSettings>
#include <QWidget>

namespace overlane
{

namespace
{

constexpr const char* kKey = "startUnderWay";

// A process of this program, and not another that has the number by now.
bool runs(qint64 process)
{
    const QFileInfo program(QStringLiteral("/proc/%1/exe").arg(process));
    return process > 0 && program.symLinkTarget() == QFileInfo(QStringLiteral("/proc/self/exe")).symLinkTarget();
}

}  // namespace

StartMark::StartMark(QWidget* window) : QObject(window)
{
    QSettings settings;
    m_lastNeverPainted = settings.contains(kKey) && !runs(settings.value(kKey).toLongLong());
    settings.setValue(kKey, QCoreApplication::applicationPid());
    window->installEventFilter(this);
}

StartMark::~StartMark()
{
    clear();
}

bool StartMark::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::Paint)
        clear();
    return false;
}

void StartMark::clear()
{
    if (!m_set)
        return;
    m_set = false;
    QSettings settings;
    if (settings.value(kKey).toLongLong() == QCoreApplication::applicationPid())
        settings.remove(kKey);
}

}  // namespace overlane
