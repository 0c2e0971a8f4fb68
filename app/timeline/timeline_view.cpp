#include "app/timeline/timeline_view.h"

#include <algorithm>
#include <cstdlib>

#include <QEvent>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

#include "app/theme/palette.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/held_keys.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/legend_row.h"
#include "app/timeline/overview_strip.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/selection.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/title_label.h"
#include "app/timeline/view_range.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

// Host and device of one process in sight; of two runs at least their devices.
constexpr int kLeastLanesPx = 11 * kRowPx;
constexpr int kLeastComparedPx = 6 * kRowPx;
constexpr int kLeastOfThreePx = 4 * kRowPx;
constexpr int kLeastYieldingPx = 3 * kRowPx;
constexpr int kLowWindowPx = 640;  // lower ones have no room for more

// Nobody watches a picture that is drawn offscreen.
int motionMs(const QWidget& widget)
{
    constexpr int kLongestMs = 120;
    const QString platform = QGuiApplication::platformName();
    if (platform == QLatin1String("offscreen") || platform == QLatin1String("minimal") ||
        qEnvironmentVariable("OVERLANE_MOTION") == QLatin1String("0"))
        return 0;
    return std::min(kLongestMs, widget.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &widget));
}

}  // namespace

TimelineView::TimelineView(ViewRange* view, Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_selection(selection),
      m_bookmarks(new Bookmarks(this)),
      m_held(new HeldKeys(
          view, [this] { return anchorNs(); }, this)),
      m_overview(new OverviewStrip(view, this)),
      m_ruler(new TimeRuler(view, selection, m_bookmarks, this)),
      m_comparedTitle(new TitleLabel(this)),
      m_compared(new LaneCanvas(view, selection, true, this)),
      m_shownTitle(new TitleLabel(this)),
      m_lanes(new LaneCanvas(view, selection, false, this)),
      m_second(new SecondLanes(view, selection, this)),
      m_legend(new LegendRow(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_overview);
    column->addWidget(m_ruler);
    column->addWidget(m_comparedTitle);
    column->addWidget(m_compared, 1);
    column->addWidget(m_shownTitle);
    column->addWidget(m_lanes, 1);
    column->addWidget(m_second, 1);
    column->addWidget(m_legend);
    for (TitleLabel* title : {m_comparedTitle, m_shownTitle}) {
        title->setContentsMargins(8, 3, 8, 3);
        title->hide();
    }
    for (LaneCanvas* lanes : {m_compared, m_lanes, m_second->lanes()})
        connect(lanes, &LaneCanvas::scrolled, this, [this, lanes] { scrollAlike(lanes); });
    m_compared->hide();
    m_compared->setMinimumHeight(kLeastComparedPx);
    m_lanes->setMinimumHeight(kLeastLanesPx);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setEmptyText(tr("Open a trace, or run the laboratory."));
    m_lanes->setBookmarks(m_bookmarks);
    m_compared->setBookmarks(m_bookmarks);
    m_view->setMotionMs(motionMs(*this));
    connect(m_lanes, &LaneCanvas::foldingChanged, this, &TimelineView::foldingChanged);
    connect(m_lanes, &LaneCanvas::eventHovered, this, &TimelineView::eventHovered);
    connect(m_lanes, &LaneCanvas::contextMenuRequested, this, &TimelineView::contextMenuRequested);
    connect(m_lanes, &LaneCanvas::eventDoubleClicked, this, &TimelineView::zoomTo);
    connect(m_second, &SecondLanes::offsetChanged, this, [this] {
        shareHeight();
        updateLimits();
    });
}

TimelineView::~TimelineView() = default;

void TimelineView::setTrace(std::shared_ptr<const Trace> trace, bool partial,
                            std::shared_ptr<const TracePyramids> pyramids)
{
    m_partial = partial;
    if (trace != m_lanes->trace())
        m_selection->setEvent({});
    const auto isRun = [](const Trace* shown) { return shown && shown->metadata().isLaboratoryRun(); };
    if (!isRun(m_lanes->trace().get()) || !isRun(trace.get()))
        m_bookmarks->clear();
    m_lanes->setTrace(std::move(trace), std::move(pyramids));
    m_ruler->setStepMarks({});
    updateLimits();
    m_overview->setTrace(m_lanes->pyramids());
}

const std::shared_ptr<const Trace>& TimelineView::trace() const
{
    return m_lanes->trace();
}

void TimelineView::setCompared(std::shared_ptr<const Trace> trace, const QString& title,
                               std::shared_ptr<const TracePyramids> pyramids)
{
    const bool shown = trace != nullptr;
    m_comparedName = title;
    m_compared->setTrace(std::move(trace), std::move(pyramids));
    m_compared->setMaximumHeight(std::max(m_compared->minimumHeight(), m_compared->trackLayout().heightPx + 6));
    m_compared->setVisible(shown);
    shareHeight();
    updateLimits();
}

void TimelineView::scrollAlike(LaneCanvas* from)
{
    const std::optional<LanePlace> place = from->topPlace();
    if (!place)
        return;
    for (LaneCanvas* lanes : {m_compared, m_lanes, m_second->lanes()})
        if (lanes != from && lanes->trace())
            lanes->scrollToPlace(*place);
}

void TimelineView::shareHeight()
{
    const int others = (m_compared->trace() ? 1 : 0) + (m_second->shown() ? 1 : 0);
    const bool yielding = m_yielding || window()->height() < kLowWindowPx;
    const auto unlessYielding = [yielding](int px) { return yielding ? std::min(px, kLeastYieldingPx) : px; };
    const int leastPx = unlessYielding(others == 0 ? kLeastLanesPx : others == 1 ? kLeastComparedPx : kLeastOfThreePx);
    m_compared->setMinimumHeight(unlessYielding(others == 2 ? kLeastOfThreePx : kLeastComparedPx));
    m_lanes->setMinimumHeight(leastPx);
    m_second->lanes()->setMinimumHeight(std::min(leastPx, kLeastComparedPx));
}

void TimelineView::setYielding(bool yielding)
{
    m_yielding = yielding;
    shareHeight();
}

void TimelineView::updateLimits()
{
    Interval limits = m_lanes->trace() ? m_lanes->trace()->span() : Interval{};
    const auto widen = [&limits](Interval span) {
        limits = limits.empty() ? span
                                : Interval{std::min(limits.startNs, span.startNs), std::max(limits.endNs, span.endNs)};
    };
    if (const auto& other = m_compared->trace())
        widen(other->span());
    if (m_second->shown())
        widen(m_second->spanInFirst());
    m_view->setLimits(limits);
    showTitles();
    m_legend->setTraces({m_lanes->trace().get(), m_compared->trace().get(), m_second->second().trace.get()});
}

void TimelineView::showTitles()
{
    const Trace* a = m_compared->trace().get();
    const Trace* b = m_lanes->trace().get();
    m_comparedTitle->setVisible(a != nullptr && b != nullptr);
    m_shownTitle->setVisible(b != nullptr && (a != nullptr || m_second->shown()));
    const Palette& colors = Palette::current(palette());
    if (b != nullptr && a == nullptr && m_second->shown()) {
        const SecondTrace& second = m_second->second();
        const QString length = QString::fromStdString(formatDuration(b->span().lengthNs()));
        m_shownTitle->setTitle(
            colors.accent, second.firstBadge, m_shownName,
            second.firstRest.isEmpty() ? length : length + QStringLiteral(" \u00b7 ") + second.firstRest);
    }
    if (a == nullptr || b == nullptr)
        return;
    const std::int64_t aNs = a->span().lengthNs();
    const std::int64_t bNs = b->span().lengthNs();
    QString rest = QString::fromStdString(formatDuration(bNs));
    // Less than a hundredth is no difference that a person sees.
    if (m_partial) {
        rest += tr(" \u00b7 the run's beginning");
    } else if (aNs > 0 && bNs > 0 && std::abs(aNs - bNs) * 100 > aNs) {
        const double ratio = static_cast<double>(std::max(aNs, bNs)) / static_cast<double>(std::min(aNs, bNs));
        rest += (bNs < aNs ? tr(" \u00b7 %1 \u00d7 shorter than A") : tr(" \u00b7 %1 \u00d7 longer than A"))
                    .arg(ratio, 0, 'f', ratio < 10 ? 2 : 0);
    }
    m_comparedTitle->setTitle(colors.accent, QStringLiteral("A"), m_comparedName,
                              QString::fromStdString(formatDuration(aNs)) + tr(" \u00b7 kept"));
    m_shownTitle->setTitle(colors.accent, QStringLiteral("B"),
                           m_shownName.isEmpty() ? QString::fromStdString(b->metadata().title) : m_shownName, rest);
}

void TimelineView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showTitles();
    if (event->type() == QEvent::StyleChange)
        m_view->setMotionMs(motionMs(*this));
    QWidget::changeEvent(event);
}

void TimelineView::setShownName(const QString& name)
{
    m_shownName = name;
    showTitles();
}

void TimelineView::setEmptyText(const QString& text)
{
    m_lanes->setEmptyText(text);
}

void TimelineView::setBundling(std::optional<Interval> active)
{
    m_lanes->setBundling(active);
    const auto others = active ? std::optional(Interval{}) : std::nullopt;
    m_compared->setBundling(others);
    m_second->lanes()->setBundling(others);
}

bool TimelineView::isCollapsed(TrackId track) const
{
    return trace() && m_lanes->collapse().collapsed(*trace(), track);
}

void TimelineView::setCollapsed(TrackId track, bool collapsed)
{
    m_lanes->changeCollapse([&](CollapseState& state, const Trace& shown) { state.set(shown, track, collapsed); });
}

void TimelineView::collapseAll()
{
    m_lanes->changeCollapse([](CollapseState& state, const Trace& shown) { state.setAll(shown, true); });
}

void TimelineView::expandAll()
{
    m_lanes->changeCollapse([](CollapseState& state, const Trace& shown) { state.setAll(shown, false); });
}

QString TimelineView::folding() const
{
    QJsonObject folded;
    for (const auto& [path, collapsed] : m_lanes->collapse().byPath())
        folded.insert(QString::fromStdString(path), collapsed);
    return folded.isEmpty() ? QString() : QString::fromUtf8(QJsonDocument(folded).toJson(QJsonDocument::Compact));
}

void TimelineView::setFolding(const QString& folding)
{
    std::map<std::string, bool> byPath;
    const QJsonObject folded = QJsonDocument::fromJson(folding.toUtf8()).object();
    for (auto each = folded.begin(); each != folded.end(); ++each)
        if (each.value().isBool())
            byPath[each.key().toStdString()] = each.value().toBool();
    CollapseState state;
    state.setByPath(std::move(byPath));
    m_lanes->setCollapse(std::move(state));
}

void TimelineView::setAnalysis(std::shared_ptr<const Analysis> analysis)
{
    m_lanes->setAnalysis(std::move(analysis));
}

void TimelineView::setIdleShown(bool shown)
{
    m_idleShown = shown;
    m_lanes->setIdleShown(shown);
}

void TimelineView::setBadges(TrackBadges badges)
{
    m_lanes->setBadges(std::move(badges));
}

void TimelineView::setStepMarks(std::vector<RulerMark> marks)
{
    m_ruler->setStepMarks(std::move(marks));
}

void TimelineView::setHighlights(std::vector<EventIndex> events)
{
    m_lanes->setHighlights(std::move(events));
}

void TimelineView::ensureVisible(EventIndex event)
{
    if (!trace() || !event.valid() || event.index() >= trace()->eventCount())
        return;
    const TrackId track = trace()->trackOf(event);
    m_lanes->changeCollapse([&](CollapseState& state, const Trace& shown) { state.reveal(shown, track); });
    m_lanes->scrollTo(event);
    const Interval interval = trace()->interval(event);
    const Interval range = m_view->target();
    if (interval.startNs >= range.startNs && interval.endNs <= range.endNs)
        return;
    const std::int64_t lengthNs = std::max(range.lengthNs(), interval.lengthNs() + interval.lengthNs() / 5);
    const std::int64_t startNs = interval.startNs + interval.lengthNs() / 2 - lengthNs / 2;
    m_view->glideTo({startNs, startNs + lengthNs});
}

void TimelineView::zoomTo(EventIndex event)
{
    if (!trace() || !event.valid() || event.index() >= trace()->eventCount())
        return;
    const Interval interval = trace()->interval(event);
    const std::int64_t marginNs = std::max(interval.lengthNs(), ViewRange::kMinimumNs / 2);
    m_view->glideTo({interval.startNs - marginNs, interval.endNs + marginNs});
    ensureVisible(event);
}

}  // namespace overlane
