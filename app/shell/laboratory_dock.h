// LaboratoryDock: the dock of the laboratory, shown beside the laboratory's own runs. For a trace that was opened or
// recorded, whose settings the laboratory does not have, it leaves its place to the timeline.
//
// Lives on the GUI thread, in the window. What a person chooses stays for either kind of trace; with `remember` also
// the choice for opened ones, among the user's settings. The one for the laboratory's own runs is in the window's
// layout.
#pragma once

#include <QDockWidget>

namespace overlane
{

class Document;

class LaboratoryDock : public QDockWidget
{
    Q_OBJECT

public:
    LaboratoryDock(Document* document, bool remember, QWidget* parent);

    // From now on, once the window's layout is restored.
    void followDocument();
    // A trace is about to be opened: before the window is shown, so that nothing moves afterwards.
    void stepAside() { follow(true); }
    // Shows or hides it, as a person would.
    void choose(bool shown);
    // Once more, after a layout was restored.
    void settle() { setVisible(m_opened ? m_withOpened : m_withOwn); }
    // As beside the laboratory's own runs, for a layout to keep.
    void leaveLayout() { follow(false); }

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void follow(bool opened);

    Document* m_document;
    bool m_remember;
    bool m_opened = false;      // what it was shown or hidden for last
    bool m_withOpened = false;  // whether a person wants it beside an opened trace
    bool m_withOwn = true;
};

}  // namespace overlane
