// How TraceTabs looks: names, marks of verdicts, tool tips and the menu of a tab.
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
#include <QSignalBlocker>

#include "app/shell/main_window.h"
#include "app/shell/trace_tabs.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr qsizetype kMostTabName = 26;

// Without what names of traces have in common; what differs is often at the end.
QString tabName(QString title)
{
    for (const QString& extension : {u".gz"_s, u".json"_s, u".trace"_s, u".pt"_s, u".sqlite"_s, u".overlane"_s})
        if (title.endsWith(extension) && title.size() > extension.size())
            title.chop(extension.size());
    return elidedInTheMiddle(title, kMostTabName);
}

QIcon toneMark(VerdictTone tone, int sizePx, qreal ratio)
{
    const Palette& colors = Palette::current();
    QPixmap mark(QSize(sizePx, sizePx) * ratio);
    mark.setDevicePixelRatio(ratio);
    mark.fill(Qt::transparent);
    QPainter painter(&mark);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF round(2, 2, sizePx - 4, sizePx - 4);
    if (tone == VerdictTone::Nothing) {
        painter.setPen(colors.mutedText);
        painter.drawEllipse(round);
    } else if (tone == VerdictTone::Problem) {  // told by shape, too
        painter.setBrush(colors.warning);
        painter.drawRect(round);
    } else {
        painter.setBrush(colors.good);
        painter.drawEllipse(round);
    }
    return QIcon(mark);
}

}  // namespace

void TraceTabs::dress(int id)
{
    const Tab& tab = m_tabs.at(id);
    const int index = indexOf(id);
    QString name = tabName(tab.title);
    setTabText(index, name.replace('&', u"&&"_s) + (tab.dirty ? u" *"_s : QString()));
    QStringList about{tab.path.isEmpty() ? tab.title : tab.path};
    about << (tab.headline.isEmpty() ? u"Read when it is shown."_s : tab.headline);
    setTabToolTip(index, about.join('\n'));
    setAccessibleTabName(index, about.join(u". "_s));
    const QString closing = u"Close %1"_s.arg(tab.title);
    tabButton(index, RightSide)->setToolTip(closing);
    tabButton(index, RightSide)->setAccessibleName(closing);
    setTabIcon(index, toneMark(tab.tone, kMarkPx, devicePixelRatioF()));
}

void TraceTabs::dressAll()
{
    {
        const QSignalBlocker quiet(this);
        for (const auto& [id, tab] : m_tabs)
            dress(id);
        setCurrentIndex(indexOf(m_wanted != 0 && !m_stays ? m_wanted : m_front));
    }
    // The run that makes room for the file being read is gone with it.
    const bool makesRoom = m_wanted != 0 && m_wanted != m_front && isUntouchedRun();
    setVisible(m_tabs.size() > (makesRoom ? 2U : 1U));
    emit tracesChanged();
}

void TraceTabs::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::MiddleButton) {
        if (const int index = tabAt(event->position().toPoint()); index >= 0)
            closeTrace(index);
        return;
    }
    QTabBar::mouseReleaseEvent(event);
}

void TraceTabs::contextMenuEvent(QContextMenuEvent* event)
{
    const int index = tabAt(event->pos());
    if (index < 0)
        return;
    const int id = idAt(index);
    auto* menu = new QMenu(this);
    menu->setObjectName("traceTabMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(u"&Close"_s), &QAction::triggered, this, [this, id] { closeTrace(indexOf(id)); });
    QAction* others = menu->addAction(u"Close the &others"_s);
    others->setEnabled(count() > 1);
    connect(others, &QAction::triggered, this, [this, id] { closeOthers(indexOf(id)); });
    menu->addSeparator();
    const QString file = path(index);
    QAction* copy = menu->addAction(u"Copy the &path"_s);
    copy->setEnabled(!file.isEmpty());
    connect(copy, &QAction::triggered, this, [file] { QGuiApplication::clipboard()->setText(file); });
    QAction* compare = menu->addAction(u"Compare with the trace in &sight"_s);
    compare->setEnabled(id != m_front && (!file.isEmpty() || m_tabs.at(id).aside));
    connect(compare, &QAction::triggered, this, [this, id] { compareWithShown(id); });
    menu->popup(event->globalPos());
}

void TraceTabs::changeEvent(QEvent* event)
{
    QTabBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && count() > 0)
        dressAll();
}

}  // namespace overlane
