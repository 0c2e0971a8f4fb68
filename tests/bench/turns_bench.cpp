// The longest turn of the window's event loop in what a person does with it: started, each page and dialog opened for
// the first time, a trace opened and looked at. For each, the thread's own time of that turn and what it delivered.
//
//   turns_bench [TRACE [OTHER [JOB_FOLDER [FLEET_FILE]]]]
//
// With TURNS_TREE in the environment, all that the longest turn delivered.
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <QAction>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QSlider>
#include <QTemporaryDir>
#include <QTimer>

#include "app/laboratory/laboratory_panel.h"
#include "app/program/tools.h"
#include "app/second/second_timelines.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/main_window.h"
#include "app/shell/search_bar.h"
#include "app/shell/trace_tabs.h"
#include "app/shell/window_shell.h"
#include "app/theme/palette.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "tests/bench/watched_application.h"

namespace
{

using namespace overlane;
using Acts = std::vector<std::function<void()>>;

constexpr int kFrameMs = 16;
constexpr int kDragFrames = 40;

double processMs()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Whether no thread of the program has worked for a while.
class Quiet
{
public:
    bool reached()
    {
        const double nowMs = processMs();
        m_frames = nowMs - std::exchange(m_lastMs, nowMs) < kLittleMs ? m_frames + 1 : 0;
        return m_frames >= kFrames;
    }

private:
    static constexpr double kLittleMs = 1.5;
    static constexpr int kFrames = 15;
    double m_lastMs = processMs();
    int m_frames = 0;
};

class Person
{
public:
    Person(WatchedApplication& application, MainWindow& window, bool tree)
        : m_application(application), m_window(window), m_tree(tree)
    {
    }

    // One act a frame, then until all threads are quiet.
    void does(const char* what, const Acts& acts)
    {
        constexpr int kMostMs = 300'000;  // where a page keeps working
        QEventLoop loop;
        QTimer frame;
        QElapsedTimer since;
        since.start();
        std::size_t next = 0;
        Quiet quiet;
        QObject::connect(&frame, &QTimer::timeout, &loop, [&] {
            if (next < acts.size())
                acts[next++]();
            else if ((quiet.reached() && !busy()) || since.elapsed() > kMostMs)
                loop.quit();
        });
        frame.start(kFrameMs);
        m_application.begin();
        loop.exec();
        const WatchedApplication::Turn& turn = m_application.longest();
        const WatchedApplication::Delivery* longest = turn.longest();
        std::printf("%-40s %6.1f ms  %6.1f ms %s\n", what, turn.ms, longest != nullptr ? longest->ms : 0,
                    longest != nullptr ? longest->name.c_str() : "-");
        for (const WatchedApplication::Delivery& delivery : turn.deliveries)
            if (m_tree)
                std::printf("%*s%.1f ms %s\n", 8 + 2 * delivery.depth, "", delivery.ms, delivery.name.c_str());
        std::fflush(stdout);
    }

    void chooses(const char* what, const QString& label)
    {
        for (QAction* action : m_window.findChildren<QAction*>())
            if (action->menu() == nullptr && action->text().remove('&') == label)
                return does(what, {[action] { action->trigger(); }});
        std::printf("%-40s has no menu entry\n", what);
    }

    // What was opened last goes.
    void closesDialogs()
    {
        does("  closed", {[this] {
                 for (QWidget* widget : QApplication::topLevelWidgets())
                     if (widget != &m_window && widget->isVisible())
                         widget->close();
                 m_window.shell()->leavePage();
             }});
    }

    void drags(const char* what, QWidget* on, QPoint from, QPoint to)
    {
        Acts acts;
        acts.push_back([=] { mouse(on, QEvent::MouseButtonPress, from, Qt::LeftButton); });
        for (int i = 1; i <= kDragFrames; ++i)
            acts.push_back([=] { mouse(on, QEvent::MouseMove, from + (to - from) * i / kDragFrames, Qt::LeftButton); });
        acts.push_back([=] { mouse(on, QEvent::MouseButtonRelease, to, Qt::NoButton); });
        does(what, acts);
    }

    static void mouse(QWidget* on, QEvent::Type type, QPoint at, Qt::MouseButtons held)
    {
        const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
        QCoreApplication::postEvent(on, new QMouseEvent(type, at, on->mapToGlobal(at), button, held, Qt::NoModifier));
    }

private:
    bool busy() const
    {
        Document* document = m_window.document();
        return document->busy() || document->insights()->busy() || m_window.secondTimelines()->busy() ||
               m_window.searchBar()->busy();
    }

    WatchedApplication& m_application;
    MainWindow& m_window;
    const bool m_tree;
};

// The event with the most linked work; of many, the first.
EventIndex mostLinked(const Trace& trace)
{
    constexpr std::size_t kMostTried = 200'000;
    EventIndex most;
    std::size_t links = 0;
    for (std::size_t i = 0; i < std::min(trace.eventCount(), kMostTried); ++i)
        if (const std::size_t linked = trace.linkedWork(EventIndex(i)).size(); linked > links) {
            links = linked;
            most = EventIndex(i);
        }
    return most;
}

QPoint pointOn(const LaneCanvas& lanes, bool event)
{
    for (int y = 5; y < lanes.height(); y += 5)
        for (int x = lanes.width() / 3; x < lanes.width(); x += 7)
            if (lanes.eventAt({x, y}).valid() == event)
                return {x, y};
    return lanes.rect().center();
}

Acts resizing(MainWindow& window)
{
    Acts acts;
    for (int i = 0; i <= 20; ++i)
        acts.push_back([&window, i] { window.resize(1920 - 20 * i, 1080 - 12 * i); });
    acts.push_back([&window] { window.resize(1280, 800); });
    acts.push_back([&window] { window.resize(1920, 1080); });
    return acts;
}

Acts typing(MainWindow& window, const QString& text)
{
    Acts acts;
    for (const QChar letter : text)
        acts.push_back([&window, letter] {
            QWidget* field = window.searchBar()->findChild<QLineEdit*>();
            QCoreApplication::postEvent(field, new QKeyEvent(QEvent::KeyPress, 0, Qt::NoModifier, QString(letter)));
            QCoreApplication::postEvent(field, new QKeyEvent(QEvent::KeyRelease, 0, Qt::NoModifier, QString(letter)));
        });
    return acts;
}

void looksAround(Person& person, MainWindow& window)
{
    const auto tab = [&](const char* what, QWidget* page) {
        person.does(what, {[&window, page] { window.showFigures(page); }});
    };
    BottomPanel* figures = window.bottomPanel();
    for (int i = 0; i < figures->count(); ++i)
        tab(("tab " + figures->tabText(i).toStdString()).c_str(), figures->widget(i));
    tab("tab back to findings", figures->widget(0));
    LaneCanvas* lanes = window.timeline()->lanes();
    const int left = lanes->width() / 4;
    const int y = lanes->height() / 2;
    Acts moves;
    for (int i = 0; i < kDragFrames; ++i)
        moves.push_back([lanes, left, y, i] {
            Person::mouse(lanes, QEvent::MouseMove, {left + i * 11, y}, Qt::NoButton);
        });
    person.does("cursor moved over lanes", moves);
    const QPoint event = pointOn(*lanes, true);
    person.does("event clicked", {[=] { Person::mouse(lanes, QEvent::MouseButtonPress, event, Qt::LeftButton); },
                                  [=] { Person::mouse(lanes, QEvent::MouseButtonRelease, event, Qt::NoButton); }});
    const EventIndex linked = mostLinked(*window.document()->trace());
    if (linked.valid())
        person.does("event with most relations shown", {[&window, linked] { window.reveal(linked); }});
    person.does("menu of an event", {[=] {
                    QCoreApplication::postEvent(
                        lanes, new QContextMenuEvent(QContextMenuEvent::Mouse, event, lanes->mapToGlobal(event)));
                }});
    person.does("  closed", {[] {
                    while (QWidget* popup = QApplication::activePopupWidget())
                        popup->close();
                }});
    person.drags("range dragged over everything", lanes, {left, y}, {lanes->width() - 8, y});
    person.does("range dropped", {[&window] { window.document()->selection()->setRange({}); }});
    Acts wheels;
    for (int i = 0; i < 24; ++i)
        wheels.push_back([lanes, y, left, i] {
            const QPoint at(left * 2, y);
            QCoreApplication::postEvent(
                lanes, new QWheelEvent(at, lanes->mapToGlobal(at), {}, {0, i < 12 ? 120 : -120}, Qt::NoButton,
                                       Qt::ControlModifier, Qt::NoScrollPhase, false));
        });
    person.does("zoomed by wheel in and out", wheels);
    person.does("whole trace", {[&window] { window.document()->view()->fitAll(); }});
    person.chooses("idle time by cause", u"Color idle time by cause"_qs);
    person.chooses("search opened", u"Find …"_qs);
    person.does("search typed", typing(window, u"kernel"_qs));
    person.chooses("next hit", u"Find next"_qs);
    person.does("search closed", {[&window] {
                    QWidget* field = window.searchBar()->findChild<QLineEdit*>();
                    QCoreApplication::postEvent(field, new QKeyEvent(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier));
                }});
    person.does("window resized", resizing(window));
    person.does("theme dark", {[&window] { window.setTheme(Theme::Dark); }});
    person.does("theme light", {[&window] { window.setTheme(Theme::Light); }});
}

void opensEverything(Person& person, MainWindow& window)
{
    for (const char* label : {"Lessons", "Sweeps", "Advisor", "Machine and memory …", "Calibrate …",
                              "Record a program …", "Help", "Keyboard and mouse", "About Overlane", "What if"}) {
        person.chooses(label, QString::fromUtf8(label));
        person.closesDialogs();
    }
    for (const char* name : {"workers_slider", "batches_slider"})
        if (auto* slider = window.laboratoryPanel()->findChild<QSlider*>(name)) {
            Acts moves;
            for (int i = 1; i <= kDragFrames; ++i)
                moves.push_back([slider, i] {
                    slider->setValue(slider->minimum() + (slider->maximum() - slider->minimum()) * i / kDragFrames);
                });
            person.does(name, moves);
        }
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir own;  // settings and notes are not the person's
    qputenv("XDG_DATA_HOME", own.path().toLocal8Bit());
    qputenv("XDG_CONFIG_HOME", own.path().toLocal8Bit());
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    WatchedApplication application(argc, argv);
    QCoreApplication::setOrganizationName("overlane-bench");
    QCoreApplication::setApplicationName("turns_bench");
    std::printf("%-40s %9s  %s\n", "", "longest", "the event that took most of it");
    applyTheme(application, Theme::Light);
    MainWindow window(true, Theme::Light, QSize(1920, 1080));
    plugTools(window.shell());
    Person person(application, window, qEnvironmentVariableIsSet("TURNS_TREE"));
    window.document()->simulate();
    window.offerFirstHint();
    window.show();
    person.does("start to the first run drawn", {});
    opensEverything(person, window);
    if (argc > 1) {
        person.does("trace opened", {[&window, argv] { window.openFile(QString::fromLocal8Bit(argv[1])); }});
        looksAround(person, window);
    }
    if (argc > 2) {
        person.does("second trace opened", {[&window, argv] { window.openFile(QString::fromLocal8Bit(argv[2])); }});
        for (int i = 0; i < 2; ++i) {
            person.does("tab of the first", {[&window] { window.tabs()->showNext(-1); }});
            person.does("tab of the second", {[&window] { window.tabs()->showNext(1); }});
        }
        person.does("compared", {[&window, argv] { window.compareWith(QString::fromLocal8Bit(argv[1])); }});
        person.chooses("what if", u"What if"_qs);
    }
    if (argc > 3) {
        person.does("job", {[&window, argv] { emit window.jobRequested({QString::fromLocal8Bit(argv[3])}); }});
        person.closesDialogs();
    }
    if (argc > 4) {
        person.does("fleet", {[&window, argv] { emit window.fleetRequested(QString::fromLocal8Bit(argv[4])); }});
        person.closesDialogs();
    }
    return 0;
}
