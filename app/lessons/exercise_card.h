// ExerciseCard: an exercise of a lesson: its goal, the settings that may be turned, and whether the goal is
// reached, as they are turned.
//
// Lives on the GUI thread. Owns settings of its own, with their undo history: the laboratory of the window
// stays as it is. Simulations run with every change; a run on a GPU waits for its button.
#pragma once

#include <memory>
#include <vector>

#include <QFrame>

#include "app/session/laboratory.h"

class QPushButton;

namespace overlane
{

class LessonSession;
class ProseLabel;
class SettingRow;

class ExerciseCard : public QFrame
{
    Q_OBJECT

public:
    // The session must have a result; it must outlive the card.
    ExerciseCard(LessonSession* session, int place, QWidget* parent = nullptr);

    int place() const { return m_place; }
    const Laboratory& laboratory() const { return m_laboratory; }
    QString status() const;

    // Runs the settings as they are, and says so with chosen().
    void begin();
    // Before a room: begins where the exercise does and keeps to itself what was tried and solved before;
    // afterwards those settings are back.
    void setDiscreet(bool discreet);

protected:
    void changeEvent(QEvent* event) override;

signals:
    void chosen(int place);
    // The settings as they are, for the window's laboratory.
    void laboratoryRequested(const overlane::Laboratory::State& state, const QString& title);

private:
    void addKnobs();
    void addButtons();
    void refreshKnobs();
    void refreshStatus();
    void changed();
    void put(const Laboratory::State& state);

    LessonSession* m_session;
    const int m_place;
    Laboratory m_laboratory;
    Laboratory::State m_start;
    Laboratory::State m_own;  // set aside while discreet
    bool m_discreet = false;
    bool m_tried = false;  // since then
    std::vector<SettingRow*> m_rows;
    ProseLabel* m_status;
    ProseLabel* m_figures;
    QPushButton* m_run;
};

}  // namespace overlane
