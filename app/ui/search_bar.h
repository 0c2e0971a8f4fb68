// SearchBar: finds events by name, marks them in the timeline and steps from one to the next.
//
// Lives on the GUI thread; asks the document for the trace and writes its selection.
#pragma once

#include <vector>

#include <QFrame>

#include "core/base/strong_id.h"

class QLabel;
class QLineEdit;

namespace overlane
{

class Document;

class SearchBar : public QFrame
{
    Q_OBJECT

public:
    explicit SearchBar(Document* document, QWidget* parent = nullptr);

    void open();
    void next();
    void previous();
    // In order of start.
    const std::vector<EventIndex>& hits() const { return m_hits; }

signals:
    void hitsChanged(std::vector<overlane::EventIndex> hits);
    void eventRequested(overlane::EventIndex event);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void go(std::size_t position);
    void leave();

    Document* m_document;
    QLineEdit* m_text;
    QLabel* m_count;
    std::vector<EventIndex> m_hits;
    std::size_t m_position = 0;
    bool m_fresh = true;  // no hit of this search was visited yet
};

}  // namespace overlane
