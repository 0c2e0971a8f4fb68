// How long the event table keeps the GUI thread from painting while a large trace is listed, filtered,
// sorted and searched. For each action: the same query done in one go on this thread, then, with a shown
// table, the longest time the event loop did not turn and the time until the rows were there.
//
//   events_bench [events]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <QApplication>
#include <QEventLoop>
#include <QTimer>

#include "app/session/document.h"
#include "app/tables/events_model.h"
#include "app/theme/palette.h"
#include "app/widgets/data_table.h"
#include "tests/bench/crowded_trace.h"

namespace
{

using namespace overlane;
using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Seen {
    double longestMs = 0;  // between two turns of the event loop
    double answerMs = 0;
};

Seen watch(EventsModel& model, const std::function<void()>& action)
{
    Seen seen;
    QEventLoop loop;
    bool answered = false;
    const auto connection = QObject::connect(&model, &EventsModel::answered, [&] { answered = true; });
    const auto start = Clock::now();
    auto turned = start;
    QTimer turn;
    QObject::connect(&turn, &QTimer::timeout, [&] {
        seen.longestMs = std::max(seen.longestMs, msSince(turned));
        turned = Clock::now();
        if (answered && seen.answerMs == 0)
            seen.answerMs = msSince(start);
        else if (answered)
            loop.quit();  // one more turn has painted
    });
    turn.start(0);
    action();
    loop.exec();
    QObject::disconnect(connection);
    return seen;
}

double inOneGo(const Trace& trace, const EventsQuery& query)
{
    Progress progress;
    const auto start = Clock::now();
    const auto rows = findEvents(trace, query, progress);
    return rows.ok() ? msSince(start) : 0;
}

}  // namespace

int main(int argc, char** argv)
{
    const int events = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, Theme::Light);
    const auto trace = crowdedTrace(events);
    Document document;
    EventsModel model;
    DataTable table("events", &model);
    table.resize(920, 300);
    table.show();

    std::printf("%zu events\n%-32s %12s %22s %16s\n", trace->eventCount(), "", "in one go", "GUI thread held, most",
                "rows there after");
    EventsQuery query;
    const auto row = [&](const char* name, const std::function<void()>& action) {
        const double whole = inOneGo(*trace, query);
        const Seen seen = watch(model, action);
        std::printf("%-32s %9.1f ms %19.1f ms %13.1f ms\n", name, whole, seen.longestMs, seen.answerMs);
    };
    row("list all", [&] { model.setTrace(trace); });
    query.column = EventsQuery::Duration;
    row("sort by duration", [&] { model.sort(EventsModel::Duration, Qt::AscendingOrder); });
    query.column = EventsQuery::Name;
    row("sort by name", [&] { model.sort(EventsModel::Name, Qt::AscendingOrder); });
    query.column = EventsQuery::Start;
    query.name = "kernel_1";
    row("filter by name, sort by start", [&] {
        model.sort(EventsModel::Start, Qt::AscendingOrder);
        model.setFilter("kernel_1", {}, {});
    });
    query.name.clear();
    row("clear the filter", [&] { model.setFilter({}, {}, {}); });
    return 0;
}
