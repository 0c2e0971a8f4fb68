// DetailsPanel: everything that is known of the selected event or gap: links to its call or its GPU work,
// why it is there, and the evidence.
//
// Lives on the GUI thread; follows the document's selection. Without a selected event it shows the
// trace itself: format, events, devices, and what the import could not take as it stood. Text can be
// selected and copied; links are reached with Tab and followed with Enter.
#pragma once

#include <QWidget>

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
    QSize sizeHint() const override { return {270, 400}; }

signals:
    void eventRequested(overlane::EventIndex event);
    void helpRequested(const QString& page, const QString& section);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void follow(const QUrl& link);

    Document* m_document;
    QTextBrowser* m_text;
};

}  // namespace overlane
