#include "app/lessons/lesson_progress.h"

#include <algorithm>
#include <cmath>

#include <QSettings>
#include <QStringList>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

const QString kGroup = u"lessons"_s;
const QString kFolder = u"lessonFolder"_s;

// Comparable, so that NaN equals NaN.
QString written(const std::optional<double>& value)
{
    if (!value)
        return u"-"_s;
    return std::isnan(*value) ? u"skipped"_s : QString::number(*value, 'g', 17);
}

std::optional<double> read(const QString& text)
{
    bool number = false;
    const double value = text.toDouble(&number);
    if (text == QLatin1String("skipped"))
        return std::nan("");
    return number ? std::optional(value) : std::nullopt;
}

QStringList writtenAll(const std::vector<std::optional<double>>& values)
{
    QStringList texts;
    for (const auto& value : values)
        texts << written(value);
    return texts;
}

QStringList writtenAll(const std::set<int>& places)
{
    QStringList texts;
    for (const int place : places)
        texts << QString::number(place);
    return texts;
}

std::set<int> readPlaces(const QStringList& texts)
{
    std::set<int> places;
    for (const QString& text : texts)
        places.insert(text.toInt());
    return places;
}

}  // namespace

bool LessonPast::started() const
{
    return ran || std::any_of(predicted.begin(), predicted.end(), [](const auto& one) { return one.has_value(); });
}

bool operator==(const LessonPast& a, const LessonPast& b)
{
    return a.ran == b.ran && a.right == b.right && a.solved == b.solved &&
           writtenAll(a.predicted) == writtenAll(b.predicted);
}

LessonProgress::LessonProgress(QSettings* settings, QObject* parent) : QObject(parent), m_settings(settings)
{
    if (m_settings == nullptr)
        return;
    m_folder = m_settings->value(kFolder).toString();
    m_settings->beginGroup(kGroup);
    for (const QString& id : m_settings->childGroups()) {
        m_settings->beginGroup(id);
        LessonPast past;
        for (const QString& value : m_settings->value("predicted").toStringList())
            past.predicted.push_back(read(value));
        past.right = readPlaces(m_settings->value("right").toStringList());
        past.solved = readPlaces(m_settings->value("solved").toStringList());
        past.ran = m_settings->value("ran").toBool();
        m_pasts[id] = past;
        m_settings->endGroup();
    }
    m_settings->endGroup();
}

LessonPast LessonProgress::past(const QString& id) const
{
    const auto found = m_pasts.find(id);
    return found == m_pasts.end() ? LessonPast{} : found->second;
}

void LessonProgress::keep(const QString& id, const LessonPast& past)
{
    if (m_pasts.contains(id) && m_pasts[id] == past)
        return;
    m_pasts[id] = past;
    if (m_settings != nullptr) {
        m_settings->beginGroup(kGroup + '/' + id);
        m_settings->setValue("predicted", writtenAll(past.predicted));
        m_settings->setValue("right", writtenAll(past.right));
        m_settings->setValue("solved", writtenAll(past.solved));
        m_settings->setValue("ran", past.ran);
        m_settings->endGroup();
    }
    emit changed();
}

void LessonProgress::forget(const QString& id)
{
    m_pasts.erase(id);
    if (m_settings != nullptr)
        m_settings->remove(kGroup + '/' + id);
    emit changed();
}

void LessonProgress::forgetAll()
{
    m_pasts.clear();
    if (m_settings != nullptr)
        m_settings->remove(kGroup);
    emit changed();
}

QString LessonProgress::folder() const
{
    return m_folder;
}

void LessonProgress::keepFolder(const QString& folder)
{
    m_folder = folder;
    if (m_settings != nullptr)
        m_settings->setValue(kFolder, folder);
}

}  // namespace overlane
