#include "app/shell/laboratory_room.h"

#include <utility>

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QSettings>

#include "app/session/document.h"

namespace overlane
{

namespace
{

constexpr const char* kWithOpened = "laboratoryWithFile";  // among the user's settings

}  // namespace

LaboratoryRoom::LaboratoryRoom(QDockWidget* dock, Document* document, bool remember, QObject* parent)
    : QObject(parent),
      m_dock(dock),
      m_document(document),
      m_remember(remember),
      m_withOpened(remember && QSettings().value(kWithOpened, false).toBool()),
      m_withOwn(!dock->isHidden())
{
    connect(document, &Document::traceChanged, this, [this] { follow(m_document->isOpened()); });
    connect(dock->toggleViewAction(), &QAction::triggered, this, &LaboratoryRoom::choose);
    dock->installEventFilter(this);
}

// Only a person closes a dock.
bool LaboratoryRoom::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Close)
        choose(false);
    return QObject::eventFilter(watched, event);
}

void LaboratoryRoom::choose(bool shown)
{
    (m_opened ? m_withOpened : m_withOwn) = shown;
    if (m_opened && m_remember)
        QSettings().setValue(kWithOpened, shown);
}

void LaboratoryRoom::follow(bool opened)
{
    if (std::exchange(m_opened, opened) != opened)
        settle();
}

void LaboratoryRoom::settle()
{
    m_dock->setVisible(m_opened ? m_withOpened : m_withOwn);
}

void LaboratoryRoom::show()
{
    choose(true);
    m_dock->show();
}

}  // namespace overlane
