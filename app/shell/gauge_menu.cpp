#include "app/shell/gauge_menu.h"

#include <algorithm>

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>

#include "app/session/document.h"
#include "app/shell/time_actions.h"
#include "app/timeline/counter_samples.h"
#include "app/timeline/gauge_order.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/track_layout.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

QString menuTitle(const TracePyramids& pyramids, TrackId gauge)
{
    return text(gaugeTitle(pyramids, gauge)).replace(u'&', u"&&"_s);
}

void changeLook(TimelineView* timeline, TrackId track, const std::function<void(TrackLook&)>& change)
{
    timeline->arrange([&](TrackArrangement& arrangement, const Trace& trace) {
        const std::string path = trackPath(trace, track);
        TrackLook look = arrangement.of(path);
        change(look);
        arrangement.set(path, look);
    });
}

}  // namespace

GaugeMenu::GaugeMenu(const GaugeSpot& spot, Document* document, TimelineView* timeline, GaugePanel* gauges,
                     QWidget* parent)
    : QMenu(parent),
      m_spot(spot),
      m_document(document),
      m_timeline(timeline),
      m_gauges(gauges),
      m_trace(*document->trace())
{
    setObjectName("gaugeMenu");
    setAttribute(Qt::WA_DeleteOnClose);
    addSection(menuTitle(*m_gauges->pyramids(), spot.track));
    addValue();
    addPlace();
    fillWithGauges(addMenu(u"&Gauges"_s), timeline, gauges);
    if (spot.ns)
        addTimeActions(this, TimePlace::Lanes, *spot.ns, document, timeline);
}

void GaugeMenu::addValue()
{
    const auto& counters = m_gauges->pyramids()->counters;
    const auto counter = std::find_if(counters.begin(), counters.end(), [this](const CounterPyramid& each) {
        return each.series().track == m_spot.track;
    });
    if (counter == counters.end())
        return;
    const CounterUnit unit = counter->series().unit;
    if (m_spot.ns && m_trace.span().contains(*m_spot.ns))
        if (const auto value = valueAt(counter->series(), *m_spot.ns)) {
            const QString exact = text(exactValue(unit, *value));
            addAction(u"&Copy its value here, %1"_s.arg(exact), this,
                      [exact] { QApplication::clipboard()->setText(exact); });
        }
    const auto extreme = [&](const QString& label, bool highest) {
        const auto at = extremeAt(*counter, highest, m_trace.span().endNs);
        if (!at)
            return;
        const double value = highest ? counter->highestValue() : counter->lowestValue();
        addAction(label.arg(text(exactValue(unit, value))), this, [view = m_document->view(), at = *at] {
            const std::int64_t marginNs = std::max(at.lengthNs(), ViewRange::kMinimumNs / 2);
            view->glideTo({at.startNs - marginNs, at.endNs + marginNs});
            view->cursor()->pointAt(at.startNs);
        });
    };
    extreme(u"Zoom to its &highest value, %1"_s, true);
    extreme(u"Zoom to its &lowest value, %1"_s, false);
    addSeparator();
}

void GaugeMenu::change(const std::function<void(TrackLook&)>& change)
{
    changeLook(m_timeline, m_spot.track, change);
}

void GaugeMenu::addPlace()
{
    const TrackLook look = m_timeline->tracks().arrangement().of(trackPath(m_trace, m_spot.track));
    auto* scales = new QActionGroup(this);
    for (const bool fromLowest : {false, true}) {
        QAction* scale = addAction(
            fromLowest ? u"Scale from its lowest &value"_s : u"Scale from &zero"_s, this,
            [this, fromLowest] { change([fromLowest](TrackLook& changed) { changed.fromLowest = fromLowest; }); });
        scale->setCheckable(true);
        scale->setChecked(look.fromLowest == fromLowest);
        scales->addAction(scale);
    }
    addSeparator();
    addAction(u"&Hide it"_s, this, [this] { change([](TrackLook& changed) { changed.hidden = true; }); });
    for (const int by : {-1, 1}) {
        const std::vector<std::string> moved =
            gaugesMoved(*m_gauges->pyramids(), m_timeline->tracks().arrangement(), m_spot.track, by);
        addAction(by < 0 ? u"Move &up"_s : u"Move &down"_s, this, [this, moved] {
            m_timeline->arrange([&moved](TrackArrangement& arrangement, const Trace&) { arrangement.order(moved); });
        })->setEnabled(!moved.empty());
    }
}

void GaugeMenu::fillWithGauges(QMenu* menu, TimelineView* timeline, GaugePanel* gauges)
{
    if (!gauges->pyramids()) {
        menu->addAction(u"No trace is shown"_s)->setEnabled(false);
        return;
    }
    const std::vector<GaugeChoice> order = gaugeOrder(*gauges->pyramids(), timeline->tracks().arrangement());
    int shown = 0;
    for (const GaugeChoice& choice : order) {
        const TrackId track = choice.counter->series().track;
        QAction* action = menu->addAction(menuTitle(*gauges->pyramids(), track), menu, [timeline, track] {
            changeLook(timeline, track, [](TrackLook& look) { look.hidden = !look.hidden; });
        });
        action->setCheckable(true);
        action->setChecked(!choice.look.hidden);
        shown += choice.look.hidden ? 0 : 1;
    }
    if (order.empty()) {
        menu->addAction(u"This trace has no gauges"_s)->setEnabled(false);
        return;
    }
    menu->addSeparator();
    if (shown > gauges->plotCount())
        menu->addAction(
                u"There is room for %1 of %2; drag their upper edge for more"_s.arg(gauges->plotCount()).arg(shown))
            ->setEnabled(false);
    menu->addAction(u"As they &were"_s, menu, [timeline, order] {
        timeline->arrange([&order](TrackArrangement& arrangement, const Trace& shownTrace) {
            for (const GaugeChoice& choice : order)
                arrangement.set(trackPath(shownTrace, choice.counter->series().track), {});
        });
    });
}

}  // namespace overlane
