// LessonReader: the text of the open lesson as a column of cards, which grows as the lesson goes on; and the
// same cards one at a time, in large type, for a room.
//
// Lives on the GUI thread; follows the session.
#pragma once

#include <vector>

#include <QColor>
#include <QScrollArea>

class QPushButton;
class QVBoxLayout;

namespace overlane
{

class ExerciseCard;
class LessonSession;
class PredictionCard;

class LessonReader : public QScrollArea
{
    Q_OBJECT

public:
    // What a slide is about decides what is beside it.
    enum class Slide : std::uint8_t { Situation, Predict, Run, Seen, Rule, Claims, LeftOut, Exercise, Next };

    // The session must outlive the reader.
    explicit LessonReader(LessonSession* session, QWidget* parent = nullptr);

    // One slide at a time, `scale` times as large or as large as fits, without what a learner answered; or
    // everything.
    void setPresenting(bool presenting, double scale);
    int slideCount() const { return static_cast<int>(m_slides.size()); }
    // Also those that are there once it ran.
    int slidesInAll() const;
    int slide() const { return m_slide; }
    Slide kindOfSlide() const;
    int placeOfSlide() const;  // of a prediction or exercise
    void setSlide(int slide);

    PredictionCard* predictionCard(int place) const { return m_predictions[static_cast<std::size_t>(place)]; }
    ExerciseCard* exerciseCard(int place) const;
    QPushButton* runButton() const { return m_run; }
    // What is on screen, for tests.
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

signals:
    void exerciseChosen(int place);
    void exerciseMade(overlane::ExerciseCard* card);
    void slideChanged();
    void lessonChosen(const QString& key);

private:
    struct Card {
        QWidget* widget = nullptr;
        Slide kind = Slide::Situation;
        int place = 0;  // of a prediction or exercise
    };

    void rebuild();
    void addRunCard();
    void addNextCard();
    void showResult();
    void refreshRun();
    void add(QWidget* widget, Slide kind, int place = 0);
    void makeSlides();
    void showCards();
    void dress();
    void dressAt(double scale);
    bool fits() const;
    void keepWidth();
    QWidget* made(Slide kind) const;
    void recolor();

    LessonSession* m_session;
    QWidget* m_page = nullptr;
    QVBoxLayout* m_column = nullptr;
    std::vector<Card> m_cards;
    std::vector<PredictionCard*> m_predictions;
    std::vector<ExerciseCard*> m_exercises;
    QWidget* m_runCard = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_skip = nullptr;
    std::vector<std::pair<Slide, int>> m_slides;  // kind, and place of a prediction or exercise
    bool m_presenting = false;
    double m_scale = 1;  // as wanted
    int m_slide = 0;
    QColor m_ground;  // of the theme that the cards are colored for
};

}  // namespace overlane
