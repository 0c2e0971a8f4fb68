#include "app/shell/first_hint.h"

#include <array>

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include "app/session/document.h"
#include "app/session/first_look.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"
#include "core/compare/comparison.h"
#include "core/compare/speed.h"
#include "core/loader/presets.h"

namespace overlane
{

namespace
{

struct HintStep {
    const char* key;  // of the setting
    const char* value;
    const char* sentence;
    const char* button;
};

constexpr std::array kSteps = {
    HintStep{"pin", "thread", "Every copy stops the training thread here while the driver stages it. Try this:",
             "Turn on pinned memory"},
    HintStep{"non_blocking", "on", "Pinned copies are several times faster, but the host still waits for each. Next:",
             "Make them non_blocking"},
    HintStep{"copy_stream", "side",
             "The host is free, but copy and kernel share a stream and run one after the other. Last:",
             "Give the copies a side stream"},
};

constexpr int kNarrowPx = 640;

bool isTaken(const HintStep& step, const Scenario& scenario)
{
    return settingText(*findSetting(step.key), scenario) != settingText(*findSetting(step.key), Scenario());
}

// The first step not taken yet; kSteps.size() where all are; nothing where the sentences would not hold.
std::optional<std::size_t> nextStep(const Document& document, const Laboratory& laboratory)
{
    const Preset& first = allPresets().front();
    const bool simulated = document.engine() == Document::Engine::Simulated && document.current().gpu.isEmpty() &&
                           (document.origin() == Document::Origin::Laboratory || !document.trace());
    if (!simulated || laboratory.state().deviceKey != first.device)
        return {};
    Scenario expected = first.scenario;
    expected.name = laboratory.scenario().name;
    std::size_t taken = 0;
    while (taken < kSteps.size() && isTaken(kSteps[taken], laboratory.scenario())) {
        if (!assignSetting(expected, kSteps[taken].key, kSteps[taken].value).ok())
            return {};
        ++taken;
    }
    if (!(expected == laboratory.scenario()))
        return {};
    return taken;
}

}  // namespace

FirstHint::FirstHint(Document* document, QWidget* parent)
    : TintedBar(parent), m_document(document), m_text(new QLabel(this)), m_try(new QPushButton(this))
{
    setObjectName("firstHint");
    m_text->setWordWrap(true);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_try->setObjectName("hintTry");
    m_try->setCursor(Qt::PointingHandCursor);
    auto* close = new QToolButton(this);
    close->setObjectName("hintClose");
    close->setText(u"✕"_s);
    close->setAutoRaise(true);
    close->setAccessibleName(u"Close the hint for good"_s);
    close->setToolTip(close->accessibleName());
    auto* lessons = new QToolButton(this);
    lessons->setObjectName("hintLessons");
    lessons->setText(u"Lessons"_s);
    lessons->setAutoRaise(true);
    lessons->setCursor(Qt::PointingHandCursor);
    lessons->setToolTip(u"Predict, run, see: one idea at a time (Ctrl+L)"_s);
    connect(lessons, &QToolButton::clicked, this, &FirstHint::lessonsRequested);
    auto* line = new QBoxLayout(QBoxLayout::LeftToRight, this);
    line->setContentsMargins(10, 4, 6, 4);
    line->setSpacing(10);
    line->addWidget(m_text, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_try);
    buttons->addStretch(1);
    buttons->addWidget(lessons);
    buttons->addWidget(close);
    line->addLayout(buttons);
    hide();

    connect(m_try, &QPushButton::clicked, this, &FirstHint::takeStep);
    connect(close, &QToolButton::clicked, this, [this] {
        m_offered = false;
        hide();
        emit done();
    });
    connect(document, &Document::traceChanged, this, &FirstHint::refresh);
    connect(document->laboratory(), &Laboratory::changed, this, &FirstHint::refresh);
}

void FirstHint::offer()
{
    m_offered = true;
    dress();
    refresh();
}

QString FirstHint::sentence() const
{
    return m_text->text();
}

void FirstHint::refresh()
{
    const std::optional<std::size_t> next = nextStep(*m_document, *m_document->laboratory());
    setVisible(m_offered && next);
    if (!next)
        return;
    const bool more = *next < kSteps.size();
    m_text->setText(more ? text(kSteps[*next].sentence)
                         : gain() +
                               u"The copies slide under the kernels now. Ctrl+Z undoes the changes one by one; every "
                               "setting on the left changes the run at once."_s);
    if (!more && m_beforeLast && m_document->trace() != m_beforeLast) {
        m_beforeLast.reset();
        QTimer::singleShot(0, this, &FirstHint::showPayoff);  // once the window has taken the run
    }
    m_try->setVisible(more);
    if (more)
        m_try->setText(text(kSteps[*next].button));
}

QString FirstHint::gain() const
{
    const Judgement* judgement = m_document->judgement();
    const AnalyzedTrace& now = m_document->current();
    if (!m_before.trace || m_before.trace == now.trace || judgement == nullptr || judgement->stepNs == 0)
        return {};
    const Speed speed = speedOf({m_before.trace.get(), m_before.analysis.get(), &m_before.steps},
                                {now.trace.get(), now.analysis.get(), &now.steps});
    const QString said = text(speedText(speed));
    return u"From %1 to %2 a step%3. "_s.arg(durationText(m_beforeStepNs), durationText(judgement->stepNs),
                                             said.isEmpty() ? said : u", "_s + said);
}

// A few steady steps, wide enough to see each copy under a kernel.
void FirstHint::showPayoff()
{
    const Interval shown = firstSteps(m_document->current().steps.steps);
    if (shown.empty())
        return;
    constexpr std::int64_t kMargin = 20;
    m_document->view()->glideTo({shown.startNs - shown.lengthNs() / kMargin, shown.endNs + shown.lengthNs() / kMargin});
}

void FirstHint::takeStep()
{
    const std::optional<std::size_t> next = nextStep(*m_document, *m_document->laboratory());
    if (!next || *next >= kSteps.size())
        return;
    const HintStep& step = kSteps[*next];
    if (*next == 0 && m_document->judgement() != nullptr) {
        m_before = m_document->current();
        m_beforeStepNs = m_document->judgement()->stepNs;
    }
    if (*next + 1 == kSteps.size())
        m_beforeLast = m_document->trace();
    Scenario scenario = m_document->laboratory()->scenario();
    if (!assignSetting(scenario, step.key, step.value).ok())
        return;
    m_document->laboratory()->setScenario(scenario, text(findSetting(step.key)->label));
    if (*next + 1 == kSteps.size())
        emit done();
}

void FirstHint::resizeEvent(QResizeEvent* event)
{
    TintedBar::resizeEvent(event);
    // Beside the buttons a narrow text would be many lines high.
    auto* line = static_cast<QBoxLayout*>(layout());
    line->setDirection(width() < kNarrowPx ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    line->setSpacing(width() < kNarrowPx ? 2 : 10);
}

void FirstHint::dress()
{
    const Palette& colors = Palette::current(QApplication::palette());
    tint(colors.accent, colors.textOn(colors.accent));
    dressButtons(colors.panel, colors.text);
}

void FirstHint::changeEvent(QEvent* event)
{
    TintedBar::changeEvent(event);
    if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) && m_offered)
        dress();
}

}  // namespace overlane
