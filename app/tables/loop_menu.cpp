#include "app/tables/loop_menu.h"

#include <string>
#include <utility>

#include <QActionGroup>

#include "app/session/document.h"
#include "app/widgets/text.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

constexpr qsizetype kNameLetters = 60;

QString shortName(const IterationLevel& level)
{
    // An ampersand would be taken for a shortcut's.
    QString name = text(level.name).replace('&', u"&&"_s);
    return name.size() > kNameLetters ? name.left(kNameLetters) + QChar(0x2026) : name;
}

Result<std::shared_ptr<const Analysis>> analysisByLevel(const Trace& trace, std::size_t level, const WorkMeter& work)
{
    ASSIGN_OR_RETURN(StepSequence steps, stepsOfLevel(trace, std::to_string(level + 1), work));
    return std::make_shared<const Analysis>(trace, std::move(steps), work);
}

}  // namespace

LoopMenu::LoopMenu(Document* document, QWidget* parent) : QMenu(parent), m_document(document)
{
    setObjectName("loopMenu");
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &LoopMenu::look);
    connect(document, &Document::traceChanged, this, [this] {
        if (m_document->trace() != m_trace)
            m_worker.cancel();
    });
}

void LoopMenu::look()
{
    const auto& trace = m_document->trace();
    if (!trace || m_document->current().live) {
        say(trace ? u"The trace still grows"_s : u"Nothing is open"_s);
        return;
    }
    if (trace == m_trace) {
        list();
        return;
    }
    say(u"Looking for loops …"_s);
    m_worker.run(
        u"Looking for loops"_s,
        [trace](Progress& progress) {
            return attempt("look for the loops of the trace", &progress,
                           [&](const WorkMeter& work) { return iterationLevels(*trace, work); });
        },
        [this, trace](Result<std::vector<IterationLevel>> levels) {
            if (trace != m_document->trace())
                return;
            if (!levels.ok())
                return say(QString::fromStdString(levels.error()));
            m_trace = trace;
            m_levels = std::move(levels).value();
            list();
        });
}

void LoopMenu::say(const QString& sentence)
{
    clear();
    addAction(sentence)->setEnabled(false);
}

void LoopMenu::list()
{
    clear();
    if (m_levels.empty()) {
        say(u"Nothing is marked, and the GPU work does not repeat"_s);
        return;
    }
    const std::optional<std::size_t> chosen = m_document->current().level;
    auto* group = new QActionGroup(this);
    for (std::size_t at = 0; at < m_levels.size(); ++at) {
        const IterationLevel& level = m_levels[at];
        const QString form =
            level.origin == StepOrigin::Pattern ? u"%1 times %2, from %3"_s : u"%1 times %2, marked %3"_s;
        QAction* action =
            addAction(form.arg(text(formatCount(level.count)), durationText(level.medianNs), shortName(level)));
        action->setToolTip(text(level.name).toHtmlEscaped());
        action->setCheckable(true);
        action->setChecked(chosen ? *chosen == at : level.isTaken);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, at] { take(at); });
    }
}

void LoopMenu::take(std::size_t level)
{
    if (m_document->trace() != m_trace || m_document->current().level == level)
        return;
    m_worker.run(
        u"Taking a loop"_s,
        [trace = m_trace, level](Progress& progress) {
            return attempt("take the steps of a loop", &progress,
                           [&](const WorkMeter& work) { return analysisByLevel(*trace, level, work); });
        },
        [this, trace = m_trace, level](Result<std::shared_ptr<const Analysis>> byLoop) {
            if (trace != m_document->trace())
                return;
            if (byLoop.ok())
                m_document->takeSteps(std::move(byLoop).value(), level);
            else if (!byLoop.isCancelled())
                emit m_document->failed(QString::fromStdString(byLoop.error()));
        });
}

}  // namespace overlane
