#include "app/verdict/time_bar.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QApplication>
#include <QPainter>

#include "app/theme/cause_colour.h"
#include "app/theme/palette.h"
#include "app/timeline/track_badges.h"
#include "app/widgets/text.h"
#include "core/analysis/steps.h"

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

QColor colourOf(const TimePart& part, const Palette& colours)
{
    if (part.kernels)
        return colours.kind(EventKind::Kernel);
    return part.cause ? causeColour(colours, *part.cause) : colours.border;
}

}  // namespace

std::vector<TimePart> timeParts(const Verdict& verdict, const Summary& summary)
{
    const auto device = std::find_if(summary.devices.begin(), summary.devices.end(),
                                     [&](const DeviceSummary& each) { return each.id == verdict.device; });
    if (device == summary.devices.end() || device->kernelBusyNs == 0 || device->wallNs == 0)
        return {};
    std::vector<TimePart> parts;
    parts.push_back({u"kernels"_s, device->kernelBusyNs, {}, true});
    std::int64_t restNs = device->wallNs - device->kernelBusyNs;
    for (const Verdict::Loss& loss : verdict.losses) {
        if (loss.cause == LostCause::Ends)
            continue;
        parts.push_back({text(lostCauseName(loss.cause)), loss.lostNs, loss.cause, false});
        restNs -= loss.lostNs;
    }
    if (restNs > 0)
        parts.push_back(
            {verdict.warmUpNs > verdict.endsNs ? u"warm-up, start and end"_s : u"start and end"_s, restNs, {}, false});
    return parts;
}

TimeBar::TimeBar(QWidget* parent) : QWidget(parent)
{
    setObjectName("timeBar");
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

void TimeBar::setParts(std::vector<TimePart> parts, std::int64_t stepNs)
{
    m_parts = std::move(parts);
    m_wholeNs = std::accumulate(m_parts.begin(), m_parts.end(), std::int64_t{0},
                                [](std::int64_t sum, const TimePart& part) { return sum + part.timeNs; });
    QStringList lines;
    QString rows;
    for (const TimePart& part : m_parts) {
        const QString share = text(
            formatShare(static_cast<double>(part.timeNs) / static_cast<double>(std::max<std::int64_t>(1, m_wholeNs))));
        const QString time = durationText(stepNs > 0 ? perStepNs(part.timeNs, {0, m_wholeNs}, stepNs) : part.timeNs);
        lines << u"%1 %2 (%3)"_s.arg(part.name, time, share);
        rows +=
            u"<tr><td>%1&nbsp;&nbsp;</td><td align='right'>%2</td><td align='right'>&nbsp;&nbsp;%3"
            "</td></tr>"_s.arg(part.name.toHtmlEscaped(), time, share);
    }
    const QString title = stepNs > 0 ? u"Where the average step goes"_s : u"Where the time goes"_s;
    setToolTip(m_parts.empty() ? QString() : u"<b>%1</b><table>%2</table>"_s.arg(title, rows));
    setAccessibleName(title);
    setAccessibleDescription(lines.join(u"; "_s));
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
        const QString brief = part.cause ? shortName(*part.cause) : part.name;
        for (const QString& words : {part.name + ' ' + share, brief + ' ' + share, share})
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
        const QColor ground = colourOf(*label.part, colours);
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
        const QString brief = label.part->cause ? shortName(*label.part->cause) : label.part->name;
        const QString share = shareOf(*label.part);
        const QString words = label.inside.isEmpty() && share != u"0\u202f%"_s ? brief + ' ' + share : brief;
        const int wide = kSwatchPx + 4 + painter.fontMetrics().horizontalAdvance(words);
        if (x + wide > width())
            break;
        painter.fillRect(x, kHeightPx + (kNamesPx - kSwatchPx) / 2 + 1, kSwatchPx, kSwatchPx,
                         colourOf(*label.part, colours));
        painter.drawText(QRect(x + kSwatchPx + 4, kHeightPx, wide, kNamesPx), Qt::AlignVCenter | Qt::AlignLeft, words);
        x += wide + kNameGapPx;
    }
}

}  // namespace overlane
