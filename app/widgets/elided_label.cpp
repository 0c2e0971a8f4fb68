#include "app/widgets/elided_label.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>
#include <QToolTip>

#include "app/widgets/firm_units.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{
constexpr qsizetype kMostHinted = 200;  // characters
}

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setLines(int lines)
{
    if (lines == m_lines)
        return;
    m_lines = lines;
    updateGeometry();
    update();
}

void ElidedLabel::keepRoomFor(QStringList texts)
{
    m_roomFor = std::move(texts);
    resizeEvent(nullptr);
}

void ElidedLabel::resizeEvent(QResizeEvent*)
{
    int lines = m_roomFor.isEmpty() ? m_lines : 1;
    for (const QString& each : m_roomFor)
        lines = std::max(lines, linesNeeded(each));
    setLines(lines);
}

int ElidedLabel::linesNeeded(const QString& whole, int widthPx) const
{
    for (const Counted& known : m_counted)
        if (known.widthPx == widthPx && known.whole == whole && known.font == font())
            return known.lines;
    int lines = 0;
    QTextLayout layout(withFirmUnits(whole), font());
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine(), ++lines)
        line.setLineWidth(widthPx);
    layout.endLayout();
    if (m_counted.size() == kMostCounted)
        m_counted.removeFirst();
    m_counted.push_back({whole, font(), widthPx, std::max(1, lines)});
    return m_counted.back().lines;
}

QSize ElidedLabel::sizeHint() const
{
    // A width that no layout asks for is not worth the laying out of a long text.
    const QFontMetrics metrics = fontMetrics();
    const QMargins around = contentsMargins();
    const int height = m_lines * metrics.lineSpacing() + 2 + around.top() + around.bottom();
    if (sizePolicy().horizontalPolicy() != QSizePolicy::Ignored)
        return {QLabel::sizeHint().width(), height};
    const auto characters = static_cast<int>(std::min<qsizetype>(text().size(), kMostHinted));
    return {characters * metrics.averageCharWidth(), height};
}

QStringList ElidedLabel::brokenLines() const
{
    const int width = contentsRect().width();
    const QString words = withFirmUnits(text());
    // The last line takes the rest: only those before it are broken, which costs as much as drawing them.
    const auto rest = [&](int from) { return fontMetrics().elidedText(words.mid(from), Qt::ElideRight, width); };
    if (words.isEmpty())
        return {};
    if (m_lines == 1)
        return {rest(0)};
    QStringList lines;
    QTextLayout layout(words, font());
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        if (lines.size() + 1 == m_lines) {
            lines << rest(line.textStart());
            break;
        }
        line.setLineWidth(width);
        lines << words.mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return lines;
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QRect line = contentsRect();
    line.setHeight(fontMetrics().lineSpacing());
    for (const QString& shown : brokenLines()) {
        style()->drawItemText(&painter, line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, palette(),
                              isEnabled(), shown, foregroundRole());
        line.translate(0, line.height());
    }
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QLabel::event(event);
    const QStringList shown = brokenLines();
    const bool cut = !shown.isEmpty() && shown.back().endsWith(QChar(0x2026));
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), cut ? text() : toolTip(), this);
    return true;
}

void ElidedLabel::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(u"Copy"_s, this, [this] { QApplication::clipboard()->setText(text()); });
    menu.exec(event->globalPos());
}

}  // namespace overlane
