// PredictionCard: one question of a lesson before it runs, and the answer against the prediction after.
//
// Lives on the GUI thread. A choice or a number with its unit; told() says what was entered. Once the lesson
// ran, the prediction stays as it was made.
#pragma once

#include <optional>
#include <vector>

#include <QFrame>

#include "core/lessons/lesson_run.h"

class QButtonGroup;
class QLineEdit;

namespace overlane
{

class ProseLabel;

class PredictionCard : public QFrame
{
    Q_OBJECT

public:
    // The prediction must outlive the card.
    PredictionCard(const LessonPrediction& prediction, int place, QWidget* parent = nullptr);

    // Shows what was predicted before; NaN: skipped.
    void setPredicted(std::optional<double> value);
    // The answer of these runs, or none yet.
    void setResult(const LessonRun* run);
    // Before a room: what was predicted before it came is not shown, only what is predicted since.
    void setDiscreet(bool discreet);
    QString answerText() const;

signals:
    void predicted(std::optional<double> value);

private:
    void addChoices(const LessonPrediction& prediction);
    void addNumber(const LessonPrediction& prediction);
    void readNumber();
    QString givenText() const;
    void showGiven();
    void showAnswer();

    const LessonPrediction& m_prediction;
    std::optional<double> m_given;
    const LessonRun* m_run = nullptr;  // as given to setResult()
    bool m_discreet = false;           // m_given is not for the room
    QButtonGroup* m_choices = nullptr;
    std::vector<QWidget*> m_inputs;
    QString m_unit;  // of a number without one
    QLineEdit* m_number = nullptr;
    ProseLabel* m_note = nullptr;  // what is wrong with the number
    ProseLabel* m_answer;
    ProseLabel* m_why;
};

// A prediction as a person types it, "12 ms" or "12" in the usual unit; the Error says what is expected.
Result<double> parsedPrediction(const QString& text, const FigureUnit& unit, const QString& usual);
// The unit that the question asks in, or the usual one: "ms", "MiB", "GB/s", "%", or nothing.
QString numberUnit(const FigureUnit& unit, const QString& question = {});

}  // namespace overlane
