// DetailsPanel: everything that is known of the selected event or gap: links to its call or its GPU work,
// why it is there, and the evidence.
//
// Lives on the GUI thread; follows the document's selection. Without a selected event it shows the selected range
// with its figures, and the trace itself: format, events, devices, and what the import could not take as it stood.
// Text can be selected and copied; links are reached with Tab and followed with Enter.
#pragma once

#include <QWidget>

#include "app/session/analyzed_trace.h"
#include "core/base/strong_id.h"

class QTextBrowser;
class QUrl;

namespace overlane
{

class Document;

class DetailsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DetailsPanel(Document* document, QWidget* parent = nullptr);

    QString shownText() const;
    // An event of another trace, shown under `title` until something else is selected or that trace is gone
    // (a trace without analysis).
    void showOther(const AnalyzedTrace& other, EventIndex event, const QString& title);
    QSize sizeHint() const override { return {270, 400}; }

signals:
    void eventRequested(overlane::EventIndex event);
    void otherEventRequested(overlane::EventIndex event);  // of the other trace
    void helpRequested(const QString& page, const QString& section);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    bool narrow() const;
    void follow(const QUrl& link);

    Document* m_document;
    QTextBrowser* m_text;
    AnalyzedTrace m_other;
    EventIndex m_otherEvent;
    QString m_otherTitle;
    bool m_narrow = false;  // as the text was made
};

}  // namespace overlane
