#include "app/lessons/lesson_page.h"

#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/lessons/exercise_card.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_progress.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/lesson_timelines.h"
#include "app/lessons/prose_label.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kReaderPx = 470;
constexpr int kAlonePx = 760;  // of the text where no run is there yet
constexpr int kNarrowReaderPx = 420;
constexpr int kNarrowPx = 1500;
// On a wall, letters are read from the back of the room: about a thirtieth of the height.
constexpr double kRoomRows = 30;

QPushButton* button(const QString& name, const QString& label, const QString& tip, QWidget* parent)
{
    auto* made = new QPushButton(label, parent);
    made->setObjectName(name);
    made->setToolTip(tip);
    return made;
}

}  // namespace

LessonPage::LessonPage(LessonProgress* progress, QWidget* parent)
    : QWidget(parent),
      m_progress(progress),
      m_session(progress),
      m_message(new MessageBar(this)),
      m_head(new QWidget(this)),
      m_title(new QLabel(m_head)),
      m_engine(new QComboBox(m_head)),
      m_stack(new QStackedWidget(this)),
      m_list(new LessonList(progress, m_stack)),
      m_body(new QSplitter(Qt::Horizontal, m_stack)),
      m_reader(new LessonReader(&m_session, m_body)),
      m_timelines(new LessonTimelines(m_body)),
      m_foot(new QWidget(this)),
      m_place(new QLabel(m_foot))
{
    setObjectName("lessonPage");
    makeHead();
    makeFoot();
    makeKeys();
    m_body->addWidget(m_reader);
    m_body->addWidget(m_timelines);
    m_body->setStretchFactor(1, 1);
    m_body->setChildrenCollapsible(false);
    connect(m_body, &QSplitter::splitterMoved, this, [this](int readerPx) {
        if (!m_presenting)
            m_readerPx = m_arrangement = readerPx;
    });
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_body);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    column->addWidget(m_head);
    column->addWidget(m_stack, 1);
    column->addWidget(m_foot);
    connect(m_list, &LessonList::chosen, this, qOverload<const ShelvedLesson&>(&LessonPage::openLesson));
    connect(m_list, &LessonList::folderRequested, this, &LessonPage::folderRequested);
    connect(&m_session, &LessonSession::failed, m_message, &MessageBar::showError);
    connect(&m_session, &LessonSession::resultChanged, this, &LessonPage::showResult);
    connect(&m_session, &LessonSession::exerciseTried, this,
            [this](int place) { m_timelines->showTrial(*m_session.trial(place)); });
    connect(m_reader, &LessonReader::exerciseMade, this, [this](ExerciseCard* card) {
        connect(card, &ExerciseCard::laboratoryRequested, this, &LessonPage::laboratoryRequested);
    });
    // By way of the event loop: the button that asks goes with the lesson.
    connect(
        m_reader, &LessonReader::lessonChosen, this, [this](const QString& key) { openLesson(key); },
        Qt::QueuedConnection);
    connect(m_reader, &LessonReader::slideChanged, this, &LessonPage::showSlide);
    setGpu({});
    showList();
}

LessonPage::~LessonPage() = default;

void LessonPage::makeHead()
{
    m_back = button("lessonsBack", u"\u2190 All lessons"_s, u"Back to the list"_s, m_head);
    m_present = button("lessonPresent", u"Present"_s, u"For a room: large type, a step at a time (F5)"_s, m_head);
    m_handout = button("lessonHandout", u"Handout"_s, u"This lesson on paper, with its runs"_s, m_head);
    m_startOver = button("lessonStartOver", u"Start over"_s, u"Forget what was predicted and solved here"_s, m_head);
    auto* close = button("lessonsClose", u"Close"_s, u"Back to what was shown before"_s, m_head);
    m_engine->setObjectName("lessonEngine");
    m_engine->setAccessibleName(u"What lessons run on"_s);
    m_engine->setToolTip(u"What lessons run on: a simulation of the device each one names, or this machine's GPU"_s);
    QFont bold = m_title->font();
    bold.setPixelSize(15);
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* menu = new QMenu(m_handout);
    connect(menu->addAction(u"As &PDF \u2026"_s), &QAction::triggered, this, [this] { emit handoutRequested(true); });
    connect(menu->addAction(u"As &HTML \u2026"_s), &QAction::triggered, this, [this] { emit handoutRequested(false); });
    m_handout->setMenu(menu);
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(6);
    row->addWidget(m_back);
    row->addWidget(m_title, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_engine, m_startOver, m_handout, m_present, close})
        row->addWidget(widget);
    connect(m_back, &QPushButton::clicked, this, &LessonPage::showList);
    connect(m_present, &QPushButton::clicked, this, [this] { setPresenting(true); });
    connect(m_startOver, &QPushButton::clicked, this, [this] {
        m_session.startOver();
        showResult();
    });
    connect(close, &QPushButton::clicked, this, &LessonPage::closeRequested);
    connect(m_engine, &QComboBox::activated, this, [this](int index) { runOnGpu(index == 1); });
}

void LessonPage::makeFoot()
{
    m_previousLesson = button("previousLesson", {}, u"The lesson before"_s, m_foot);
    m_nextLesson = button("nextLesson", {}, u"The lesson after"_s, m_foot);
    m_place->setAlignment(Qt::AlignCenter);
    auto* row = new QHBoxLayout(m_foot);
    row->setContentsMargins(10, 5, 10, 5);
    row->addWidget(m_previousLesson);
    row->addWidget(m_place, 1);
    row->addWidget(m_nextLesson);
    const auto go = [this](int step) {
        if (const ShelvedLesson other = m_list->neighbor(m_session.shelved(), step); other.lesson != nullptr)
            openLesson(other);
    };
    connect(m_previousLesson, &QPushButton::clicked, this, [go] { go(-1); });
    connect(m_nextLesson, &QPushButton::clicked, this, [go] { go(1); });
}

void LessonPage::makeKeys()
{
    const auto key = [this](const QKeySequence& keys, auto run) {
        auto* made = new QShortcut(keys, this);
        made->setContext(Qt::WindowShortcut);
        made->setEnabled(false);
        connect(made, &QShortcut::activated, this, run);
        m_keys.push_back(made);
    };
    for (const Qt::Key forward : {Qt::Key_PageDown, Qt::Key_Right, Qt::Key_Down})
        key(forward, [this] { next(); });
    for (const Qt::Key backward : {Qt::Key_PageUp, Qt::Key_Left, Qt::Key_Up})
        key(backward, [this] { back(); });
    key(Qt::Key_Home, [this] { m_reader->setSlide(0); });
    key(Qt::Key_Escape, [this] { setPresenting(false); });
    auto* present = new QShortcut(Qt::Key_F5, this);
    present->setContext(Qt::WidgetWithChildrenShortcut);
    connect(present, &QShortcut::activated, this, [this] { setPresenting(!m_presenting); });
}

bool LessonPage::openLesson(const QString& key)
{
    const ShelvedLesson found = m_list->find(key);
    if (found.lesson == nullptr) {
        showList();
        return false;
    }
    openLesson(found);
    return true;
}

void LessonPage::openLesson(const ShelvedLesson& lesson)
{
    m_session.open(ShelvedLesson(lesson));
    m_message->hide();
    m_stack->setCurrentWidget(m_body);
    showResult();
    m_reader->setSlide(0);
    m_reader->setFocus();
}

void LessonPage::showList()
{
    setPresenting(false);
    m_session.close();
    m_stack->setCurrentWidget(m_list);
    refreshHead();
    m_list->setFocus();
}

void LessonPage::showError(const QString& sentence)
{
    m_message->showError(sentence);
}

QString LessonPage::errorText() const
{
    return m_message->isHidden() ? QString() : m_message->sentence();
}

bool LessonPage::listShown() const
{
    return m_stack->currentWidget() == m_list;
}

void LessonPage::setGpu(const LessonGpu& gpu)
{
    const bool had = !m_gpu.name.isEmpty();
    m_gpu = gpu;
    m_engine->clear();
    m_engine->addItem(u"Simulated"_s);
    if (!gpu.name.isEmpty())
        m_engine->addItem(u"This machine's GPU: %1"_s.arg(gpu.name));
    m_engine->setVisible(!gpu.name.isEmpty());
    if (had && gpu.name.isEmpty() && m_session.measures())
        runOnGpu(false);
}

void LessonPage::runOnGpu(bool gpu)
{
    const bool possible = gpu && !m_gpu.name.isEmpty();
    const QSignalBlocker quiet(m_engine);
    m_engine->setCurrentIndex(possible ? 1 : 0);
    if (possible != m_session.measures())
        m_session.setEngine(possible ? m_gpu.engine : simulatedLessonEngine(), possible);
}

QString LessonPage::emptyText() const
{
    if (m_session.lesson() == nullptr)
        return {};
    return u"Predict first.\nThen the runs appear here, one above the other, on one time axis."_s;
}

void LessonPage::showResult()
{
    m_timelines->setRun(m_session.result(), emptyText());
    refreshHead();
    if (m_presenting && m_session.result()) {
        for (int slide = 0; slide < m_reader->slideCount(); ++slide) {
            m_reader->setSlide(slide);
            if (m_reader->kindOfSlide() == LessonReader::Slide::Run)
                return;
        }
    }
    showSlide();
}

void LessonPage::setPresenting(bool presenting)
{
    if (presenting == m_presenting || (presenting && m_session.lesson() == nullptr))
        return;
    m_presenting = presenting;
    for (QShortcut* key : m_keys)
        key->setEnabled(presenting);
    // The large type of a room goes before the window takes its own size again, which has no room for it.
    if (!presenting)
        arrange();
    emit presentingChanged(presenting);
    arrange();
    m_reader->setSlide(0);
    m_reader->setFocus();
}

double LessonPage::scale() const
{
    if (!m_presenting)
        return 1;
    // Beside timelines there is less room.
    const double whole = std::clamp(height() / kRoomRows / 14, 1.6, 3.2);
    return m_reader->kindOfSlide() == LessonReader::Slide::Exercise ? std::min(whole, 1.6) : whole;
}

void LessonPage::arrange()
{
    m_head->setVisible(!m_presenting);
    resizeType();
    showSlide();
    refreshHead();
}

void LessonPage::resizeType()
{
    if (std::exchange(m_scale, scale()) == scale())
        return;
    m_reader->setPresenting(m_presenting, m_scale);
    m_timelines->setScale(std::min(m_scale, 1.8));
    QFont font = m_place->font();
    font.setPixelSize(m_presenting ? 16 : 13);
    m_place->setFont(font);
}

void LessonPage::showSlide()
{
    using Slide = LessonReader::Slide;
    if (!m_presenting) {
        m_timelines->show();
        m_reader->show();
        const int beside = width() < kNarrowPx ? kNarrowReaderPx : kReaderPx;
        const int alone = std::clamp(width() / 2, beside, kAlonePx);
        const int reader = m_readerPx > 0 ? m_readerPx : m_session.result() == nullptr ? alone : beside;
        if (std::exchange(m_arrangement, reader) != reader)
            m_body->setSizes({reader, std::max(1, width() - reader)});
        return refreshHead();
    }
    const Slide kind = m_reader->kindOfSlide();
    resizeType();
    m_timelines->setVisible(kind == Slide::Run || kind == Slide::Exercise);
    m_reader->setVisible(kind != Slide::Run);
    m_arrangement = -1;
    if (kind == Slide::Exercise) {
        m_body->setSizes({width() * 2 / 5, width() * 3 / 5});
        if (ExerciseCard* card = m_reader->exerciseCard(m_reader->placeOfSlide());
            card != nullptr && !m_session.measures())
            card->begin();
    }
    if (kind == Slide::Run)
        m_timelines->showLesson();
    refreshHead();
}

void LessonPage::next()
{
    if (m_session.busy())
        return;
    if (m_reader->slide() + 1 < m_reader->slideCount()) {
        m_reader->setSlide(m_reader->slide() + 1);
    } else if (!m_session.result()) {
        m_session.skip();
        m_session.run();
    } else if (const ShelvedLesson following = m_list->neighbor(m_session.shelved(), 1); following.lesson != nullptr) {
        openLesson(following);
    }
}

void LessonPage::back()
{
    m_reader->setSlide(m_reader->slide() - 1);
}

void LessonPage::refreshHead()
{
    const bool lesson = m_session.lesson() != nullptr && !listShown();
    m_back->setVisible(lesson);
    m_title->setText(lesson ? text(m_session.lesson()->title) : u"Lessons"_s);
    for (QPushButton* one : {m_present, m_startOver})
        one->setVisible(lesson);
    m_handout->setVisible(lesson);
    m_handout->setEnabled(m_session.result() != nullptr);
    m_handout->setToolTip(m_session.result() ? u"This lesson on paper, with its runs"_s
                                             : u"There once the lesson ran"_s);
    m_foot->setVisible(lesson);
    if (!lesson)
        return;
    const auto show = [&](QPushButton* one, int step, const QString& arrow) {
        const ShelvedLesson other = m_list->neighbor(m_session.shelved(), step);
        one->setVisible(other.lesson != nullptr && !m_presenting);
        if (other.lesson != nullptr)
            one->setText(arrow.arg(text(other.lesson->title)));
    };
    show(m_previousLesson, -1, u"\u25c2 %1"_s);
    show(m_nextLesson, 1, u"%1 \u25b8"_s);
    const auto& shelf = *m_session.shelved().shelf.lessons;
    m_place->setText(m_presenting ? u"%1  \u00b7  %2 / %3  \u00b7  \u2190 \u2192 step, Esc leaves"_s
                                        .arg(text(m_session.lesson()->title))
                                        .arg(m_reader->slide() + 1)
                                        .arg(m_reader->slidesInAll())
                                  : u"Lesson %1 of %2"_s.arg(m_session.lesson() - shelf.data() + 1).arg(shelf.size()));
}

void LessonPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace overlane
