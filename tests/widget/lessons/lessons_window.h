// LessonsWindow: a window with its lessons and a folder of own ones, whose progress is kept in a folder of
// the test.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/lessons/exercise_card.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lesson_progress.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/lesson_timelines.h"
#include "app/lessons/lessons_tool.h"
#include "app/lessons/prediction_card.h"
#include "app/shell/main_window.h"
#include "app/shell/window_shell.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/timeline_view.h"

namespace overlane
{

inline const char* const kOwnLesson = R"(---
key: own
title: A lesson of our own
summary: Pinned memory frees the host.
minutes: 3
---
Two runs of the same loop; each batch has {{A.batch_bytes}}.

```scenario A
label: pageable, blocking
preset: pageable_blocking
set: batches=12
```

```scenario B
label: pinned, side stream
preset: pinned_side_stream
set: batches=12
```

```predict
question: Which of the two is faster?
- A, by far :: A.wall < B.wall
- B, by far :: B.wall < A.wall
```

```predict
question: How many milliseconds does a step of B take?
answer: B.step
tolerance: 50 %
why: It took {{B.step}}.
```

```compare
- step, overlap, exposed
```

B took {{B.wall}}, A {{A.wall}}.

```expect
- B.wall < A.wall
```

```rule
text: Pin the memory. Then use a stream of its own.
source: [CUDA guide](https://docs.nvidia.com/cuda/)
```

```leaves-out
- Everything else.
```

```claim
says: Pageable is just as good.
source: somebody
holds: A.wall <= B.wall
figures: A {{A.wall}}, B {{B.wall}}.
if not: Not here.
```

```exercise
task: Make A as fast as the pinned run.
from: A
knobs: pin, non_blocking, copy_stream
goal: step < 0.7 * start.step
hint: Lock the pages.
solution: pin=thread non_blocking=true copy_stream=side
```

```exercise
task: Lock less than that.
from: B
knobs: batch_bytes
goal: pinned_peak < start.pinned_peak
solution: batch_bytes=1MiB
```
)";

inline void writeFile(const QString& path, const QByteArray& text)
{
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
}

class LessonsWindow : public testing::Test
{
protected:
    static constexpr int kLongestWaitMs = 20'000;

    LessonsWindow()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
    }
    ~LessonsWindow() override { QSettings().clear(); }

    void SetUp() override
    {
        writeFile(m_own.filePath("own.md"), kOwnLesson);
        start();
    }
    // As a new start of the program.
    void start()
    {
        m_window.reset();
        m_window = std::make_unique<MainWindow>(false);
        m_lessons = new LessonsTool(m_window->shell(), true);
        m_window->resize(1280, 800);
        m_window->show();
        m_window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get()));
        m_window->document()->simulate();
        settle();
    }
    void settle()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !m_window->document()->busy() && !page()->session()->busy(); },
                                    kLongestWaitMs));
    }
    void openOwn()
    {
        m_lessons->openFolder(m_own.path());
        m_lessons->show(QStringLiteral("own"));
        ASSERT_FALSE(page()->listShown());
    }
    void runOwn()
    {
        openOwn();
        page()->session()->skip();
        page()->session()->run();
        settle();
        ASSERT_NE(page()->session()->result(), nullptr);
        ASSERT_TRUE(QTest::qWaitFor([&] { return laidOut(); }));
    }
    // Cards that have just come are laid out by events that follow.
    bool laidOut() const
    {
        const QList<QWidget*> all = page()->findChildren<QWidget*>();
        return std::none_of(all.begin(), all.end(), [&](const QWidget* widget) {
            const bool touched = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                                 qobject_cast<const QComboBox*>(widget) != nullptr ||
                                 widget->objectName() == QLatin1String("metricName");
            return touched && widget->isVisibleTo(page()) && widget->size().isEmpty();
        });
    }
    LessonPage* page() const { return m_lessons->page(); }
    LessonReader* reader() const { return page()->reader(); }
    template <typename Widget>
    Widget* in(QWidget* parent, const char* name)
    {
        auto* found = parent->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    // Until an exercise was tried once more.
    void waitForTrial(int place, const std::function<void()>& act)
    {
        bool tried = false;
        const auto connection = QObject::connect(page()->session(), &LessonSession::exerciseTried, page(),
                                                 [&](int which) { tried = tried || which == place; });
        act();
        EXPECT_TRUE(QTest::qWaitFor([&] { return tried; }, kLongestWaitMs));
        QObject::disconnect(connection);
    }

    QTemporaryDir m_settings;
    QTemporaryDir m_own;
    std::unique_ptr<MainWindow> m_window;
    LessonsTool* m_lessons = nullptr;
};

}  // namespace overlane
