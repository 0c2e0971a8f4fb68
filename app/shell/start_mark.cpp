#include "app/shell/start_mark.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QSettings>
#include <QWidget>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr const char* kKey = "startUnderWay";

// A process of this program, and not another that has the number by now.
bool runs(qint64 process)
{
    const QFileInfo program(u"/proc/%1/exe"_s.arg(process));
    return process > 0 && program.symLinkTarget() == QFileInfo(u"/proc/self/exe"_s).symLinkTarget();
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
