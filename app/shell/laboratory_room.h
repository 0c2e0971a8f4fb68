// LaboratoryRoom: shows the laboratory beside its own runs; for a trace that was opened or recorded, whose settings
// it does not have, it leaves its room to the timeline.
//
// Lives on the GUI thread, as a child of the window. What a person chooses stays for either kind of trace; with
// `remember` also the choice for opened ones, among the user's settings. The one for the laboratory's own runs is
// in the window's layout.
#pragma once

#include <QObject>

class QDockWidget;

namespace overlane
{

class Document;

class LaboratoryRoom : public QObject
{
    Q_OBJECT

public:
    // Once the window's layout is restored.
    LaboratoryRoom(QDockWidget* dock, Document* document, bool remember, QObject* parent);

    // A trace is about to be opened: before the window is shown, so that nothing moves afterwards.
    void stepAside() { follow(true); }
    // Shows it, as a person would.
    void show();
    // Once more, after a layout was restored.
    void settle();
    // As beside the laboratory's own runs, for a layout to keep.
    void leaveLayout() { follow(false); }

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(bool opened);
    void choose(bool shown);

    QDockWidget* m_dock;
    Document* m_document;
    bool m_remember;
    bool m_opened = false;      // what the dock was shown or hidden for last
    bool m_withOpened = false;  // whether a person wants it beside an opened trace
    bool m_withOwn;
};

}  // namespace overlane
