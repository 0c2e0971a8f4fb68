// TrackBadge: a few words beside the name of a track, as long as there is room, with a tool tip.
//
// Values, made outside the timeline; GUI thread.
#pragma once

#include <map>

#include <QColor>
#include <QString>
#include <QStringList>

#include "core/base/strong_id.h"

namespace overlane
{

struct TrackBadge {
    QStringList texts;  // the same, longest first; the first one that fits is shown
    QColor color;       // of the mark before it
    QString tip;        // rich text

    friend bool operator==(const TrackBadge&, const TrackBadge&) = default;
};

using TrackBadges = std::map<TrackId, TrackBadge>;

}  // namespace overlane
