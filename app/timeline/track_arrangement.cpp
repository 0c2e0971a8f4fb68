#include "app/timeline/track_arrangement.h"

#include <algorithm>

#include <QColor>
#include <QString>

namespace overlane
{

const TrackLook& TrackArrangement::of(const std::string& path) const
{
    static const TrackLook kUsual;
    const auto found = m_looks.find(path);
    return found == m_looks.end() ? kUsual : found->second;
}

void TrackArrangement::set(const std::string& path, const TrackLook& look)
{
    if (look == TrackLook{})
        m_looks.erase(path);
    else
        m_looks[path] = look;
}

void TrackArrangement::order(const std::vector<std::string>& siblings)
{
    for (std::size_t place = 0; place < siblings.size(); ++place) {
        TrackLook look = of(siblings[place]);
        look.place = static_cast<int>(place);
        set(siblings[place], look);
    }
}

bool TrackArrangement::hidesAny() const
{
    return std::any_of(m_looks.begin(), m_looks.end(), [](const auto& each) { return each.second.hidden; });
}

bool TrackArrangement::keepsAny() const
{
    return std::any_of(m_looks.begin(), m_looks.end(),
                       [](const auto& each) { return each.second.pinned.value_or(false); });
}

void TrackArrangement::showAll()
{
    const std::map<std::string, TrackLook> looks = m_looks;
    for (auto [path, look] : looks) {
        look.hidden = false;
        set(path, look);
    }
}

QJsonObject lookJson(const TrackLook& look)
{
    QJsonObject json;
    if (look.hidden)
        json["hidden"] = true;
    if (look.pinned)
        json["pinned"] = *look.pinned;
    if (look.height != 1)
        json["height"] = look.height;
    if (look.place)
        json["place"] = *look.place;
    if (look.color != 0)
        json["color"] = QColor(look.color).name();
    if (look.fromLowest)
        json["fromLowest"] = true;
    return json;
}

TrackLook lookFrom(const QJsonObject& json)
{
    TrackLook look;
    look.hidden = json["hidden"].toBool();
    if (json["pinned"].isBool())
        look.pinned = json["pinned"].toBool();
    look.height = std::clamp(json["height"].toInt(1), 1, TrackLook::kTallest);
    if (const int place = json["place"].toInt(-1); place >= 0)
        look.place = place;
    if (const QColor color(json["color"].toString()); color.isValid())
        look.color = color.rgb() | 0xFF000000;
    look.fromLowest = json["fromLowest"].toBool();
    return look;
}

}  // namespace overlane
