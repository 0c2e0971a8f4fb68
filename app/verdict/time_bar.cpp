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
constexpr int kSwatchGapPx = 4;
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
    return {kWidthPx, kHeightPx + kNamesPx};
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

QFont TimeBar::smallFont() const
{
    QFont small = font();
    small.setPixelSize(kFontPx);
    return small;
}

QStringList TimeBar::names() const
{
    QStringList names;
    for (const Label& label : m_wholeNs > 0 ? labels(QFontMetrics(smallFont())) : std::vector<Label>())
        if (label.named || !label.below.isEmpty())
            names << (label.named ? label.inside : label.below);
    return names;
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
        Label label{&part, QRect(left, 0, edgePx(beforeNs) - left, kHeightPx), {}, false, {}, 0};
        const QString share = shareOf(part);
        for (const QString& words : {text(part.name()) + ' ' + share, text(part.brief()) + ' ' + share, share})
            if (metrics.horizontalAdvance(words) <= label.cell.width() - 2 * kTextMarginPx) {
                label.inside = words;
                label.named = words != share;
                break;
            }
        labels.push_back(std::move(label));
    }
    // In the order of the bar, until the line is full.
    int nextPx = 0;
    for (Label& label : labels) {
        if (label.named || label.part->timeNs == 0)
            continue;
        const QString brief = text(label.part->brief());
        const QString share = shareOf(*label.part);
        const QString words = label.inside.isEmpty() && share != u"0\u202f%"_s ? brief + ' ' + share : brief;
        const int widePx = kSwatchPx + kSwatchGapPx + metrics.horizontalAdvance(words);
        if (nextPx + widePx > width())
            break;
        label.below = words;
        label.belowPx = nextPx;
        nextPx += widePx + kNameGapPx;
    }
    return labels;
}

void TimeBar::paintEvent(QPaintEvent*)
{
    if (m_wholeNs <= 0)
        return;
    const Palette& colors = Palette::current(QApplication::palette());
    QPainter painter(this);
    painter.setFont(smallFont());
    for (const Label& label : labels(painter.fontMetrics())) {
        const QColor ground = colors.kind(label.part->drawnAs());
        painter.fillRect(label.cell, ground);
        painter.fillRect(label.cell.right(), 0, 1, kHeightPx, colors.panel);
        painter.setPen(colors.textOn(ground));
        painter.drawText(label.cell.adjusted(kTextMarginPx, 0, -kTextMarginPx, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         label.inside);
        if (label.below.isEmpty())
            continue;
        painter.fillRect(label.belowPx, kHeightPx + (kNamesPx - kSwatchPx) / 2 + 1, kSwatchPx, kSwatchPx, ground);
        painter.setPen(colors.mutedText);
        painter.drawText(QRect(label.belowPx + kSwatchPx + kSwatchGapPx, kHeightPx, width(), kNamesPx),
                         Qt::AlignVCenter | Qt::AlignLeft, label.below);
    }
}

}  // namespace overlane
