// Time actions: what the right button offers for a time, the same in lanes, gauges, ruler and overview.
//
// GUI thread. The actions act on the document's range and selection and on the timeline, which must outlive the menu.
#pragma once

#include <cstdint>

#include <QMenu>

namespace overlane
{

class Document;
class TimelineView;

enum class TimePlace : std::uint8_t {
    Lanes,
    Axis,  // ruler or overview: iterations, too
};

void addTimeActions(QMenu* menu, TimePlace place, std::int64_t ns, Document* document, TimelineView* timeline);
// The whole menu of ruler and overview; deletes itself when closed.
QMenu* makeTimeMenu(std::int64_t ns, Document* document, TimelineView* timeline, QWidget* parent);

}  // namespace overlane
