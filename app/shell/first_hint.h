// FirstHint: the line above the timeline that says what to try first, with a button that does it:
// pinned memory, then non_blocking, then a side stream.
//
// Lives on the GUI thread. What it says follows the laboratory's settings, so undo leads back a step;
// it is silent where a file is shown or where other settings than its three differ from the first
// preset, because its sentences would not be true there. Each step is one undo step.
#pragma once

#include "app/session/analyzed_trace.h"
#include "app/widgets/tinted_bar.h"

class QLabel;
class QPushButton;

namespace overlane
{

class Document;

class FirstHint : public TintedBar
{
    Q_OBJECT

public:
    explicit FirstHint(Document* document, QWidget* parent = nullptr);

    // Says the step that comes next, from now on.
    void offer();
    QString sentence() const;

signals:
    // It was closed, or its last step was taken: it need not come back at the next start.
    void done();
    void lessonsRequested();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void dress();
    void takeStep();
    // What the steps made of the run before the first of them.
    QString gain() const;
    void showPayoff();

    Document* m_document;
    bool m_offered = false;
    std::shared_ptr<const Trace> m_beforeLast;  // shown when the last step was taken; its run is to come
    AnalyzedTrace m_before;                     // the run before the first step; none where it was taken elsewhere
    std::int64_t m_beforeStepNs = 0;
    QLabel* m_text;
    QPushButton* m_try;
};

}  // namespace overlane
