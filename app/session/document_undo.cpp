// Undo of Document: a run of the laboratory that took the place of an opened trace gives way to it again, and
// steps of a loop to those before.
#include <utility>

#include <QUndoCommand>

#include "app/session/document.h"
#include "app/widgets/text.h"
#include "core/analysis/timed_steps.h"

namespace overlane
{

// The trace that is not shown is the document's, which lets go of it when another file is opened: then
// there is nothing to return to, and the stack drops the command.
class Document::Replacement : public QUndoCommand
{
public:
    Replacement(Document* document, std::weak_ptr<Place> other, const QString& text)
        : QUndoCommand(text), m_document(document), m_other(std::move(other))
    {
    }
    void undo() override { exchange(); }
    void redo() override
    {
        if (std::exchange(m_done, true))
            exchange();
    }

private:
    void exchange()
    {
        const std::shared_ptr<Place> other = m_other.lock();
        if (!other) {
            setObsolete(true);
            return;
        }
        const Place next = std::exchange(*other, m_document->place());
        m_document->goTo(next);
    }

    Document* m_document;
    std::weak_ptr<Place> m_other;
    bool m_done = false;  // the stack makes it once more when it takes it
};

bool Document::replacesTrace(const QUndoCommand* command)
{
    return dynamic_cast<const Replacement*>(command) != nullptr;
}

// Of the trace that is shown; dropped by the stack once that is another one.
class Document::StepsTaken : public QUndoCommand
{
public:
    StepsTaken(Document* document, std::shared_ptr<Loop> other)
        : QUndoCommand(u"loop taken for the steps"_s),
          m_document(document),
          m_trace(document->trace()),
          m_other(std::move(other))
    {
    }
    void undo() override { exchange(); }
    void redo() override { exchange(); }

private:
    void exchange()
    {
        const AnalyzedTrace& current = m_document->current();
        if (!m_other->analysis || m_trace.lock() != current.trace) {
            setObsolete(true);
            return;
        }
        m_document->showLoop(std::exchange(*m_other, Loop{current.analysis, current.level}));
    }

    Document* m_document;
    std::weak_ptr<const Trace> m_trace;
    std::shared_ptr<Loop> m_other;  // empty once the document let go of it
};

void Document::takeSteps(std::shared_ptr<const Analysis> byLoop, std::size_t level)
{
    const auto taken = std::make_shared<Loop>(Loop{std::move(byLoop), level});
    m_loops.emplace_back(taken);
    m_laboratory.undoStack()->push(new StepsTaken(this, taken));
}

void Document::showLoop(const Loop& loop)
{
    Place same = place();
    same.trace.analysis = loop.analysis;
    same.trace.steps = timedSteps(*same.trace.trace, *loop.analysis);
    same.trace.judged.reset();  // by the other steps
    same.trace.level = loop.level;
    goTo(same);
    emit stepsChanged();
}

Document::Place Document::place() const
{
    return {m_current,         m_baseline,          m_origin,         m_path, m_notes,     m_bookmarks,
            m_folding,         m_savedNotes,        m_savedBookmarks, m_line, m_presetKey, m_selection.event(),
            m_selection.gap(), m_selection.range(), m_view.target()};
}

struct Document::Aside {
    Place place;
    std::shared_ptr<Place> replaced;
    std::vector<std::weak_ptr<Loop>> loops;
    ViewRange::History history;
    bool dirty = false;
};

std::shared_ptr<Document::Aside> Document::setAside()
{
    return std::make_shared<Aside>(
        Aside{place(), std::exchange(m_replaced, {}), std::exchange(m_loops, {}), m_view.history(), m_dirty});
}

Document::Other Document::traceOf(const Aside& aside)
{
    return {aside.place.trace, aside.place.origin, aside.place.path};
}

void Document::bringBack(const Aside& aside)
{
    m_replaced = aside.replaced;
    m_loops = aside.loops;
    goTo(aside.place);
    m_view.restart(aside.place.visible, aside.history);
    setDirty(aside.dirty);
}

void Document::keepReplaced(std::shared_ptr<Place> replaced)
{
    const QString text = u"run in the place of %1"_s.arg(replaced->trace.title);
    m_replaced = std::move(replaced);
    m_laboratory.undoStack()->push(new Replacement(this, m_replaced, text));
}

void Document::goTo(const Place& place)
{
    m_openRequest = ++m_request;  // what was asked for before is older
    m_files.cancel();
    if (place.origin == Origin::Recording)  // which may go on
        m_followRequest = m_request;
    m_selection.clear();
    m_current = place.trace;
    m_judgement.reset();
    m_origin = place.origin;
    m_path = place.path;
    m_notes = place.notes;
    m_bookmarks = place.bookmarks;
    m_folding = place.folding;
    m_savedNotes = place.savedNotes;
    m_savedBookmarks = place.savedBookmarks;
    m_line = place.line;
    m_presetKey = place.presetKey;
    setBaseline(place.baseline);
    setDirty(m_notes != m_savedNotes || m_bookmarks != m_savedBookmarks);
    emit traceChanged();
    emit notesChanged();
    m_selection.setRange(place.range);
    if (place.gap)
        m_selection.setGap(*place.gap);
    else
        m_selection.setEvent(place.event);
    m_view.restart(place.visible);
    followSettings();
}

}  // namespace overlane
