#include "app/timeline/title_label.h"

#include <algorithm>

#include <QFontMetrics>
#include <QResizeEvent>

#include "app/theme/palette.h"
#include "app/timeline/title_text.h"
#include "app/widgets/text.h"

namespace overlane
{

TitleLabel::TitleLabel(QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::RichText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void TitleLabel::setTitle(const QColor& ground, const QString& badge, const QString& name, const QString& rest)
{
    m_ground = ground;
    m_badge = badge;
    m_name = name;
    m_rest = rest;
    setToolTip(name.isEmpty() || rest.isEmpty() ? name + rest : name + u"\n"_s + rest);
    showTitle();
}

void TitleLabel::showTitle()
{
    const QFontMetrics metrics(font());
    QFont bold = font();
    bold.setBold(true);
    const QString space{QChar(QChar::Nbsp)};
    const int badgePx = QFontMetrics(bold).horizontalAdvance(space + m_badge + space) +
                        metrics.horizontalAdvance(space + space + u" \u00b7 "_s) + 2;
    const int leftPx = std::max(0, contentsRect().width() - badgePx);
    // The rest is what differs from one trace to the next: it keeps its room as far as half of all.
    const int restPx = metrics.horizontalAdvance(m_rest);
    const int namePx = std::max(leftPx - restPx, leftPx / 2);
    const QString name = metrics.elidedText(m_name, Qt::ElideMiddle, namePx);
    const QString rest =
        metrics.elidedText(m_rest, Qt::ElideRight, std::max(0, leftPx - metrics.horizontalAdvance(name)));
    setText(titleHtml(Palette::current(palette()), m_ground, m_badge, name, rest));
}

void TitleLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    if (!m_badge.isEmpty())
        showTitle();
}

}  // namespace overlane
