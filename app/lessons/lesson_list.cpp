#include "app/lessons/lesson_list.h"

#include <algorithm>
#include <cmath>

#include <QFileInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "app/lessons/lesson_progress.h"
#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kShelfRole = Qt::UserRole;
constexpr int kPlaceRole = Qt::UserRole + 1;
constexpr int kSummaryRole = Qt::UserRole + 2;
constexpr int kMinutesRole = Qt::UserRole + 3;
constexpr int kStandingRole = Qt::UserRole + 4;
constexpr int kFaultRole = Qt::UserRole + 5;  // what is wrong, in place of a lesson
constexpr int kShelfHeadingRole = Qt::UserRole + 6;
constexpr int kSubjectRole = Qt::UserRole + 7;  // a heading above the lessons of a subject
constexpr int kRowPx = 46;
constexpr int kNumberPx = 34;
constexpr int kWidestRowPx = 1200;  // of what is read as one row

// Number and title, what one knows afterwards, and at the right minutes and how far one got.
class LessonDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool twoLines = index.data(kPlaceRole).isValid() || index.data(kFaultRole).isValid();
        return {QStyledItemDelegate::sizeHint(option, index).width(), twoLines ? kRowPx : 30};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Palette& colors = Palette::current(option.palette);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        QRect row = option.rect;
        painter->save();
        if (selected)
            painter->fillRect(row, option.palette.highlight());
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(row, colors.lanesAlternate);
        row.setWidth(std::min(row.width(), kWidestRowPx));
        const QColor ink = selected ? option.palette.highlightedText().color() : colors.text;
        const QColor muted = selected ? ink : colors.mutedText;
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        if (index.data(kFaultRole).isValid()) {
            paintFault(*painter, option, index, bold, colors);
            painter->restore();
            return;
        }
        if (!index.data(kPlaceRole).isValid()) {
            const bool subject = index.data(kSubjectRole).isValid();
            painter->setFont(bold);
            painter->setPen(subject ? colors.accent : muted);
            painter->drawText(row.adjusted(subject ? kNumberPx : 10, 6, -10, 0), Qt::AlignLeft | Qt::AlignVCenter,
                              index.data().toString());
            painter->restore();
            return;
        }
        const QString standing = index.data(kStandingRole).toString();
        const QString minutes = u"%1 min"_s.arg(index.data(kMinutesRole).toInt());
        const QFontMetrics metrics(option.font);
        const int right = std::max(metrics.horizontalAdvance(standing), metrics.horizontalAdvance(minutes)) + 20;
        const QRect upper(row.left(), row.top() + 4, row.width(), row.height() / 2 - 4);
        const QRect lower(row.left(), upper.bottom() + 1, row.width(), row.height() / 2 - 4);
        painter->setPen(muted);
        painter->drawText(QRect(row.left() + 4, upper.top(), kNumberPx - 10, upper.height()),
                          Qt::AlignRight | Qt::AlignVCenter, QString::number(index.data(kPlaceRole).toInt() + 1));
        painter->drawText(upper.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter, minutes);
        painter->setPen(selected ? ink : standing.startsWith(QChar(0x2713)) ? colors.good : muted);
        painter->drawText(lower.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter, standing);
        const int room = row.width() - kNumberPx - right;
        painter->setPen(muted);
        painter->drawText(QRect(row.left() + kNumberPx, lower.top(), room, lower.height()),
                          Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(index.data(kSummaryRole).toString(), Qt::ElideRight, room));
        painter->setFont(bold);
        painter->setPen(ink);
        painter->drawText(QRect(row.left() + kNumberPx, upper.top(), room, upper.height()),
                          Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(bold).elidedText(index.data().toString(), Qt::ElideRight, room));
        painter->restore();
    }

private:
    // The file and its line, and what is wrong there.
    static void paintFault(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                           const QFont& bold, const Palette& colors)
    {
        const QRect row = option.rect.adjusted(0, 4, -10, -4);
        const QRect words = row.adjusted(kNumberPx, 0, 0, 0);
        painter.setFont(bold);
        painter.setPen(colors.error);
        painter.drawText(QRect(row.left() + 4, row.top(), kNumberPx - 10, row.height() / 2),
                         Qt::AlignRight | Qt::AlignVCenter, u"\u2717"_s);
        painter.drawText(words.adjusted(0, 0, 0, -words.height() / 2), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(bold).elidedText(index.data().toString(), Qt::ElideMiddle, words.width()));
        painter.setFont(option.font);
        painter.setPen(colors.text);
        painter.drawText(
            words.adjusted(0, words.height() / 2, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(option.font).elidedText(index.data(kFaultRole).toString(), Qt::ElideRight, words.width()));
    }
};

}  // namespace

LessonList::LessonList(LessonProgress* progress, QWidget* parent)
    : QWidget(parent),
      m_progress(progress),
      m_list(new QListWidget(this)),
      m_error(new ProseLabel(ProseLabel::Look::Body, this)),
      m_reload(new QPushButton(u"Read it again"_s, this)),
      m_closeFolder(new QPushButton(u"Close the folder"_s, this))
{
    setObjectName("lessonList");
    m_list->setObjectName("lessons");
    m_list->setAccessibleName(u"Lessons"_s);
    m_list->setItemDelegate(new LessonDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_error->setObjectName("lessonError");
    m_error->setContentsMargins(12, 6, 12, 6);
    auto* folder = new QPushButton(u"Open a folder of lessons \u2026"_s, this);
    folder->setObjectName("lessonFolder");
    folder->setToolTip(u"Lessons of your own: Markdown files, as the help describes them"_s);
    m_closeFolder->setObjectName("lessonCloseFolder");
    m_reload->setObjectName("lessonReload");
    auto* reset = new QPushButton(u"Forget all progress \u2026"_s, this);
    reset->setObjectName("lessonForget");
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(10, 6, 10, 8);
    for (QPushButton* button : {folder, m_reload, m_closeFolder})
        buttons->addWidget(button);
    buttons->addStretch(1);
    buttons->addWidget(reset);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_list, 1);
    column->addWidget(m_error);
    column->addLayout(buttons);
    connect(m_list, &QListWidget::itemActivated, this, &LessonList::choose);
    connect(m_list, &QListWidget::itemClicked, this, &LessonList::choose);
    connect(folder, &QPushButton::clicked, this, &LessonList::folderRequested);
    connect(m_reload, &QPushButton::clicked, this, &LessonList::reload);
    connect(m_closeFolder, &QPushButton::clicked, this, &LessonList::closeFolder);
    connect(reset, &QPushButton::clicked, this, [this] {
        const auto answer = QMessageBox::question(
            this, u"Forget all progress"_s,
            u"Predictions, results and solved exercises of every lesson are forgotten. This cannot be undone."_s,
            QMessageBox::Reset | QMessageBox::Cancel, QMessageBox::Cancel);
        if (answer == QMessageBox::Reset)
            m_progress->forgetAll();
    });
    connect(progress, &LessonProgress::changed, this, &LessonList::fill);
    m_shelves.push_back(builtInLessons());
    if (!progress->folder().isEmpty())
        m_shelves.push_back(lessonsOfFolder(progress->folder()));
    fill();
}

void LessonList::openFolder(const QString& folder)
{
    m_shelves.resize(1, builtInLessons());
    m_shelves.push_back(lessonsOfFolder(folder));
    m_progress->keepFolder(m_shelves.back().folder);
    fill();
}

void LessonList::closeFolder()
{
    m_shelves.resize(1, builtInLessons());
    m_progress->keepFolder({});
    fill();
}

void LessonList::reload()
{
    if (m_shelves.size() > 1)
        openFolder(QString(m_shelves.back().folder));
}

void LessonList::fill()
{
    const int before = m_list->currentRow();
    m_list->clear();
    QStringList errors;
    const auto addHeading = [this](const QString& heading, int role) {
        auto* item = new QListWidgetItem(heading, m_list);
        item->setData(role, true);
        item->setFlags(Qt::NoItemFlags);
    };
    for (std::size_t shelf = 0; shelf < m_shelves.size(); ++shelf) {
        const LessonShelf& one = m_shelves[shelf];
        if (!one.error.isEmpty())
            errors << one.error;
        if (m_shelves.size() > 1)
            addHeading(one.folder.isEmpty() ? u"Lessons of Overlane"_s : one.folder, kShelfHeadingRole);
        for (std::size_t place = 0; place < one.lessons->size(); ++place) {
            const Lesson& lesson = (*one.lessons)[place];
            if (beginsSubject(*one.lessons, place))
                addHeading(text(subjectHeading(lesson)), kSubjectRole);
            auto* item = new QListWidgetItem(text(lesson.title), m_list);
            item->setData(kShelfRole, static_cast<int>(shelf));
            item->setData(kPlaceRole, static_cast<int>(place));
            item->setData(kSummaryRole, text(lesson.summary));
            item->setData(kMinutesRole, lesson.minutes);
            item->setData(kStandingRole, standing(*m_progress, one, lesson));
            item->setData(Qt::AccessibleTextRole,
                          u"%1. %2 %3"_s.arg(item->text(), text(lesson.summary), item->data(kStandingRole).toString()));
            item->setToolTip(text(lesson.summary));
        }
        for (const LessonFault& fault : one.faults) {
            const QString file = QFileInfo(text(fault.file)).fileName();
            auto* item =
                new QListWidgetItem(fault.line > 0 ? u"%1, line %2"_s.arg(file).arg(fault.line) : file, m_list);
            item->setData(kFaultRole, text(fault.message));
            item->setData(Qt::AccessibleTextRole, text(fault.text()));
            item->setToolTip(text(fault.text()));
            item->setFlags(Qt::ItemIsEnabled);
        }
    }
    m_list->setCurrentRow(std::min(before, m_list->count() - 1));
    m_error->setVisible(!errors.isEmpty());
    m_error->setPlain(errors.join('\n'));
    m_reload->setVisible(m_shelves.size() > 1);
    m_closeFolder->setVisible(m_shelves.size() > 1);
}

QString LessonList::standing(const LessonProgress& progress, const LessonShelf& shelf, const Lesson& lesson)
{
    const LessonPast past = progress.past(shelf.id(lesson));
    if (!past.started())
        return {};
    if (!past.ran)
        return u"begun"_s;
    std::size_t predicted = 0;
    for (const auto& one : past.predicted)
        predicted += one && !std::isnan(*one) ? 1 : 0;
    QStringList words;
    words << (predicted == 0 ? u"\u2713 seen"_s : u"\u2713 %1 of %2 right"_s.arg(past.right.size()).arg(predicted));
    words << u"exercises %1 of %2"_s.arg(past.solved.size()).arg(lesson.exercises.size());
    return words.join(u" \u00b7 "_s);
}

void LessonList::choose(const QListWidgetItem* item)
{
    if (!item->data(kPlaceRole).isValid())
        return;
    const auto shelf = static_cast<std::size_t>(item->data(kShelfRole).toInt());
    const auto place = static_cast<std::size_t>(item->data(kPlaceRole).toInt());
    emit chosen({m_shelves[shelf], &(*m_shelves[shelf].lessons)[place]});
}

ShelvedLesson LessonList::find(const QString& key) const
{
    for (const LessonShelf& shelf : m_shelves)
        if (const Lesson* lesson = findLesson(*shelf.lessons, key.toStdString()))
            return {shelf, lesson};
    return {};
}

ShelvedLesson LessonList::neighbor(const ShelvedLesson& lesson, int step) const
{
    if (lesson.lesson == nullptr)
        return {};
    const auto at = (lesson.lesson - lesson.shelf.lessons->data()) + step;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(lesson.shelf.lessons->size()))
        return {};
    return {lesson.shelf, &(*lesson.shelf.lessons)[static_cast<std::size_t>(at)]};
}

QString LessonList::errorText() const
{
    QStringList errors;
    for (const LessonShelf& shelf : m_shelves) {
        if (!shelf.error.isEmpty())
            errors << shelf.error;
        for (const LessonFault& fault : shelf.faults)
            errors << text(fault.text());
    }
    return errors.join('\n');
}

}  // namespace overlane
