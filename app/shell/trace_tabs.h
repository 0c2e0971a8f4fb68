// TraceTabs: the traces that are open in one window, as tabs above the timeline.
//
// Lives on the GUI thread. The document shows one trace; the others are set aside as values (Document::Aside) with what
// the window has beside them: unsaved notes, the second timeline, changes of bookmarks. A tab may also be a file that
// is not read yet: it is read when it is shown. With one trace the bar is hidden. A run of the laboratory that a person
// left as the window began with it makes room; any other is a tab of its own.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QStringList>
#include <QTabBar>

#include "app/second/what_if_choices.h"
#include "app/session/document.h"
#include "app/shell/main_window.h"
#include "app/timeline/lane_canvas.h"
#include "core/analysis/verdict.h"

class QUndoCommand;

namespace overlane
{

class UnsavedFile;

class TraceTabs : public QTabBar, public Document::Places
{
    Q_OBJECT

public:
    // A file with the range that was in sight; empty: as it is first shown.
    struct Trace {
        QString path;
        Interval visible;
    };

    explicit TraceTabs(MainWindow* window, QWidget* parent = nullptr);
    ~TraceTabs() override;

    // Shows the file in a new tab, or in the tab that has it. The one in front is read again.
    void open(const QString& path);
    // Files that are read once they are shown, but those that are open; the one of this index is shown at once.
    void openAll(const std::vector<Trace>& traces, int front);
    void show(int index);
    void showNext(int step);
    void closeTrace(int index);
    // All but this one, after asking what becomes of unsaved notes.
    void closeOthers(int index);
    // The trace closed last, in the tab that has it by now where there is one.
    void reopenClosed();

    // Files with their ranges in the order of the tabs.
    std::vector<Trace> traces() const;
    // Which of traces() is in front; the first where none of them is.
    int frontTrace() const;
    QString path(int index) const;
    int shownIndex() const { return indexOf(m_front); }
    bool hasClosed() const { return !m_closed.empty(); }

    // The next trace with unsaved notes is shown, in any but these tabs; false where there is none.
    bool showUnsaved();
    // Its notes were given up; for good only by giveUpAll(), since the end may yet be called off.
    void giveUpShown();
    void giveUpAll();
    void keepAll() { m_givenUp.clear(); }

    // Shows the trace that the command was made in.
    void showTraceOf(const QUndoCommand* command);

    // The trace in sight and the tab that it is compared with change places; false where that is no tab's.
    bool swapCompared();

    bool keepsOpened() const override { return m_tabs.size() > 1; }
    bool makeRoom(Document::Origin coming, const QString& path) override;

signals:
    // Tabs, their order, or the one in front.
    void tracesChanged();
    // A person chose another trace that is open, or closed the last one.
    void otherShown();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    static constexpr int kMarkPx = 10;

    struct Tab {
        QString path;  // absolute; empty for runs and recordings
        QString title;
        QString headline;
        VerdictTone tone = VerdictTone::Nothing;
        Document::Origin origin = Document::Origin::Nothing;
        bool dirty = false;
        Interval visible;                           // of a file not read yet
        std::shared_ptr<Document::Aside> aside;     // while it is not in front
        std::shared_ptr<UnsavedFile> unsaved = {};  // while it is not in front
        Document::Other compared = {};
        WhatIfChoices choices = {};
        int marks = 0;  // generation of its bookmarks
        std::optional<LanePlace> scrolledTo = {};
    };

    int idAt(int index) const { return tabData(index).toInt(); }
    int indexOf(int id) const;
    // 0 where no tab has the file.
    int tabOf(const QString& path) const;
    int add(Tab tab);
    void drop(int id);
    void leave();
    void enter(int id);
    void showId(int id);
    void read(int id);
    // Before anything is lost of the shown trace.
    void closeShown();
    void afterClosing();
    void closeNextOther(int kept, MainWindow::NotesAnswer answer);
    void compareWithShown(int id);
    void endReading();
    void describeShown();
    void describeVerdict();
    void dress(int id);
    void dressAll();
    bool isUntouchedRun() const;
    void rememberClosed(int id);

    MainWindow* m_window;
    Document* m_document;
    std::map<int, Tab> m_tabs;
    std::map<const QUndoCommand*, int> m_madeIn;
    std::vector<int> m_givenUp;
    std::vector<Trace> m_closed;
    int m_lastId = 0;
    int m_front = 0;         // of the shown trace; 0 before there is one
    int m_wanted = 0;        // that is being read
    bool m_failed = false;   // m_wanted
    bool m_stays = false;    // the person went back to the shown trace since
    bool m_leaving = false;  // the shown trace is closed once another is there
};

}  // namespace overlane
