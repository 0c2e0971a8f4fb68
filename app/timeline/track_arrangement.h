// TrackArrangement: what a person made of the tracks besides opening and closing them: hidden, kept in sight, moved,
// made taller, colored. By path, so that it survives a re-run; other tracks take defaults.
//
// A value; GUI thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <QJsonObject>

namespace overlane
{

struct TrackLook {
    static constexpr int kTallest = 4;

    bool hidden = false;
    std::optional<bool> pinned;  // kept in sight below the lanes that scroll; none: as the window decides
    int height = 1;              // of each row, in usual ones, up to kTallest
    std::optional<int> place;    // among its siblings; those without stay in order behind smaller ones
    std::uint32_t color = 0;     // of its bars, 0xFFRRGGBB; 0: by kind
    bool fromLowest = false;     // a gauge: its scale begins at the lowest value, not at zero
    friend bool operator==(const TrackLook&, const TrackLook&) = default;
};

class TrackArrangement
{
public:
    // By trackPath(). The default where nothing is known.
    const TrackLook& of(const std::string& path) const;
    void set(const std::string& path, const TrackLook& look);
    // Gives the siblings, paths in their order, their places.
    void order(const std::vector<std::string>& siblings);
    bool empty() const { return m_looks.empty(); }
    bool hidesAny() const;
    bool keepsAny() const;  // in sight
    void showAll();
    void clear() { m_looks.clear(); }
    const std::map<std::string, TrackLook>& all() const { return m_looks; }

    friend bool operator==(const TrackArrangement&, const TrackArrangement&) = default;

private:
    std::map<std::string, TrackLook> m_looks;
};

// Only what differs from the default. lookFrom() takes what it does not understand as the default.
QJsonObject lookJson(const TrackLook& look);
TrackLook lookFrom(const QJsonObject& json);

}  // namespace overlane
