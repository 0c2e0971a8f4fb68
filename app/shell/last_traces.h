// LastTraces: the files that were open last time with their ranges, and whether they are opened at the start, kept in
// the user's settings. GUI thread.
#pragma once

#include <algorithm>
#include <vector>

#include <QSettings>
#include <QVariantMap>

#include "app/shell/trace_tabs.h"

namespace overlane
{

class LastTraces
{
public:
    static constexpr std::size_t kMost = 64;

    bool openedAtStart() const { return QSettings().value("openLastTraces", false).toBool(); }
    void setOpenedAtStart(bool opened) { QSettings().setValue("openLastTraces", opened); }

    std::vector<TraceTabs::Trace> traces() const
    {
        std::vector<TraceTabs::Trace> all;
        for (const QVariant& each : QSettings().value("lastTraces").toList()) {
            const QVariantMap kept = each.toMap();
            if (const QString path = kept.value("path").toString(); !path.isEmpty() && all.size() < kMost)
                all.push_back({path, {kept.value("from").toLongLong(), kept.value("to").toLongLong()}});
        }
        return all;
    }
    int front() const { return QSettings().value("lastFrontTrace").toInt(); }
    // Each change is a file written and waited for.
    void keep(const std::vector<TraceTabs::Trace>& traces, int front)
    {
        const auto same = [](const TraceTabs::Trace& a, const TraceTabs::Trace& b) {
            return a.path == b.path && a.visible == b.visible;
        };
        const std::vector<TraceTabs::Trace> kept = this->traces();
        QSettings settings;
        if (settings.contains("lastTraces") && front == this->front() &&
            std::equal(kept.begin(), kept.end(), traces.begin(), traces.end(), same))
            return;
        QVariantList all;
        for (const TraceTabs::Trace& trace : traces)
            all << QVariantMap{{"path", trace.path},
                               {"from", qlonglong{trace.visible.startNs}},
                               {"to", qlonglong{trace.visible.endNs}}};
        settings.setValue("lastTraces", all);
        settings.setValue("lastFrontTrace", front);
    }
};

}  // namespace overlane
