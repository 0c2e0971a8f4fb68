// LastTraces: the files that were open last time with their ranges, and whether they are opened at the start, kept in
// the user's settings. GUI thread.
#pragma once

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
    void keep(const std::vector<TraceTabs::Trace>& traces, int front)
    {
        QVariantList all;
        for (const TraceTabs::Trace& trace : traces)
            all << QVariantMap{{"path", trace.path},
                               {"from", qlonglong{trace.visible.startNs}},
                               {"to", qlonglong{trace.visible.endNs}}};
        QSettings().setValue("lastTraces", all);
        QSettings().setValue("lastFrontTrace", front);
    }
};

}  // namespace overlane
