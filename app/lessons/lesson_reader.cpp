#include "app/lessons/lesson_reader.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollBar>
#include <QVBoxLayout>

#include "app/lessons/exercise_card.h"
#include "app/lessons/lesson_cards.h"
#include "app/lessons/lesson_session.h"
#include "app/lessons/prediction_card.h"
#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{
constexpr int kMarginPx = 10;
// Longer lines are hard to read, also on a wall.
constexpr int kWidestPx = 900;

// As high as its cards are at the width it has. What they would need when narrowest says nothing of that.
class Paper : public QWidget
{
public:
    using QWidget::QWidget;
    QSize minimumSizeHint() const override { return {QWidget::minimumSizeHint().width(), 0}; }
};

}  // namespace

LessonReader::LessonReader(LessonSession* session, QWidget* parent) : QScrollArea(parent), m_session(session)
{
    setObjectName("lessonReader");
    setAccessibleName(u"Lesson"_s);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(session, &LessonSession::opened, this, &LessonReader::rebuild);
    connect(session, &LessonSession::predictionsChanged, this, [this] {
        const auto& predicted = m_session->predicted();
        for (std::size_t i = 0; i < m_predictions.size() && i < predicted.size(); ++i)
            m_predictions[i]->setPredicted(predicted[i]);
        refreshRun();
    });
    connect(session, &LessonSession::resultChanged, this, &LessonReader::showResult);
    connect(session, &LessonSession::busyChanged, this, &LessonReader::refreshRun);
    rebuild();
}

void LessonReader::add(QWidget* widget, Slide kind, int place)
{
    m_cards.push_back({widget, kind, place});
    m_column->insertWidget(m_column->count() - 1, widget);
}

void LessonReader::rebuild()
{
    m_ground = Palette::current().window;
    m_cards.clear();
    m_predictions.clear();
    m_exercises.clear();
    m_slide = 0;
    m_page = new Paper(this);
    m_page->setObjectName("lessonPaper");
    m_page->setMaximumWidth(m_presenting ? QWIDGETSIZE_MAX : kWidestPx);
    m_column = new QVBoxLayout(m_page);
    m_column->setContentsMargins(kMarginPx, kMarginPx, kMarginPx, kMarginPx);
    m_column->setSpacing(kMarginPx);
    m_column->addStretch(1);
    m_run = nullptr;
    m_runCard = nullptr;
    if (const Lesson* lesson = m_session->lesson()) {
        add(made(Slide::Situation), Slide::Situation);
        for (std::size_t i = 0; i < lesson->predictions.size(); ++i) {
            auto* card = new PredictionCard(lesson->predictions[i], static_cast<int>(i), m_page);
            card->setPredicted(m_session->predicted()[i]);
            card->setDiscreet(m_presenting);
            connect(card, &PredictionCard::predicted, this,
                    [this, i](std::optional<double> value) { m_session->predict(i, value); });
            m_predictions.push_back(card);
            add(card, Slide::Predict, static_cast<int>(i));
        }
        addRunCard();
        refreshRun();
    }
    setWidget(m_page);  // deletes the one before
    makeSlides();
    dress();
}

void LessonReader::addRunCard()
{
    m_runCard = new QWidget(m_page);
    auto* line = new QHBoxLayout(m_runCard);
    line->setContentsMargins(4, 0, 4, 0);
    m_run = new QPushButton(m_runCard);
    m_run->setObjectName("lessonRun");
    m_run->setDefault(true);
    m_skip = new QPushButton(u"Skip the prediction"_s, m_runCard);
    m_skip->setObjectName("lessonSkip");
    line->addWidget(m_run);
    line->addWidget(m_skip);
    line->addStretch(1);
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_session->busy())
            m_session->cancel();
        else
            m_session->run();
    });
    connect(m_skip, &QPushButton::clicked, this, [this] {
        m_session->skip();
        m_session->run();
    });
    add(m_runCard, Slide::Run);
}

void LessonReader::refreshRun()
{
    if (m_run == nullptr || m_session->lesson() == nullptr)
        return;
    const std::size_t count = m_session->lesson()->scenarios.size();
    const QString all = count == 2 ? u"Run A and B"_s : u"Run all %1"_s.arg(count);
    const bool busy = m_session->busy();
    m_run->setText(busy ? u"Running \u2026 %1 %  Cancel"_s.arg(qRound(m_session->progressFraction() * 100))
                   : m_session->measures() ? u"%1 on the GPU"_s.arg(all)
                                           : all);
    m_run->setEnabled(busy || m_session->mayRun());
    m_run->setToolTip(m_session->mayRun() ? QString() : u"Predict first, or skip the prediction"_s);
    m_skip->setVisible(!m_session->mayRun());
    m_runCard->setVisible(!m_session->result() && (!m_presenting || kindOfSlide() == Slide::Predict));
}

void LessonReader::showResult()
{
    const auto isOfResult = [](const Card& card) { return card.kind > Slide::Run; };
    for (const Card& card : m_cards)
        if (isOfResult(card))
            card.widget->deleteLater();
    std::erase_if(m_cards, isOfResult);
    m_exercises.clear();
    const auto& result = m_session->result();
    for (PredictionCard* card : m_predictions)
        card->setResult(result.get());
    if (result) {
        const Lesson& lesson = *m_session->lesson();
        for (const Slide kind : {Slide::Seen, Slide::Rule, Slide::Claims, Slide::LeftOut})
            add(made(kind), kind);
        for (std::size_t i = 0; i < lesson.exercises.size(); ++i) {
            auto* card = new ExerciseCard(m_session, static_cast<int>(i), m_page);
            card->setDiscreet(m_presenting);
            connect(card, &ExerciseCard::chosen, this, &LessonReader::exerciseChosen);
            m_exercises.push_back(card);
            add(card, Slide::Exercise, static_cast<int>(i));
            emit exerciseMade(card);
        }
        addNextCard();
    }
    refreshRun();
    makeSlides();
    dress();
}

// The lessons that go on from here; not a slide of its own.
void LessonReader::addNextCard()
{
    QVBoxLayout* column = nullptr;
    QFrame* card = lessonCard("next", m_page, column);
    auto* heading = new ProseLabel(ProseLabel::Look::Heading, card);
    heading->setPlain(u"Go on with"_s);
    column->addWidget(heading);
    const auto& shelf = *m_session->shelved().shelf.lessons;
    for (const std::string& key : m_session->lesson()->next) {
        const Lesson* next = findLesson(shelf, key);
        if (next == nullptr)
            continue;
        auto* open = new QPushButton(overlane::text(next->title), card);
        open->setObjectName(u"next_"_s + overlane::text(key));
        open->setToolTip(overlane::text(next->summary));
        connect(open, &QPushButton::clicked, this, [this, name = overlane::text(key)] { emit lessonChosen(name); });
        column->addWidget(open, 0, Qt::AlignLeft);
    }
    add(card, Slide::Next);
}

// A card that only shows.
QWidget* LessonReader::made(Slide kind) const
{
    const Lesson& lesson = *m_session->lesson();
    switch (kind) {
        case Slide::Seen:
            return seenCard(*m_session->result(), m_page);
        case Slide::Rule:
            return ruleCard(lesson, m_page);
        case Slide::Claims:
            return claimsCard(*m_session->result(), m_page);
        case Slide::LeftOut:
            return leftOutCard(lesson, m_session->result()->measured(), m_page);
        default:
            return situationCard(lesson, m_page);
    }
}

// Colors are written into the cards; those that hold what a person set keep it.
void LessonReader::recolor()
{
    m_ground = Palette::current().window;
    for (Card& card : m_cards) {
        if (card.kind == Slide::Predict || card.kind == Slide::Run || card.kind == Slide::Exercise ||
            card.kind == Slide::Next)
            continue;
        QWidget* next = made(card.kind);
        delete m_column->replaceWidget(card.widget, next);
        card.widget->deleteLater();
        card.widget = next;
    }
    for (PredictionCard* card : m_predictions)
        card->setResult(m_session->result().get());
    showCards();
    dress();
}

void LessonReader::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_cards.empty() && m_ground != Palette::current().window)
        recolor();
}

int LessonReader::slidesInAll() const
{
    const int after = static_cast<int>(m_session->lesson()->exercises.size()) + 5;
    return m_session->result() ? slideCount() : slideCount() + after;
}

ExerciseCard* LessonReader::exerciseCard(int place) const
{
    const auto at = static_cast<std::size_t>(place);
    return at < m_exercises.size() ? m_exercises[at] : nullptr;
}

void LessonReader::makeSlides()
{
    m_slides.clear();
    for (const Card& card : m_cards)
        if (card.kind != Slide::Run && card.kind != Slide::Next)
            m_slides.emplace_back(card.kind, card.place);
    // The runs have a slide of their own, before what is said of them.
    const auto seen =
        std::find_if(m_slides.begin(), m_slides.end(), [](const auto& one) { return one.first == Slide::Seen; });
    if (seen != m_slides.end())
        m_slides.insert(seen, {Slide::Run, 0});
    m_slide = std::clamp(m_slide, 0, std::max(0, slideCount() - 1));
    showCards();
}

LessonReader::Slide LessonReader::kindOfSlide() const
{
    return m_slides.empty() ? Slide::Situation : m_slides[static_cast<std::size_t>(m_slide)].first;
}

int LessonReader::placeOfSlide() const
{
    return m_slides.empty() ? 0 : m_slides[static_cast<std::size_t>(m_slide)].second;
}

void LessonReader::setSlide(int slide)
{
    m_slide = std::clamp(slide, 0, std::max(0, slideCount() - 1));
    showCards();
    if (m_presenting)
        dress();
    verticalScrollBar()->setValue(0);
    emit slideChanged();
}

void LessonReader::setPresenting(bool presenting, double scale)
{
    if (presenting != m_presenting) {
        for (PredictionCard* card : m_predictions)
            card->setDiscreet(presenting);
        for (ExerciseCard* card : m_exercises)
            card->setDiscreet(presenting);
    }
    m_presenting = presenting;
    m_scale = scale;
    if (m_page != nullptr)
        m_page->setMaximumWidth(presenting ? QWIDGETSIZE_MAX : kWidestPx);
    showCards();
    dress();
}

void LessonReader::showCards()
{
    const auto shown = m_slides.empty() ? std::pair(Slide::Situation, 0) : m_slides[static_cast<std::size_t>(m_slide)];
    for (const Card& card : m_cards) {
        if (card.widget == m_runCard)
            continue;
        // What the runs show comes with the predictions against it.
        const bool answer = shown.first == Slide::Seen && card.kind == Slide::Predict;
        const bool empty = card.kind == Slide::Next && card.widget->findChild<QPushButton*>() == nullptr;
        card.widget->setVisible(m_presenting ? std::pair(card.kind, card.place) == shown || answer : !empty);
    }
    refreshRun();
    if (m_page != nullptr)
        keepWidth();
}

// What stands before a room is read without scrolling, so the type is as large as wanted or as fits.
void LessonReader::dress()
{
    constexpr double kLeastScale = 1.2;
    constexpr double kSmaller = 0.94;
    if (m_page == nullptr)
        return;
    dressAt(m_scale);
    if (!m_presenting)
        return;
    for (double scale = m_scale * kSmaller; !fits() && scale >= kLeastScale; scale *= kSmaller)
        dressAt(scale);
}

void LessonReader::dressAt(double scale)
{
    m_page->setStyleSheet(lessonCardStyle(scale));
    ProseLabel::scaleAll(m_page, scale);
    m_column->activate();
    keepWidth();
}

bool LessonReader::fits() const
{
    const int widthPx = viewport()->width();
    const int heightPx =
        m_column->hasHeightForWidth() ? m_column->heightForWidth(widthPx) : m_column->sizeHint().height();
    return heightPx <= viewport()->height();
}

void LessonReader::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    if (m_presenting && event->size() != event->oldSize())
        dress();
}

// Nothing is cut at the side: there is no scrolling there.
void LessonReader::keepWidth()
{
    setMinimumWidth(m_page->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
}

QString LessonReader::text() const
{
    QStringList words;
    for (const Card& card : m_cards)
        if (!card.widget->isHidden())
            for (const QLabel* label : card.widget->findChildren<QLabel*>())
                if (!label->isHidden())
                    words << label->text();
    // As it is written, not as it breaks.
    return words.join('\n').replace(QChar::Nbsp, ' ').remove(QChar(0x2060));
}

}  // namespace overlane
