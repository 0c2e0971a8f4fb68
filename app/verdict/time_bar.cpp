#include "app/verdict/time_bar.h"

#include <cmath>

#include <QApplication>
#include <QPainter>

#include "app/theme/palette.h"
#include "app/timeline/time_tip.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kHeightPx = 16;
constexpr int kWidthPx = 280;
constexpr int kFontPx = 11;
constexpr int kTextMarginPx = 4;
constexpr int kNamesPx = 15;  // the line below
constexpr int kSwatchPx = 7;
constexpr int kNameGapPx = 10;

}  // namespace

TimeBar::TimeBar(QWidget* parent) : QWidget(parent)
{
    setObjectName("timeBar");
    setAccessibleName(u"Where the time goes"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize TimeBar::sizeHint() const
{
    return {kWidthPx, m_named ? kHeightPx + kNamesPx : kHeightPx};
}

QSize TimeBar::minimumSizeHint() const
{
    return sizeHint();
}

void TimeBar::setTime(const Judgement& judgement, const DeviceSummary* device)
{
    m_parts = device != nullptr ? timeParts(judgement, *device) : std::vector<TimePart>();
    m_wholeNs = m_parts.empty() ? 0 : device->wallNs;
    setToolTip(m_parts.empty() ? QString() : timeTip(judgement, *device, Palette::current()));
    setAccessibleDescription(m_parts.empty() ? QString() : text(spokenText(timeTable(judgement, *device))));
    update();
}

void TimeBar::setNamed(bool named)
{
    if (named == m_named)
        return;
    m_named = named;
    updateGeometry();
    update();
}

QString TimeBar::shareOf(const TimePart& part) const
{
    return u"%1\u202f%"_s.arg(std::lround(100.0 * static_cast<double>(part.timeNs) / static_cast<double>(m_wholeNs)));
}

std::vector<TimeBar::Label> TimeBar::labels(const QFontMetrics& metrics) const
{
    std::vector<Label> labels;
    std::int64_t beforeNs = 0;
    const auto edgePx = [this](std::int64_t ns) {
        return static_cast<int>(std::lround(static_cast<double>(ns) / static_cast<double>(m_wholeNs) * width()));
    };
    for (const TimePart& part : m_parts) {
        const int left = edgePx(beforeNs);
        beforeNs += part.timeNs;
        Label label{&part, QRect(left, 0, edgePx(beforeNs) - left, kHeightPx), {}, false};
        const QString share = shareOf(part);
        for (const QString& words : {text(part.name()) + ' ' + share, text(part.brief()) + ' ' + share, share})
            if (metrics.horizontalAdvance(words) <= label.cell.width() - 2 * kTextMarginPx) {
                label.inside = words;
                label.named = words != share;
                break;
            }
        labels.push_back(std::move(label));
    }
    return labels;
}

void TimeBar::paintEvent(QPaintEvent*)
{
    if (m_wholeNs <= 0)
        return;
    const Palette& colours = Palette::current(QApplication::palette());
    QPainter painter(this);
    QFont small = font();
    small.setPixelSize(kFontPx);
    painter.setFont(small);
    const std::vector<Label> all = labels(painter.fontMetrics());
    for (const Label& label : all) {
        const QColor ground = colours.kind(label.part->drawnAs());
        painter.fillRect(label.cell, ground);
        painter.fillRect(label.cell.right(), 0, 1, kHeightPx, colours.panel);
        painter.setPen(colours.textOn(ground));
        painter.drawText(label.cell.adjusted(kTextMarginPx, 0, -kTextMarginPx, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         label.inside);
    }
    if (m_named)
        paintNames(painter, all);
}

// In the order of the bar, until the line is full.
void TimeBar::paintNames(QPainter& painter, const std::vector<Label>& labels) const
{
    const Palette& colours = Palette::current(QApplication::palette());
    painter.setPen(colours.mutedText);
    int x = 0;
    for (const Label& label : labels) {
        if (label.named || label.part->timeNs == 0)
            continue;
        const QString brief = text(label.part->brief());
        const QString share = shareOf(*label.part);
        const QString words = label.inside.isEmpty() && share != u"0\u202f%"_s ? brief + ' ' + share : brief;
        const int wide = kSwatchPx + 4 + painter.fontMetrics().horizontalAdvance(words);
        if (x + wide > width())
            break;
        painter.fillRect(x, kHeightPx + (kNamesPx - kSwatchPx) / 2 + 1, kSwatchPx, kSwatchPx,
                         colours.kind(label.part->drawnAs()));
        painter.drawText(QRect(x + kSwatchPx + 4, kHeightPx, wide, kNamesPx), Qt::AlignVCenter | Qt::AlignLeft, words);
        x += wide + kNameGapPx;
    }
}

}  // namespace overlane
