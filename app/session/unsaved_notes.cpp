#include "app/session/unsaved_notes.h"

#include <algorithm>
#include <utility>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kVersion = 1;
constexpr const char* kSuffix = ".notes";
constexpr const char* kLockSuffix = ".lock";
constexpr qint64 kMostBytes = qint64{64} << 20;  // a larger one is not ours

// Texts by their names in the file.
struct Text {
    const char* name;
    QString UnsavedNotes::*member;
};
constexpr Text kTexts[] = {{"title", &UnsavedNotes::title},           {"path", &UnsavedNotes::path},
                           {"scenario", &UnsavedNotes::scenarioJson}, {"device", &UnsavedNotes::deviceKey},
                           {"notes", &UnsavedNotes::notes},           {"bookmarks", &UnsavedNotes::bookmarks},
                           {"folding", &UnsavedNotes::folding}};
struct Number {
    const char* name;
    std::int64_t UnsavedNotes::*member;
};
constexpr Number kNumbers[] = {{"file bytes", &UnsavedNotes::fileBytes},
                               {"file changed", &UnsavedNotes::fileChangedMs},
                               {"made", &UnsavedNotes::madeMs}};

QByteArray toJson(const UnsavedNotes& notes)
{
    QJsonObject root{{"version", kVersion}};
    for (const Text& text : kTexts)
        root[QLatin1String(text.name)] = notes.*text.member;
    for (const Number& number : kNumbers)
        root[QLatin1String(number.name)] = static_cast<qint64>(notes.*number.member);
    return QJsonDocument(root).toJson();
}

std::optional<UnsavedNotes> read(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMostBytes)
        return {};
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    if (root["version"].toInt() != kVersion)
        return {};
    UnsavedNotes notes;
    for (const Text& text : kTexts)
        notes.*text.member = root[QLatin1String(text.name)].toString();
    for (const Number& number : kNumbers)
        notes.*number.member = root[QLatin1String(number.name)].toInteger();
    return notes;
}

}  // namespace

void UnsavedNotes::takeFile(const QString& file)
{
    const QFileInfo info(file);
    if (file.isEmpty() || !info.exists())
        return;
    path = info.absoluteFilePath();
    fileBytes = info.size();
    fileChangedMs = info.lastModified().toMSecsSinceEpoch();
}

bool UnsavedNotes::fileIsSame() const
{
    UnsavedNotes now;
    now.takeFile(path);
    return !now.path.isEmpty() && now.fileBytes == fileBytes && now.fileChangedMs == fileChangedMs;
}

QString UnsavedFile::usualFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/overlane/unsaved"_s;
}

UnsavedFile::UnsavedFile(const QString& file) : m_file(file), m_lock(file + QLatin1String(kLockSuffix))
{
    m_lock.setStaleLockTime(0);  // it is stale when its process is gone, however old it is
}

Result<std::unique_ptr<UnsavedFile>> UnsavedFile::make(const QString& folder)
{
    QDir().mkpath(folder);
    QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces) + QLatin1String(kSuffix);
    std::unique_ptr<UnsavedFile> made(new UnsavedFile(QDir(folder).filePath(name)));
    if (!made->m_lock.tryLock())
        return Error{"Unsaved notes cannot be kept in " + folder.toStdString() +
                     ". Is the folder writable and the disk not full?"};
    return made;
}

std::vector<std::unique_ptr<UnsavedFile>> UnsavedFile::leftIn(const QString& folder)
{
    std::vector<std::unique_ptr<UnsavedFile>> left;
    for (const QString& name : QDir(folder).entryList({QLatin1String("*") + QLatin1String(kSuffix)}, QDir::Files)) {
        std::unique_ptr<UnsavedFile> file(new UnsavedFile(QDir(folder).filePath(name)));
        if (!file->m_lock.tryLock())
            continue;  // its window lives
        std::optional<UnsavedNotes> notes = read(file->m_file);
        if (!notes)
            continue;
        file->m_left = *std::move(notes);
        left.push_back(std::move(file));
    }
    std::ranges::stable_sort(left, {}, [](const auto& file) { return file->left().madeMs; });
    return left;
}

Result<void> UnsavedFile::write(const UnsavedNotes& notes) const
{
    QSaveFile file(m_file);
    const QByteArray bytes = toJson(notes);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return Error{"Unsaved notes cannot be kept in " + m_file.toStdString() + ": " +
                     file.errorString().toStdString() + ". They are lost if the program ends before they are saved."};
    return {};
}

void UnsavedFile::remove() const
{
    QFile::remove(m_file);
}

}  // namespace overlane
