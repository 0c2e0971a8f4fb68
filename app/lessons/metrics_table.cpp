#include "app/lessons/metrics_table.h"

#include <QGridLayout>
#include <QPainter>

#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/widgets/explain_role.h"
#include "app/widgets/text.h"
#include "core/lessons/explanations.h"
#include "core/runs/figures.h"
#include "core/runs/run_metrics.h"

namespace overlane
{

namespace
{

using Look = ProseLabel::Look;

constexpr int kFocusPx = 3;  // around the words
constexpr double kFocusPenPx = 1.5;

// The name of a row, which the keyboard comes by on its way: what explains the focused thing explains the figure.
class MetricName : public ProseLabel
{
public:
    MetricName(const QString& words, QWidget* parent) : ProseLabel(Look::Quiet, parent)
    {
        setPlain(words);
        setObjectName("metricName");
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleDescription(u"Shift+F1 explains this figure"_s);
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        ProseLabel::paintEvent(event);
        if (!hasFocus())
            return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Palette::current(palette()).accent, kFocusPenPx));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kFocusPx, kFocusPx);
    }
};

ProseLabel* number(Look look, const QString& words, QWidget* parent)
{
    auto* label = new ProseLabel(look, parent);
    label->setPlain(words);
    label->setWordWrap(false);
    label->setAlignment(Qt::AlignRight | Qt::AlignTop);
    label->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Minimum);
    return label;
}

}  // namespace

MetricsTable::MetricsTable(const LessonRun& run, QWidget* parent) : QWidget(parent)
{
    setObjectName("metrics");
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 4, 0, 0);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    int column = 1;
    for (const LessonScenario& scenario : run.lesson().scenarios)
        grid->addWidget(number(Look::Strong, text(scenario.name), this), 0, column++);
    for (const std::string& key : run.lesson().compared) {
        const RunMetric* metric = findRunMetric(key);
        if (metric == nullptr)
            continue;
        const int row = grid->rowCount();
        auto* name = new MetricName(text(metric->label), this);
        grid->addWidget(name, row, 0);
        std::vector<QWidget*> cells{name};
        column = 1;
        for (const JudgedRunPointer& one : run.runs()) {
            cells.push_back(number(Look::Body, text(figureText(metric->value(*one), metric->unit)), this));
            grid->addWidget(cells.back(), row, column++);
        }
        for (QWidget* cell : cells)
            explainAs(cell, metricExplanationKey(key));
    }
}

}  // namespace overlane
