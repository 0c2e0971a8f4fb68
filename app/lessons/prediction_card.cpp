#include "app/lessons/prediction_card.h"

#include <cmath>

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMouseEvent>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"
#include "core/runs/figure_unit.h"

namespace overlane
{

namespace
{

using Look = ProseLabel::Look;

// Radio buttons do not break their text; a label beside one does, and a click on it counts.
class ChoiceLabel : public ProseLabel
{
public:
    ChoiceLabel(QRadioButton* button, QWidget* parent) : ProseLabel(Look::Body, parent), m_button(button)
    {
        setTextInteractionFlags(Qt::NoTextInteraction);
    }

protected:
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        if (event->button() == Qt::LeftButton && m_button->isEnabled())
            m_button->click();
    }

private:
    QRadioButton* m_button;
};

QString colored(const QColor& color, const QString& words)
{
    return u"<b style='color:%1'>%2</b>"_s.arg(color.name(), words.toHtmlEscaped());
}

}  // namespace

QString numberUnit(const FigureUnit& unit, const QString& question)
{
    struct Spelled {
        const char* words;
        const char* unit;
    };
    static constexpr Spelled kSpelled[] = {{"microsecond", "us"}, {"millisecond", "ms"}, {"second", "s"},
                                           {"KiB", "KiB"},        {"MiB", "MiB"},        {"GiB", "GiB"}};
    for (const Spelled& one : kSpelled) {
        const Result<Expression> named = Expression::parse(std::string("1 ") + one.unit, {});
        if (question.contains(QLatin1String(one.words)) && named.ok() && named.value().unit().sameAs(unit))
            return QString::fromLatin1(one.unit);
    }
    if (unit.share)
        return u"%"_s;
    if (unit.sameAs(kTimeUnit))
        return u"ms"_s;
    if (unit.sameAs(kSizeUnit))
        return u"MiB"_s;
    if (unit.sameAs(kRateUnit))
        return u"GB/s"_s;
    return {};
}

Result<double> parsedPrediction(const QString& typed, const FigureUnit& unit, const QString& usual)
{
    QString text = typed.trimmed();
    text.replace(',', '.');
    bool bare = false;
    text.toDouble(&bare);
    if (bare)
        text += ' ' + usual;
    const Result<Expression> parsed = Expression::parse(text.trimmed().toStdString(), {});
    const bool right = parsed.ok() && parsed.value().figures().empty() && parsed.value().unit().sameAs(unit);
    if (right)
        if (Result<double> value = parsed.value().evaluate({}); value.ok() && std::isfinite(value.value()))
            return value;
    const QString example = usual.isEmpty() ? u"2.5"_s : "12 " + usual;
    return Error{u"Write %1, such as \u201c%2\u201d."_s.arg(overlane::text(unitName(unit)), example).toStdString()};
}

PredictionCard::PredictionCard(const LessonPrediction& prediction, int place, QWidget* parent)
    : QFrame(parent),
      m_prediction(prediction),
      m_answer(new ProseLabel(Look::Body, this)),
      m_why(new ProseLabel(Look::Body, this))
{
    setObjectName(u"prediction%1"_s.arg(place));
    setProperty("card", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 12);
    column->setSpacing(6);
    auto* head = new ProseLabel(Look::Muted, this);
    head->setPlain(u"Predict first"_s);
    auto* question = new ProseLabel(Look::Heading, this);
    question->setMarkdown(text(prediction.question));
    column->addWidget(head);
    column->addWidget(question);
    if (prediction.answer)
        addNumber(prediction);
    else
        addChoices(prediction);
    m_answer->setObjectName("answer");
    m_answer->setTextFormat(Qt::RichText);
    m_answer->hide();
    m_why->hide();
    column->addWidget(m_answer);
    column->addWidget(m_why);
}

void PredictionCard::addChoices(const LessonPrediction& prediction)
{
    m_choices = new QButtonGroup(this);
    for (std::size_t i = 0; i < prediction.choices.size(); ++i) {
        const QString words = text(prediction.choices[i].text);
        auto* line = new QHBoxLayout;
        auto* radio = new QRadioButton(this);
        radio->setObjectName(u"choice%1"_s.arg(i));
        radio->setAccessibleName(words);
        auto* label = new ChoiceLabel(radio, this);
        label->setMarkdown(words);
        m_choices->addButton(radio, static_cast<int>(i));
        m_inputs.push_back(radio);
        line->addWidget(radio, 0, Qt::AlignTop);
        line->addWidget(label, 1);
        static_cast<QVBoxLayout*>(layout())->addLayout(line);
    }
    connect(m_choices, &QButtonGroup::idClicked, this, [this](int id) {
        m_given = id;
        m_discreet = false;
        emit predicted(m_given);
    });
}

void PredictionCard::addNumber(const LessonPrediction& prediction)
{
    auto* line = new QHBoxLayout;
    m_number = new QLineEdit(this);
    m_number->setObjectName("number");
    m_number->setMaximumWidth(260);
    m_number->setPlaceholderText(u"your guess"_s);
    m_number->setAccessibleName(text(prediction.question));
    auto* unit = new ProseLabel(Look::Body, this);
    m_unit = numberUnit(prediction.answer->unit(), text(prediction.question));
    unit->setPlain(m_unit == QLatin1String("us") ? u"\u00b5s"_s : m_unit);
    m_note = new ProseLabel(Look::Muted, this);
    m_inputs.push_back(m_number);
    line->addWidget(m_number);
    line->addWidget(unit, 1);
    static_cast<QVBoxLayout*>(layout())->addLayout(line);
    layout()->addWidget(m_note);
    m_note->hide();
    connect(m_number, &QLineEdit::textEdited, this, &PredictionCard::readNumber);
    // On to the next question, at last to the button that runs.
    connect(m_number, &QLineEdit::returnPressed, this, [this] {
        if (m_given)
            focusNextPrevChild(true);
    });
}

void PredictionCard::readNumber()
{
    m_given.reset();
    m_discreet = false;
    const QString typed = m_number->text().trimmed();
    const Result<double> value = parsedPrediction(typed, m_prediction.answer->unit(), m_unit);
    if (value.ok())
        m_given = value.value();
    m_note->setVisible(!typed.isEmpty() && !value.ok());
    if (!value.ok())
        m_note->setPlain(text(value.error()));
    emit predicted(m_given);
}

void PredictionCard::setPredicted(std::optional<double> value)
{
    // What was told back is left as it was typed.
    if (value == m_given)
        return;
    m_given = value;
    m_discreet = false;
    showGiven();
}

void PredictionCard::setDiscreet(bool discreet)
{
    if (discreet == m_discreet)
        return;
    m_discreet = discreet;
    showGiven();
    showAnswer();
}

void PredictionCard::showGiven()
{
    const bool number = !m_discreet && m_given && !std::isnan(*m_given);
    if (m_choices != nullptr) {
        // Of buttons that exclude each other one stays checked.
        m_choices->setExclusive(false);
        for (QAbstractButton* button : m_choices->buttons())
            button->setChecked(number && m_choices->id(button) == static_cast<int>(*m_given));
        m_choices->setExclusive(true);
    }
    if (m_number != nullptr)
        m_number->setText(number ? text(figureText(*m_given, m_prediction.answer->unit())) : QString());
}

QString PredictionCard::givenText() const
{
    if (m_discreet || !m_given || std::isnan(*m_given))
        return {};
    if (m_prediction.answer)
        return text(figureText(*m_given, m_prediction.answer->unit()));
    const auto place = static_cast<std::size_t>(*m_given);
    return place < m_prediction.choices.size() ? text(m_prediction.choices[place].text) : QString();
}

void PredictionCard::setResult(const LessonRun* run)
{
    m_run = run;
    for (QWidget* input : m_inputs)
        input->setEnabled(run == nullptr);
    m_answer->setVisible(run != nullptr);
    m_why->setVisible(run != nullptr && !m_prediction.explanation.empty());
    showAnswer();
}

void PredictionCard::showAnswer()
{
    if (m_run == nullptr)
        return;
    const Palette& colors = Palette::current();
    const LessonAnswer answer = m_run->answer(m_prediction);
    const QString given = givenText();
    if (!answer.problem.empty()) {
        m_answer->setText(u"These runs do not tell: %1."_s.arg(text(answer.problem).toHtmlEscaped()));
    } else if (m_discreet) {
        m_answer->setText(u"The answer: %1."_s.arg("<b>" + text(answer.text).toHtmlEscaped() + "</b>"));
    } else if (given.isEmpty()) {
        m_answer->setText(u"Skipped. The answer: %1."_s.arg("<b>" + text(answer.text).toHtmlEscaped() + "</b>"));
    } else if (m_run->isRight(m_prediction, *m_given)) {
        m_answer->setText(u"%1 You said %2; it is %3."_s.arg(colored(colors.good, u"\u2713 Right."_s),
                                                             given.toHtmlEscaped(),
                                                             "<b>" + text(answer.text).toHtmlEscaped() + "</b>"));
    } else {
        m_answer->setText(u"%1 You said %2; it is %3."_s.arg(colored(colors.warning, u"\u2717 Not here."_s),
                                                             given.toHtmlEscaped(),
                                                             "<b>" + text(answer.text).toHtmlEscaped() + "</b>"));
    }
    m_why->setMarkdown(text(m_prediction.explanation.filled(m_run->source())));
}

QString PredictionCard::answerText() const
{
    return m_answer->isHidden() ? QString() : m_answer->text();
}

}  // namespace overlane
