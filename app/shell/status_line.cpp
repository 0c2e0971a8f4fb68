#include "app/shell/status_line.h"

#include "app/widgets/text.h"
#include "core/system/memory_status.h"

namespace overlane
{

namespace
{

constexpr int kAgainMs = 3000;

}  // namespace

StatusLine::StatusLine(QWidget* parent) : QLabel(parent), m_process("/proc/self/status"), m_again(this)
{
    m_again.setInterval(kAgainMs);
    connect(&m_again, &QTimer::timeout, this, &StatusLine::refresh);
}

void StatusLine::describe(const QString& what, std::optional<std::int64_t> traceBytes, const QString& remark)
{
    m_what = what;
    m_traceBytes = traceBytes;
    m_remark = remark;
    refresh();
}

void StatusLine::refresh()
{
    const std::int64_t wholeBytes = m_what.isEmpty() ? 0 : parseProcessMemory(m_process.read()).residentBytes;
    if (m_what.isEmpty() || !m_traceBytes) {
        const QString whole =
            wholeBytes > 0 ? u", %1 in memory"_s.arg(overlane::text(formatBytes(wholeBytes))) : QString();
        setText(m_what + whole);
        setToolTip(whole.isEmpty() ? QString() : u"Memory of the whole program"_s);
        return;
    }
    const QString own = overlane::text(formatBytes(*m_traceBytes));
    const QString memory = wholeBytes > 0
                               ? u"%1 of the program's %2"_s.arg(own, overlane::text(formatBytes(wholeBytes)))
                               : u"%1 in memory"_s.arg(own);
    setText(u"%1, %2"_s.arg(m_what, memory) + m_remark);
    setToolTip(
        u"%1: events, counters and what makes them quick to draw. The rest of the program's memory holds "
        "analyses, tables, predictions, other traces and the window itself."_s.arg(own));
}

void StatusLine::showEvent(QShowEvent* event)
{
    refresh();
    m_again.start();
    QLabel::showEvent(event);
}

void StatusLine::hideEvent(QHideEvent* event)
{
    m_again.stop();
    QLabel::hideEvent(event);
}

}  // namespace overlane
