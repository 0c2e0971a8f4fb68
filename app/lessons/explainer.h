// Explainer: what a person points at in a window, or has the keyboard on, explained in a card: lanes, settings,
// figures, causes, findings.
//
// Lives on the GUI thread, with the window it watches. Takes the place of the tool tips of things that say
// what explains them (app/widgets/explain_role.h), whose words it keeps.
#pragma once

#include <functional>

#include <QObject>

#include "app/lessons/explain_card.h"

class QHelpEvent;

namespace overlane
{

class Explainer : public QObject
{
    Q_OBJECT

public:
    // The title of a lesson by its key; empty where there is none.
    using Titles = std::function<QString(const QString& key)>;
    Explainer(QWidget* window, Titles titles);

    ExplainCard* card() const { return m_card; }
    // What would be said of this place of a widget; without words where nothing is known.
    Explained at(QWidget* widget, QPoint posPx) const;
    // For the focused widget; false where nothing is known of it.
    bool explainFocused();

signals:
    void lessonRequested(const QString& key);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* m_window;
    Titles m_titles;
    ExplainCard* m_card;
};

}  // namespace overlane
