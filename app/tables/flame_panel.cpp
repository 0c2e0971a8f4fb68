#include "app/tables/flame_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/tables/flame_view.h"
#include "app/widgets/flat_button.h"
#include "app/widgets/text.h"
#include "core/base/statistics.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostThreads = 200;  // of a list that one can still choose from
enum Direction { TopDown, BottomUp };

}  // namespace

FlamePanel::FlamePanel(Document* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_direction(new QComboBox(this)),
      m_threads(new QComboBox(this)),
      m_unsampled(new QLabel(u"no sampled stacks"_s, this)),
      m_search(new QLineEdit(this)),
      m_matched(new QLabel(this)),
      m_range(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(flatButton(u"Cancel"_s, "flameCancel", u"Stop summing"_s, this)),
      m_previous(flatButton(u"\u25c2"_s, "flamePrevious", u"Previous event of the frame"_s, this)),
      m_next(flatButton(u"\u25b8"_s, "flameNext", u"Next event of the frame"_s, this)),
      m_place(new QLabel(this)),
      m_view(new FlameView(this))
{
    makeControls();
    auto* controls = new QHBoxLayout;
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_direction, m_threads, m_unsampled, m_search, m_matched, m_range})
        controls->addWidget(widget, widget == m_search ? 1 : 0);
    controls->addStretch(1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_progress, m_cancel, m_previous, m_place, m_next})
        controls->addWidget(widget);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 0);
    column->setSpacing(4);
    column->addLayout(controls);
    column->addWidget(m_view, 1);

    connect(&m_worker, &BackgroundWorker::progressed, this, &FlamePanel::showWorking);
    connect(m_view, &FlameView::menuRequested, this, &FlamePanel::showMenu);
    connect(m_view, &FlameView::copyRequested, this, &FlamePanel::copyName);
    connect(document, &Document::traceChanged, this, &FlamePanel::refresh);
    connect(document->selection(), &Selection::rangeChanged, this, &FlamePanel::askIfSeen);
    refresh();
}

void FlamePanel::makeControls()
{
    m_direction->setObjectName("flameDirection");
    m_direction->setAccessibleName(u"Direction of the flame graph"_s);
    m_direction->addItem(u"Top-down"_s);
    m_direction->setItemData(TopDown, u"Callers on top, their calls below"_s, Qt::ToolTipRole);
    m_direction->addItem(u"Bottom-up"_s);
    m_direction->setItemData(BottomUp, u"Names by self time, their callers below"_s, Qt::ToolTipRole);
    m_threads->setObjectName("flameThreads");
    m_threads->setAccessibleName(u"Threads of the flame graph"_s);
    m_threads->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_threads->setMinimumContentsLength(18);
    m_unsampled->setObjectName("flameUnsampled");
    m_unsampled->setToolTip(
        u"<p>The graph shows the calls and ranges that the trace records, not the program's own functions. "
        "<code>overlane record</code> samples these unless told not to (<code>--no-stacks</code>).</p>"_s);
    m_search->setObjectName("flameSearch");
    m_search->setAccessibleName(u"Highlight names"_s);
    m_search->setPlaceholderText(u"Highlight names with \u2026"_s);
    m_search->setClearButtonEnabled(true);
    m_matched->setObjectName("flameMatched");
    m_range->setObjectName("flameRange");
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(90, 12);
    m_progress->setAccessibleName(u"Progress of the flame graph"_s);
    m_progress->hide();
    m_cancel->hide();
    m_place->setObjectName("flamePlace");
    m_place->setAlignment(Qt::AlignCenter);
    connect(m_direction, &QComboBox::currentIndexChanged, this, &FlamePanel::askIfSeen);
    connect(m_threads, &QComboBox::currentIndexChanged, this, &FlamePanel::askIfSeen);
    connect(m_search, &QLineEdit::textChanged, this, &FlamePanel::search);
    connect(m_cancel, &QToolButton::clicked, &m_worker, &BackgroundWorker::cancel);
    connect(m_previous, &QToolButton::clicked, this, [this] { visit(m_walk.previous()); });
    connect(m_next, &QToolButton::clicked, this, [this] { visit(m_walk.next()); });
    forgetWalk();
}

void FlamePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void FlamePanel::refresh()
{
    m_worker.forget();
    m_view->setTree(std::make_shared<CallTree>());
    listScopes();
    askIfSeen();
}

void FlamePanel::listScopes()
{
    const QSignalBlocker quiet(m_threads);
    m_threads->clear();
    m_scopes.clear();
    const auto& trace = m_document->trace();
    const auto add = [this](const QString& title, const Scope& scope) {
        m_threads->addItem(title);
        m_scopes.push_back(scope);
    };
    for (const CallSource source : {CallSource::Events, CallSource::Samples}) {
        const std::vector<TrackId> tracks = trace ? callTracks(*trace, source) : std::vector<TrackId>();
        if (tracks.empty())
            continue;
        const bool sampled = source == CallSource::Samples;
        add(sampled ? u"Sampled stacks, all threads"_s : u"All threads together"_s, {source, {}, false});
        if (tracks.size() < 2)
            continue;
        add(sampled ? u"Sampled stacks, by thread"_s : u"By thread"_s, {source, {}, true});
        const bool several = ofSeveralProcesses(*trace, tracks);
        for (std::size_t at = 0; at < std::min(tracks.size(), kMostThreads); ++at)
            add(text(callTrackName(*trace, tracks[at], several)), {source, tracks[at], false});
    }
    m_unsampled->setVisible(!m_scopes.empty() && m_scopes.back().source == CallSource::Events &&
                            !trace->origin().isSimulated);
    if (m_scopes.empty())
        add(u"All threads together"_s, {});
    m_threads->setEnabled(m_scopes.size() > 1);
}

void FlamePanel::askIfSeen()
{
    forgetWalk();
    m_stale = !isVisible();
    if (m_stale)
        return;
    const auto& trace = m_document->trace();
    m_current = !trace;
    const Interval range = m_document->judgedRange();
    m_range->setText(!trace ? QString()
                     : m_document->selection()->range()
                         ? u"in the selected %1"_s.arg(durationText(range.lengthNs()))
                         : u"in the active range, %1"_s.arg(durationText(range.lengthNs())));
    m_worker.forget();
    if (trace) {
        const Scope& scope = m_scopes[static_cast<std::size_t>(std::max(0, m_threads->currentIndex()))];
        m_asked = {range, scope.source, {}, scope.byThread};
        if (scope.track)
            m_asked.tracks = {*scope.track};
        m_worker.run(
            u"Summing host time"_s,
            [trace, query = m_asked, bottomUp = m_direction->currentIndex() == BottomUp](
                Progress& progress) -> Result<std::shared_ptr<const CallTree>> {
                ASSIGN_OR_RETURN(CallTree tree, callTree(*trace, query, progress));
                if (!bottomUp)
                    return std::make_shared<const CallTree>(std::move(tree));
                ASSIGN_OR_RETURN(CallTree inverted, invertedTree(tree, progress));
                return std::make_shared<const CallTree>(std::move(inverted));
            },
            [this](Result<std::shared_ptr<const CallTree>> tree) { take(std::move(tree)); });
    }
    showAnswer();
}

void FlamePanel::take(Result<std::shared_ptr<const CallTree>> tree)
{
    if (tree.ok()) {
        m_current = true;
        const QString threads = m_threads->currentText();
        m_view->setTitle(
            m_asked.source == CallSource::Events || m_asked.tracks.empty() ? threads : u"Sampled: %1"_s.arg(threads));
        m_view->setTree(std::move(tree).value());
        search();
    } else if (!tree.isCancelled()) {
        emit m_document->failed(text(tree.error()));
    }
    showAnswer();
}

void FlamePanel::showAnswer()
{
    const bool busy = m_worker.busy() && !m_current;
    if (!busy) {
        m_progress->hide();
        m_cancel->hide();
    }
    const auto& trace = m_document->trace();
    if (!trace)
        m_view->setEmptyText(u"No trace is open."_s);
    else if (busy)
        m_view->setEmptyText(u"Summing host time \u2026"_s);
    else if (!m_current)
        m_view->setEmptyText(u"Cancelled; choose again what to sum."_s);
    else if (callTracks(*trace, m_asked.source).empty())
        m_view->setEmptyText(
            u"This trace has no host events. Record the program with overlane record, or with "
            "ProfilerActivity.CPU in PyTorch's profiler."_s);
    else
        m_view->setEmptyText(u"No host event lies in this range. Select another range, or none."_s);
}

void FlamePanel::showWorking(double fraction)
{
    // Answers within a tenth of a second show no bar: what flashes explains nothing.
    m_progress->setValue(static_cast<int>(fraction * 1000));
    m_progress->show();
    m_cancel->show();
}

void FlamePanel::search()
{
    const CallTree& tree = m_view->tree();
    const QString wanted = m_search->text();
    if (wanted.isEmpty() || tree.empty()) {
        m_view->setMatches({});
        m_matched->clear();
        return;
    }
    std::vector<bool> names(tree.names().size());
    for (std::size_t name = 0; name < names.size(); ++name)
        names[name] = text(tree.names()[name]).contains(wanted, Qt::CaseInsensitive);
    const std::int64_t matchedNs = tree.matchedNs(names);
    m_view->setMatches(std::move(names));
    m_matched->setText(matchedNs > 0
                           ? u"%1, %2 of all"_s.arg(durationText(matchedNs),
                                                    text(formatShare(shareOf(matchedNs, tree.root().totalNs))))
                           : u"no name matches"_s);
}

void FlamePanel::showMenu(std::uint32_t node, QPoint globalPos)
{
    auto* menu = new QMenu(this);
    menu->setObjectName("flameMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(u"&Zoom to it\tEnter"_s, this, [this, node] { m_view->zoomTo(node); })
        ->setEnabled(node != m_view->zoomed());
    menu->addAction(u"Zoom &back\tBackspace"_s, m_view, &FlameView::zoomOut)->setEnabled(m_view->zoomed() != 0);
    menu->addSeparator();
    menu->addAction(u"&Find in the timeline"_s, this, [this, node] { findEvents(node); })->setEnabled(node != 0);
    menu->addAction(u"&Highlight this name"_s, this,
                    [this, node] { m_search->setText(text(m_view->tree().name(node))); })
        ->setEnabled(node != 0);
    menu->addAction(u"&Copy name\tCtrl+C"_s, this, [this, node] { copyName(node); })->setEnabled(node != 0);
    menu->popup(globalPos);
}

void FlamePanel::copyName(std::uint32_t node)
{
    if (node != 0)
        QApplication::clipboard()->setText(text(m_view->tree().name(node)));
}

void FlamePanel::forgetWalk()
{
    const bool had = !m_walk.events().empty();
    m_finder.forget();
    m_walk = {};
    m_place->clear();
    m_previous->hide();
    m_next->hide();
    if (had)
        emit eventsMarked({});
}

void FlamePanel::findEvents(std::uint32_t node)
{
    forgetWalk();
    const auto& trace = m_document->trace();
    if (!trace)
        return;
    m_finder.run(
        u"Listing the events of a call"_s,
        [trace, name = m_view->tree().name(node), query = m_asked](Progress& progress) {
            return found(eventsOfCall(*trace, name, query, progress));
        },
        [this](Result<FoundEvents> events) {
            if (!events.ok())
                return;
            m_walk.set(std::move(events).value());
            m_place->setText(m_walk.text());
            m_previous->setVisible(!m_walk.events().empty());
            m_next->setVisible(!m_walk.events().empty());
            emit eventsMarked(m_walk.marks());
            visit(m_walk.next());
        });
}

void FlamePanel::visit(EventIndex event)
{
    m_place->setText(m_walk.text());
    if (event.valid())
        emit eventRequested(event);
}

}  // namespace overlane
