// DetailsPanel: everything that is known of the selected event, and links to its call or its GPU work.
//
// Lives on the GUI thread; follows the document's selection. Without a selected event it shows the
// trace itself: format, events, devices, and what the import could not take as it stood.
#pragma once

#include <QWidget>

#include "core/base/strong_id.h"

class QLabel;

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

private:
    void refresh();

    Document* m_document;
    QLabel* m_text;
};

}  // namespace overlane
