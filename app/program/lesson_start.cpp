#include "app/program/lesson_start.h"

#include <cstdio>

#include <QApplication>
#include <QEventLoop>
#include <QString>

#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/lessons_tool.h"
#include "app/widgets/text.h"

namespace overlane
{

Result<void> openLesson(LessonsTool& lessons, const WindowArguments& arguments)
{
    const bool shooting = arguments.shooting();
    if (!arguments.lessons.empty())
        lessons.openFolder(QString::fromLocal8Bit(arguments.lessons.c_str()));
    if (arguments.lesson.empty())
        return {};
    LessonPage& page = *lessons.page();
    if (page.list()->find(QString::fromStdString(arguments.lesson)).lesson == nullptr) {
        std::string known;
        for (const LessonShelf& shelf : page.list()->shelves())
            for (const Lesson& lesson : *shelf.lessons)
                known += (known.empty() ? "" : ", ") + lesson.key;
        return Error{"There is no lesson \"" + arguments.lesson + "\"; there are " + known + "."};
    }
    lessons.show(QString::fromStdString(arguments.lesson));
    if (shooting && !arguments.beforeRun) {
        page.session()->skip();
        page.session()->run();
        while (page.session()->busy())
            QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    page.setPresenting(arguments.presenter);
    if (arguments.slide > 0)
        page.reader()->setSlide(arguments.slide - 1);
    while (shooting && page.session()->trying())
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    return {};
}

bool writeHandout(LessonsTool& lessons, const std::string& file)
{
    const QString path = QString::fromLocal8Bit(file.c_str());
    if (lessons.writeHandout(path, path.endsWith(u".pdf"_s, Qt::CaseInsensitive)))
        return true;
    std::fprintf(stderr, "overlane-ui: %s\n", qPrintable(lessons.page()->errorText()));
    return false;
}

}  // namespace overlane
