#include "app/shell/time_actions.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>

#include "app/session/document.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/text.h"
#include "core/base/exact_time.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

constexpr std::int64_t kZoomHere = 10;  // times closer

void copyText(const QString& text)
{
    QApplication::clipboard()->setText(text);
}

void addIterations(QMenu* menu, std::int64_t ns, Document* document, TimelineView* timeline)
{
    ViewRange* view = document->view();
    if (const auto step = timeline->stepAt(ns))
        menu->addAction(u"Zoom to this &iteration, %1"_s.arg(durationText(step->lengthNs())), menu, [view, step] {
            constexpr std::int64_t kMargin = 8;  // of its length, on either side
            const std::int64_t marginNs = step->lengthNs() / kMargin;
            view->glideTo({step->startNs - marginNs, step->endNs + marginNs});
        });
    menu->addAction(u"&Zoom in here"_s, menu, [view, ns] {
        const std::int64_t lengthNs = std::max(view->range().lengthNs() / kZoomHere, ViewRange::kMinimumNs);
        view->glideTo({ns - lengthNs / 2, ns - lengthNs / 2 + lengthNs});
    });
    menu->addAction(u"Ne&xt iteration\t."_s, menu, [timeline] { timeline->perform(TimelineAction::NextStep); })
        ->setEnabled(timeline->hasSteps());
    menu->addAction(u"&Previous iteration\t,"_s, menu, [timeline] { timeline->perform(TimelineAction::PreviousStep); })
        ->setEnabled(timeline->hasSteps());
    menu->addSeparator();
}

void addMeasuring(QMenu* menu, std::int64_t ns, Document* document)
{
    TimeCursor* cursor = document->view()->cursor();
    Selection* selection = document->selection();
    menu->addAction(u"M&easure from here"_s, menu, [cursor, ns] { cursor->measureFrom(ns); });
    const std::optional<std::int64_t> fromNs = cursor->measuredFrom();
    if (!fromNs)
        return;
    const Interval measured{std::min(*fromNs, ns), std::max(*fromNs, ns)};
    const QString exact = text(formatExactTime(measured.lengthNs()));
    menu->addAction(u"Select the &measured range, %1"_s.arg(exact), menu, [=] {
        selection->setRange(measured);
        cursor->measureFrom({});
    });
    menu->addAction(u"Copy the measured &distance"_s, menu, [exact] { copyText(exact); });
    menu->addAction(u"Stop measuring"_s, menu, [cursor] { cursor->measureFrom({}); });
}

}  // namespace

void addTimeActions(QMenu* menu, TimePlace place, std::int64_t ns, Document* document, TimelineView* timeline)
{
    const QString exact = text(formatExactTime(ns));
    menu->addSection(exact);
    if (place == TimePlace::Axis)
        addIterations(menu, ns, document, timeline);
    menu->addAction(u"Set a book&mark here"_s, menu, [timeline, ns] { timeline->addBookmark(ns); });
    menu->addAction(u"Copy this time"_s, menu, [exact] { copyText(exact); });
    addMeasuring(menu, ns, document);
    ViewRange* view = document->view();
    if (const auto& range = document->selection()->range()) {
        menu->addAction(u"Zoom to the selected &range, %1"_s.arg(durationText(range->lengthNs())), menu,
                        [view, zoomed = *range] { view->glideTo(zoomed); });
        menu->addAction(u"Copy its exact length"_s, menu,
                        [lengthNs = range->lengthNs()] { copyText(text(formatExactTime(lengthNs))); });
    }
    menu->addAction(u"Show the &whole trace\tCtrl+0"_s, menu, [view] { view->fitAll(); });
}

QMenu* makeTimeMenu(std::int64_t ns, Document* document, TimelineView* timeline, QWidget* parent)
{
    auto* menu = new QMenu(parent);
    menu->setObjectName("timeMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addTimeActions(menu, TimePlace::Axis, ns, document, timeline);
    return menu;
}

}  // namespace overlane
