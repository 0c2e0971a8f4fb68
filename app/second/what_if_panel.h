// WhatIfPanel: the changes to try, each with what the step would take, the most worthwhile first; beside
// them what the chosen ones together would give, and how sure that is.
//
// Lives on the GUI thread; follows its source. While it can be seen the source predicts.
#pragma once

#include <map>

#include <QWidget>

#include "core/replay/change.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace overlane
{

class Document;
class ElidedLabel;
class WhatIfRow;
class WhatIfSource;

class WhatIfPanel : public QWidget
{
    Q_OBJECT

public:
    WhatIfPanel(WhatIfSource* source, Document* document, QWidget* parent = nullptr);

    WhatIfRow* row(ChangeKind kind) const { return m_rows.at(kind); }
    // Top to bottom.
    std::vector<ChangeKind> order() const;
    QString caption() const;
    QString words() const;  // what the prediction says, as plain text
    // Shows the button for trying settings; who calls this answers tryRequested().
    void offerToTry();

signals:
    void helpRequested(const QString& page, const QString& section);
    // Writes the predicted timeline to a file.
    void saveRequested();
    // Runs the program itself with other settings.
    void tryRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeHead(QVBoxLayout* column);
    void showChoices();
    void showTrials();
    void showPrediction();
    void switchTogether();
    void copy() const;

    WhatIfSource* m_source;
    Document* m_document;
    ElidedLabel* m_caption;
    QToolButton* m_cancel;
    QToolButton* m_reset;
    QToolButton* m_copy;
    QToolButton* m_save;
    QToolButton* m_try;
    QPushButton* m_together;
    QVBoxLayout* m_list;
    QScrollArea* m_changes;
    QLabel* m_words;
    std::map<ChangeKind, WhatIfRow*> m_rows;
};

}  // namespace overlane
