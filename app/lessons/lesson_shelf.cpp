#include "app/lessons/lesson_shelf.h"

#include <QCryptographicHash>
#include <QDir>

#include "app/widgets/text.h"

namespace overlane
{

QString LessonShelf::id(const Lesson& lesson) const
{
    QString key = text(lesson.key);
    if (folder.isEmpty())
        return key;
    const QByteArray hash = QCryptographicHash::hash(folder.toUtf8(), QCryptographicHash::Sha1).toHex();
    return key + '@' + QString::fromLatin1(hash.left(12));
}

LessonShelf builtInLessons()
{
    LessonShelf shelf;
    shelf.title = u"Lessons"_s;
    const Result<std::vector<Lesson>>& lessons = allLessons();
    if (lessons.ok()) {
        shelf.lessons = {std::shared_ptr<void>(), &lessons.value()};
    } else {
        shelf.lessons = std::make_shared<const std::vector<Lesson>>();
        shelf.error = text(lessons.error());
    }
    return shelf;
}

LessonShelf lessonsOfFolder(const QString& folder)
{
    LessonShelf shelf;
    shelf.folder = QDir(folder).absolutePath();
    shelf.title = QDir(folder).dirName();
    Result<LessonLibrary> read = readLessonLibrary(shelf.folder.toStdString());
    if (!read.ok())
        shelf.error = text(read.error());
    LessonLibrary library = read.ok() ? std::move(read).value() : LessonLibrary();
    shelf.faults = std::move(library.faults);
    shelf.lessons = std::make_shared<const std::vector<Lesson>>(std::move(library.lessons));
    return shelf;
}

}  // namespace overlane
