// FlamePanel: the flame graph of the shown range: where host time goes, by who calls whom, from callers down or from
// calls up; the events of a frame are marked in the timeline and walked through.
//
// Lives on the GUI thread; follows the document's trace and selected range. A worker sums, only while the panel is
// visible; until it has, the frames of the last answer stay (those of another trace go at once).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/session/background_worker.h"
#include "app/session/event_walk.h"
#include "core/names/call_tree.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QToolButton;

namespace overlane
{

class Document;
class FlameView;

class FlamePanel : public QWidget
{
    Q_OBJECT

public:
    explicit FlamePanel(Document* document, QWidget* parent = nullptr);

    FlameView* view() const { return m_view; }
    // Whether the frames are the answer to what was asked last.
    bool current() const { return m_current; }
    BackgroundWorker* worker() { return &m_worker; }
    // Of the frame asked for last, in order of start.
    const EventWalk& walk() const { return m_walk; }
    // Marks the events of a frame's name in the timeline.
    void findEvents(std::uint32_t node);

signals:
    void eventRequested(overlane::EventIndex event);
    void eventsMarked(const overlane::EventSet& events);

protected:
    void showEvent(QShowEvent* event) override;

private:
    // What one choice of the list of threads stands for.
    struct Scope {
        CallSource source = CallSource::Events;
        std::optional<TrackId> track;  // none: all of them
        bool byThread = false;
    };

    void makeControls();
    void refresh();
    void listScopes();
    void askIfSeen();
    void take(Result<std::shared_ptr<const CallTree>> tree);
    void showAnswer();
    void showWorking(double fraction);
    void search();
    void showMenu(std::uint32_t node, QPoint globalPos);
    void copyName(std::uint32_t node);
    void forgetWalk();
    void visit(EventIndex event);

    Document* m_document;
    QComboBox* m_direction;
    QComboBox* m_threads;
    QLabel* m_unsampled;  // beside the threads: the trace has no sampled stacks to choose
    QLineEdit* m_search;
    QLabel* m_matched;
    QLabel* m_range;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QToolButton* m_previous;
    QToolButton* m_next;
    QLabel* m_place;
    FlameView* m_view;
    std::vector<Scope> m_scopes;  // beside the list of threads
    CallQuery m_asked;
    EventWalk m_walk;
    bool m_current = true;
    bool m_stale = true;
    BackgroundWorker m_worker;
    BackgroundWorker m_finder;  // finds the events of a frame
};

}  // namespace overlane
