#include "app/second/what_if_panel.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStyleOptionButton>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/second/what_if_row.h"
#include "app/second/what_if_source.h"
#include "app/second/what_if_text.h"
#include "app/session/document.h"
#include "app/theme/focus_mark.h"
#include "app/theme/palette.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/flat_button.h"
#include "app/widgets/text.h"
#include "core/replay/prediction_blocks.h"

namespace overlane
{

namespace
{

// As the rows below it, its words begin at the left. Without a style sheet, which would keep the colors of the theme
// that was there before.
class RowButton : public QPushButton
{
protected:
    void paintEvent(QPaintEvent*) override
    {
        constexpr int kMarginPx = 8;
        QStyleOptionButton option;
        initStyleOption(&option);
        const QString words = std::exchange(option.text, QString());
        QPainter painter(this);
        style()->drawControl(QStyle::CE_PushButton, &option, &painter, this);
        style()->drawItemText(&painter, rect().adjusted(kMarginPx, 0, -kMarginPx, 0), Qt::AlignLeft | Qt::AlignVCenter,
                              option.palette, isEnabled(), words, QPalette::ButtonText);
    }
};

QScrollArea* scrolled(QWidget* content)
{
    content->setAutoFillBackground(true);
    content->setBackgroundRole(QPalette::Base);
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

QString readyCaption(const ReplayReport& report, bool chosen)
{
    if (chosen)
        return report.wholeRange ? u"Predicted time of the range with these changes, and with one more or one less"_s
                                 : u"Predicted step time with these changes, and with one more or one less"_s;
    return (report.wholeRange ? u"Predicted time of the range per change (now %1)"_s
                              : u"Predicted step time per change (now %1)"_s)
        .arg(durationText(report.stepNsMeasured));
}

}  // namespace

WhatIfPanel::WhatIfPanel(WhatIfSource* source, Document* document, QWidget* parent)
    : QWidget(parent),
      m_source(source),
      m_document(document),
      m_caption(new ElidedLabel(this)),
      m_cancel(flatButton(u"Cancel"_s, "whatIfCancel", u"Stop predicting"_s, this)),
      m_reset(
          flatButton(u"All off"_s, "whatIfReset", u"Switch every change off and show the measured run alone"_s, this)),
      m_copy(flatButton(u"Copy as text"_s, "whatIfCopy", u"Copy the prediction with its assumptions as text"_s, this)),
      m_save(flatButton(u"Save \u2026"_s, "whatIfSave", u"Write the predicted timeline as a trace of its own"_s, this)),
      m_try(flatButton(u"Try it \u2026"_s, "whatIfTry",
                       u"Run the program itself with other settings of its loader, again and again, and see what is "
                       "faster"_s,
                       this)),
      m_together(new RowButton),
      m_words(new QLabel)
{
    setObjectName("whatIfPanel");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeHead(column);

    auto* changes = new QWidget;
    m_list = new QVBoxLayout(changes);
    m_list->setContentsMargins(0, 1, 0, 2);
    m_list->setSpacing(1);
    m_together->setObjectName("whatIfTogether");
    m_together->setFlat(true);
    FocusMark::askFor(m_together);
    m_together->setCheckable(true);
    m_together->setToolTip(
        u"What usually belongs together: pinned host memory, copies that no thread waits for, and "
        "a stream of their own for them"_s);
    m_list->addWidget(m_together);
    for (const ChangeKind kind : m_source->ranking()) {
        auto* row = new WhatIfRow(kind, changes);
        m_rows[kind] = row;
        m_list->addWidget(row);
        connect(row, &WhatIfRow::changed, this, [this, row] {
            WhatIfChoices choices = m_source->choices();
            row->store(choices);
            m_source->setChoices(choices);
        });
    }
    m_list->addStretch(1);
    m_words->setObjectName("whatIfWords");
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::RichText);
    m_words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_words->setContentsMargins(10, 4, 8, 4);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_changes = scrolled(changes);
    auto* across = new QSplitter(Qt::Horizontal, this);
    across->setChildrenCollapsible(false);
    across->addWidget(m_changes);
    across->addWidget(scrolled(m_words));
    across->setStretchFactor(0, 1);
    across->setStretchFactor(1, 1);
    across->setSizes({540, 460});
    column->addWidget(across, 1);

    connect(m_together, &QPushButton::clicked, this, &WhatIfPanel::switchTogether);
    connect(m_source, &WhatIfSource::choicesChanged, this, &WhatIfPanel::showChoices);
    connect(m_source, &WhatIfSource::changed, this, &WhatIfPanel::showTrials);
    connect(m_source, &WhatIfSource::predicted, this, [this] {
        showTrials();
        showPrediction();
    });
    showChoices();
    showTrials();
    showPrediction();
}

void WhatIfPanel::makeHead(QVBoxLayout* column)
{
    m_caption->setObjectName("whatIfCaption");
    auto* why = flatButton(u"How"_s, "whatIfHow", u"How a prediction is made and how far to trust it"_s, this);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 1, 4, 0);
    head->addWidget(m_caption, 1);
    for (QToolButton* made : {m_cancel, m_reset, m_copy, m_save, m_try, why})
        head->addWidget(made);
    column->addLayout(head);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        if (m_source->state() == WhatIfSource::State::Cancelled)
            m_source->retry();
        else
            m_source->cancel();
    });
    connect(m_reset, &QToolButton::clicked, this, [this] {
        WhatIfChoices choices = m_source->choices();
        choices.on = {};
        m_source->setChoices(choices);
    });
    connect(m_copy, &QToolButton::clicked, this, &WhatIfPanel::copy);
    connect(m_save, &QToolButton::clicked, this, &WhatIfPanel::saveRequested);
    m_try->hide();
    connect(m_try, &QToolButton::clicked, this, &WhatIfPanel::tryRequested);
    connect(why, &QToolButton::clicked, this, [this] { emit helpRequested(u"whatif"_s, {}); });
}

void WhatIfPanel::offerToTry()
{
    m_try->show();
}

void WhatIfPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_source->setWanted(true);
}

void WhatIfPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_source->setWanted(false);
}

void WhatIfPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showPrediction();
}

std::vector<ChangeKind> WhatIfPanel::order() const
{
    std::vector<std::pair<int, ChangeKind>> places;
    for (const auto& [kind, row] : m_rows)
        places.emplace_back(m_list->indexOf(row), kind);
    std::sort(places.begin(), places.end());
    std::vector<ChangeKind> kinds;
    kinds.reserve(places.size());
    for (const auto& place : places)
        kinds.push_back(place.second);
    return kinds;
}

QString WhatIfPanel::caption() const
{
    return m_caption->text();
}

QString WhatIfPanel::words() const
{
    QTextDocument document;
    document.setHtml(m_words->text());
    return document.toPlainText();
}

void WhatIfPanel::showChoices()
{
    for (const auto& [kind, row] : m_rows)
        row->setChoices(m_source->choices());
    m_together->setChecked(WhatIfSource::usualThree(m_source->choices()) == m_source->choices());
    m_reset->setEnabled(m_source->choices().any());
    showTrials();
    showPrediction();
}

void WhatIfPanel::switchTogether()
{
    WhatIfChoices choices = m_source->choices();
    const WhatIfChoices three = WhatIfSource::usualThree(choices);
    if (three == choices)
        choices.on = {};
    m_source->setChoices(three == m_source->choices() ? choices : three);
}

void WhatIfPanel::showTrials()
{
    const ReplayReport* report = m_source->report();
    const auto& prediction = m_source->prediction();
    const bool chosen = m_source->choices().any();
    std::int64_t nowNs = report != nullptr ? report->stepNsReplayed : 0;
    if (chosen && prediction)
        nowNs = prediction->stepNsPredicted;
    const std::int64_t scaleNs = report != nullptr ? report->stepNsMeasured : 0;
    int place = 1;
    for (const ChangeKind kind : m_source->ranking()) {
        WhatIfRow* row = m_rows.at(kind);
        if (m_list->indexOf(row) != place) {
            m_list->removeWidget(row);
            m_list->insertWidget(place, row);
        }
        row->setEnabled(report != nullptr);
        row->setTrial(report != nullptr ? m_source->trial(kind) : WhatIfTrial{true, 0, {}, {}}, nowNs, scaleNs);
        ++place;
    }
    const WhatIfTrial& together = m_source->together();
    m_together->setEnabled(report != nullptr && (together.error.isEmpty() || m_together->isChecked()));
    QString label = u"All three: pinned, non_blocking and a copy stream"_s;
    if (report != nullptr && together.known)
        label += u":  "_s + (!together.error.isEmpty() ? together.error
                             : m_together->isChecked() ? durationText(together.stepNs)
                                                       : text(gainText(nowNs, together.stepNs, together.noise)));
    m_together->setText(label);

    m_cancel->setVisible(m_source->state() == WhatIfSource::State::Rebuilding ||
                         m_source->state() == WhatIfSource::State::Cancelled);
    m_cancel->setText(m_source->state() == WhatIfSource::State::Cancelled ? u"Predict"_s : u"Cancel"_s);
    switch (m_source->state()) {
        case WhatIfSource::State::Idle:
            m_caption->setText(m_document->trace() ? QString() : u"No trace is open."_s);
            break;
        case WhatIfSource::State::Rebuilding:
            m_caption->setText(u"Rebuilding the program behind the trace \u2026"_s);
            break;
        case WhatIfSource::State::Impossible:
            m_caption->setText(u"Nothing can be predicted of this trace."_s);
            break;
        case WhatIfSource::State::Cancelled:
            m_caption->setText(u"Cancelled."_s);
            break;
        case WhatIfSource::State::Ready:
            m_caption->setText(readyCaption(*report, chosen));
            break;
    }
    if (m_source->state() != WhatIfSource::State::Ready || !prediction)
        showPrediction();
}

void WhatIfPanel::showPrediction()
{
    const Palette& colors = Palette::current(palette());
    const auto& prediction = m_source->prediction();
    const ReplayReport* report = m_source->report();
    m_copy->setEnabled(prediction && report != nullptr);
    m_save->setEnabled(prediction && prediction->trace != nullptr);
    if (!m_source->error().isEmpty() && m_source->state() == WhatIfSource::State::Impossible)
        m_words->setText(m_source->error().toHtmlEscaped());
    else if (!m_source->predictionError().isEmpty())
        m_words->setText(m_source->predictionError().toHtmlEscaped());
    else if (prediction && report != nullptr)
        m_words->setText(predictionHtml(*prediction, *report, colors));
    else
        m_words->setText(report != nullptr ? replayHtml(*report, colors) : QString());
}

void WhatIfPanel::copy() const
{
    if (m_source->prediction() && m_source->report() != nullptr)
        QApplication::clipboard()->setText(
            predictionPlain(*m_source->prediction(), *m_source->report(), m_document->title()));
}

}  // namespace overlane
