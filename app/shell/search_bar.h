// SearchBar: finds events by name, marks them in the timeline and steps from one to the next.
//
// Lives on the GUI thread; asks the document for the trace and writes its selection. A worker looks for
// the hits, so typing never waits; Enter pressed before they are there goes to one as soon as they are.
#pragma once

#include <vector>

#include <QFrame>

#include "app/session/background_worker.h"
#include "app/session/event_walk.h"
#include "core/base/strong_id.h"

class QLabel;
class QLineEdit;

namespace overlane
{

class Document;
class DurationFilter;

class SearchBar : public QFrame
{
    Q_OBJECT

public:
    explicit SearchBar(Document* document, QWidget* parent = nullptr);

    void open();
    void open(const QString& name);
    // The first step goes to the first hit in sight, or behind it; previous() to the last one before it.
    void next();
    void previous();
    // In order of start; those of the last text whose search has ended.
    const std::vector<EventIndex>& hits() const { return m_walk.events(); }
    bool busy() const { return m_worker.busy(); }

signals:
    void hitsChanged(const overlane::EventSet& hits);
    void eventRequested(overlane::EventIndex event);
    // The hits as a table.
    void listRequested(const QString& name, qint64 leastNs);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Wish { None, Next, Previous };

    void search();
    void adopt(FoundEvents hits);
    void forgetHits();
    std::size_t firstInSight() const;
    void visit(EventIndex event);
    void leave();

    Document* m_document;
    QLineEdit* m_text;
    DurationFilter* m_least;
    QLabel* m_count;
    EventWalk m_walk;
    bool m_searching = false;
    Wish m_wish = Wish::None;  // what to do once the hits are there
    BackgroundWorker m_worker;
};

}  // namespace overlane
