// What must hold in the window of WindowSoak after every action.
#include <QApplication>
#include <QPlainTextEdit>

#include "app/second/compare_panel.h"
#include "app/second/second_timelines.h"
#include "app/shell/bottom_panel.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "core/loader/settings.h"
#include "tests/stress/window/window_soak.h"

namespace overlane
{

namespace
{

bool within(Interval inner, Interval outer)
{
    return inner.startNs >= outer.startNs && inner.endNs <= outer.endNs;
}

std::string wrongSizes(const MainWindow& window)
{
    int endPx = 0;
    for (const LaneRow& row : window.timeline()->lanes()->trackLayout().rows) {
        if (row.heightPx < 0 || row.topPx < endPx)
            return "rows of lanes overlap or have no height";
        endPx = row.topPx + row.heightPx;
    }
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && !widget->size().isValid())
            return std::string("a negative size: ") + widget->metaObject()->className() + " " +
                   widget->objectName().toStdString();
    return {};
}

std::string wrongTrace(const MainWindow& window, Document& document)
{
    const auto& trace = document.trace();
    if (!trace || !document.current().analysis)
        return "no trace, or one without analysis";
    if (window.timeline()->trace() != trace)
        return "the timeline shows another trace than the document";
    if (document.title().isEmpty() || !window.windowTitle().contains(document.title()))
        return "the window's title is " + window.windowTitle().toStdString();
    if (document.origin() == Document::Origin::File && document.path().isEmpty())
        return "a file without a path";
    if (window.isWindowModified() != document.dirty())
        return "the window says modified where the document does not, or the other way round";
    if (!document.selection()->range() && !within(document.judgedRange(), trace->span()))
        return "the verdict is about more than the trace";
    return {};
}

std::string wrongMarks(const MainWindow& window, Document& document)
{
    const EventIndex event = document.selection()->event();
    if (event.valid() && event.value() >= document.trace()->eventCount())
        return "an event of another trace is selected";
    if (document.selection()->range() && document.selection()->range()->empty())
        return "an empty range is selected";
    const ViewRange* view = document.view();
    if (view->range().empty() || !within(view->range(), view->limits()) ||
        !within(document.trace()->span(), view->limits()))
        return "the visible range is outside its limits";
    if (window.bottomPanel()->notes()->toPlainText() != document.notes())
        return "the notes shown are not the document's";
    if (window.timeline()->bookmarks()->toText() != document.bookmarks())
        return "the bookmarks shown are not the document's";
    return {};
}

// A run of the laboratory is of its settings once nothing is under way.
std::string wrongRun(Document& document)
{
    if (document.origin() != Document::Origin::Laboratory)
        return {};
    if (document.trace()->metadata().scenarioJson != scenarioToJson(document.laboratory()->scenario()))
        return "the run shown is of other settings than the laboratory's";
    return {};
}

}  // namespace

std::string WindowSoak::check(bool settled)
{
    if (!m_found.empty())
        return m_found;
    Document& document = *m_window->document();
    if (std::string wrong = wrongSizes(*m_window); !wrong.empty())
        return wrong;
    if (std::string wrong = wrongTrace(*m_window, document); !wrong.empty())
        return wrong;
    if (std::string wrong = wrongMarks(*m_window, document); !wrong.empty())
        return wrong;
    if (!settled)
        return {};
    const CompareSource* comparison = m_window->secondTimelines()->comparison();
    if (comparison->active() != (m_window->bottomPanel()->indexOf(m_window->secondTimelines()->comparePanel()) >= 0))
        return "the tab of the comparison is there without one, or the other way round";
    return m_runIsFollowed ? wrongRun(document) : std::string();
}

}  // namespace overlane
