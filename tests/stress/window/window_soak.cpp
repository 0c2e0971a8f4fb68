#include "tests/stress/window/window_soak.h"

#include <algorithm>
#include <utility>

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTest>

#include "app/second/second_timelines.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/search_bar.h"
#include "app/shell/trace_tabs.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"

namespace overlane
{

namespace
{

constexpr int kLongestWaitMs = 60'000;

const char* const kTraces[] = {"resources/samples/dataloader_pageable_blocking.overlane",
                               "resources/samples/dataloader_pinned_side_stream.overlane",
                               "resources/samples/pipeline_pinned.overlane",
                               "resources/samples/two_gpus.overlane",
                               "tests/data/traces/h200/w4_page_b_main_d4.pt.trace.json.gz",
                               "tests/data/traces/h200/w8_pin_nb_side_d16.pt.trace.json.gz",
                               "tests/data/traces/kineto/hta_alexnet.json.gz"};

}  // namespace

WindowSoak::WindowSoak(std::uint32_t seed) : m_random(seed)
{
    for (const char* trace : kTraces) {  // copies: they are saved over
        const QString source = QStringLiteral(OVERLANE_SOURCE_DIR "/") + QString::fromUtf8(trace);
        m_files << m_folder.filePath(QFileInfo(source).fileName());
        if (!QFile::copy(source, m_files.back()) ||
            !QFile::setPermissions(m_files.back(), QFile::ReadOwner | QFile::WriteOwner))
            qFatal("%s cannot be copied to %s.", qPrintable(source), qPrintable(m_files.back()));
    }
    addFileActions();
    addLaboratoryActions();
    addViewActions();
    addPanelActions();
    m_answers.setInterval(3);
    QObject::connect(&m_answers, &QTimer::timeout, &m_answers, [this] { answerQuestions(); });
    m_answers.start();
    startAnew();
}

WindowSoak::~WindowSoak() = default;

std::uint32_t WindowSoak::chance(std::uint32_t below)
{
    return static_cast<std::uint32_t>(m_random() % below);
}

void WindowSoak::add(const char* name, int weight, std::function<void()> run)
{
    m_actions.push_back({name, weight, std::move(run)});
    m_weights.push_back(weight);
}

std::string WindowSoak::act()
{
    std::discrete_distribution<std::size_t> choice(m_weights.begin(), m_weights.end());
    const Action& action = m_actions[choice(m_random)];
    action.run();
    QApplication::processEvents();
    return action.name;
}

bool WindowSoak::settle()
{
    return QTest::qWaitFor(
        [this] {
            return QApplication::activeModalWidget() == nullptr && !m_window->document()->busy() &&
                   !m_window->secondTimelines()->busy() && !m_window->document()->insights()->busy() &&
                   !m_window->searchBar()->busy();
        },
        kLongestWaitMs);
}

void WindowSoak::startAnew()
{
    if (m_window) {
        m_window->document()->giveUpNotes();
        m_window->close();
    }
    m_window = std::make_unique<MainWindow>(false);
    m_window->keepNotesIn(m_folder.filePath("unsaved"));
    m_window->setFileChooser({[this](auto...) { return anyFile(); },
                              [this](auto...) {
                                  QString path = m_folder.filePath(QStringLiteral("saved_%1.overlane").arg(chance(6)));
                                  if (!m_files.contains(path))
                                      m_files << path;
                                  return path;
                              }});
    // Settings that no run can have, or a run that was cancelled, leave the run before in place.
    m_runIsFollowed = true;
    QObject::connect(m_window->document(), &Document::failed, m_window.get(), [this] { m_runIsFollowed = false; });
    m_window->resize(1200, 800);
    m_window->show();
    m_window->document()->simulate();
    (void)settle();
}

void WindowSoak::answerQuestions()
{
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr)
        return;
    const QList<QAbstractButton*> buttons = box->buttons();
    buttons[static_cast<qsizetype>(chance(static_cast<std::uint32_t>(buttons.size())))]->click();
}

void WindowSoak::trigger(const char* label)
{
    for (QMenu* menu : m_window->menuBar()->findChildren<QMenu*>())
        for (QAction* action : menu->actions())
            if (action->text().remove('&') == QString::fromUtf8(label) && action->isEnabled())
                return action->trigger();
}

void WindowSoak::key(QWidget* widget, int key, Qt::KeyboardModifiers modifiers)
{
    m_window->activateWindow();  // the keys of menus are the active window's, and a question took that away
    (void)QTest::qWaitForWindowActive(m_window.get());
    widget->setFocus();
    QTest::keyClick(widget, static_cast<Qt::Key>(key), modifiers);
}

// One in twelve is not there.
QString WindowSoak::anyFile()
{
    if (chance(12) == 0)
        return m_folder.filePath("missing.overlane");
    return m_files[static_cast<qsizetype>(chance(static_cast<std::uint32_t>(m_files.size())))];
}

Interval WindowSoak::anyRange()
{
    const Interval whole = m_window->document()->view()->limits();
    const std::int64_t start = whole.startNs + whole.lengthNs() / 100 * chance(100);
    return {start, start + 1 + whole.lengthNs() / (1 + chance(1000))};
}

void WindowSoak::turnAnySetting()
{
    const auto settings = allSettings();
    const Setting& setting = settings[chance(static_cast<std::uint32_t>(settings.size()))];
    if (setting.key == "batches" || setting.key == "samples" || setting.key == "files")
        return;  // how long a run is, not what it is
    const double present = setting.get(m_window->document()->laboratory()->scenario());
    const double factors[] = {0, 0.5, 0.9, 1.1, 2};
    double next = present * factors[chance(5)];
    if (setting.kind == SettingKind::Switch || setting.kind == SettingKind::Choice || present == 0)
        next = chance(4);
    m_window->document()->laboratory()->set(setting, next);
}

void WindowSoak::addFileActions()
{
    add("open", 6, [this] { m_window->openFile(anyFile()); });
    add("open two at once", 1, [this] {
        m_window->openFile(anyFile());
        m_window->openFile(anyFile());
    });
    add("save", 3, [this] { m_window->save(); });
    add("save as", 2, [this] { m_window->saveAs(); });
    add("compare with a file", 3, [this] { m_window->compareWith(anyFile()); });
    add("compare with the baseline", 2, [this] { trigger("Compare with the baseline"); });
    add("swap the compared", 2, [this] {
        if (m_window->secondTimelines()->comparison()->active() && !m_window->document()->dirty()) {
            m_window->secondTimelines()->comparison()->swap();
            m_runIsFollowed = false;  // the kept run is shown
        }
    });
    add("close the comparison", 2, [this] { m_window->secondTimelines()->closeComparison(); });
    add("close the window and start anew", 1, [this] { startAnew(); });
    add("cancel", 1, [this] {
        m_runIsFollowed = false;
        m_window->document()->cancel();
    });
}

void WindowSoak::addLaboratoryActions()
{
    add("turn a setting", 8, [this] { turnAnySetting(); });
    add("drag a setting", 2, [this] {
        m_window->document()->laboratory()->beginGesture();
        for (int i = 0; i < 5; ++i)
            turnAnySetting();
        m_window->document()->laboratory()->endGesture();
    });
    add("choose a preset", 3, [this] {
        const auto presets = allPresets();
        m_window->document()->laboratory()->applyPreset(presets[chance(static_cast<std::uint32_t>(presets.size()))]);
    });
    add("run", 4, [this] {
        m_runIsFollowed = true;
        m_window->document()->run();
    });
    add("first steps", 1, [this] { trigger("First steps"); });
    add("undo", 8, [this] { key(m_window->timeline(), Qt::Key_Z, Qt::ControlModifier); });
    add("redo", 4, [this] { key(m_window->timeline(), Qt::Key_Y, Qt::ControlModifier); });
    add("keep or drop A", 3, [this] { key(m_window->timeline(), Qt::Key_K, Qt::ControlModifier); });
    add("run in the place of a file, and return", 4, [this] { runAndReturn(); });
}

// The trace with notes, selection and zoom is there again after one undo. Where several traces are open, a run has a
// tab of its own and takes the place of none.
void WindowSoak::runAndReturn()
{
    Document* document = m_window->document();
    if (!settle() || !document->isOpened() || document->dirty() || m_window->tabs()->keepsOpened())
        return;
    const auto trace = document->trace();
    const QString notes = document->notes();
    const QString bookmarks = document->bookmarks();
    const QString title = document->title();
    const auto range = document->selection()->range();
    const EventIndex event = document->selection()->event();
    const Interval visible = document->view()->range();
    m_runIsFollowed = true;
    document->run();
    if (!settle())
        return;
    if (!m_runIsFollowed)  // no run has these settings
        return;
    if (document->trace() == trace) {
        m_found = "an opened trace did not give way to the run that was asked for";
        return;
    }
    key(m_window->timeline(), Qt::Key_Z, Qt::ControlModifier);
    if (!settle())
        return;
    // What lay beside the trace (A, a prediction) is looked for anew.
    const Interval span = trace->span();
    const bool inTrace = visible.startNs >= span.startNs && visible.endNs <= span.endNs;
    if (document->trace() != trace || document->title() != title)
        m_found = "undo did not return to the opened trace";
    else if (document->notes() != notes || document->bookmarks() != bookmarks)
        m_found = "undo did not return to the notes of the opened trace";
    else if (document->selection()->range() != range || document->selection()->event() != event)
        m_found = "undo did not return to the selection in the opened trace";
    else if (inTrace && document->view()->range() != visible)
        m_found = "undo did not return to the zoom in the opened trace";
}

void WindowSoak::addViewActions()
{
    TimelineAction const keys[] = {
        TimelineAction::ZoomIn,      TimelineAction::ZoomOut,       TimelineAction::PanLeft,
        TimelineAction::PanRight,    TimelineAction::EventLeft,     TimelineAction::EventRight,
        TimelineAction::EventUp,     TimelineAction::EventDown,     TimelineAction::FitSelection,
        TimelineAction::FitAll,      TimelineAction::GoToStart,     TimelineAction::GoToEnd,
        TimelineAction::ScrollUp,    TimelineAction::ScrollDown,    TimelineAction::ZoomBack,
        TimelineAction::ZoomForward, TimelineAction::MarkRange,     TimelineAction::NextBookmark,
        TimelineAction::ToggleTrack, TimelineAction::ClearSelection};
    add("a key of the timeline", 14, [this, keys = std::vector(std::begin(keys), std::end(keys))] {
        m_window->timeline()->perform(keys[chance(static_cast<std::uint32_t>(keys.size()))]);
    });
    add("show a range", 4, [this] { m_window->document()->view()->setRange(anyRange()); });
    add("select a range", 4, [this] { m_window->document()->selection()->setRange(anyRange()); });
    add("select an event", 4, [this] {
        const auto count = static_cast<std::uint32_t>(m_window->document()->trace()->eventCount());
        if (count > 0)
            m_window->reveal(EventIndex(chance(count)));
    });
    add("mark", 3, [this] { m_window->timeline()->perform(TimelineAction::ToggleBookmark); });
    add("write a note", 3, [this] { m_window->bottomPanel()->notes()->insertPlainText(QString::number(chance(100))); });
    add("fold or open all tracks", 2, [this] {
        if (chance(2) == 0)
            m_window->timeline()->collapseAll();
        else
            m_window->timeline()->expandAll();
    });
    add("resize", 2,
        [this] { m_window->resize(static_cast<int>(700 + chance(900)), static_cast<int>(500 + chance(700))); });
    add("paint", 3, [this] { m_window->grab(); });
}

void WindowSoak::addPanelActions()
{
    add("choose a tab", 5, [this] {
        m_window->bottomPanel()->setCurrentIndex(
            static_cast<int>(chance(static_cast<std::uint32_t>(m_window->bottomPanel()->count()))));
    });
    add("what if", 4, [this] {
        WhatIfSource* source = m_window->secondTimelines()->whatIf();
        WhatIfChoices choices = source->choices();
        const auto kind = static_cast<ChangeKind>(chance(static_cast<std::uint32_t>(kChangeKindCount)));
        choices.set(kind, !choices.has(kind));
        source->setChoices(choices);
    });
    add("colour idle time", 1, [this] { m_window->timeline()->setIdleShown(!m_window->timeline()->idleShown()); });
    add("show evidence", 3, [this] { m_window->showEvidence(chance(2) == 0 ? 1 : -1); });
    add("find", 2, [this] {
        m_window->searchBar()->open();
        QTest::keyClicks(m_window->searchBar()->findChild<QLineEdit*>(), chance(2) == 0 ? "memcpy" : "k");
        m_window->searchBar()->next();
    });
    add("leave the search", 2, [this] { key(m_window->searchBar(), Qt::Key_Escape); });
    add("close the message", 2, [this] { m_window->messageBar()->hide(); });
}

}  // namespace overlane
