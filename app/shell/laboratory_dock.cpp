#include "app/shell/laboratory_dock.h"

#include <utility>

#include <QAction>
#include <QCloseEvent>
#include <QSettings>

#include "app/session/document.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr const char* kWithOpened = "laboratoryWithFile";  // among the user's settings

}  // namespace

LaboratoryDock::LaboratoryDock(Document* document, bool remember, QWidget* parent)
    : QDockWidget(u"Laboratory"_s, parent),
      m_document(document),
      m_remember(remember),
      m_withOpened(remember && QSettings().value(kWithOpened, false).toBool())
{
}

void LaboratoryDock::followDocument()
{
    m_withOwn = !isHidden();
    connect(m_document, &Document::traceChanged, this, [this] { follow(m_document->isOpened()); });
    connect(toggleViewAction(), &QAction::triggered, this, &LaboratoryDock::choose);
}

// Only a person closes a dock.
void LaboratoryDock::closeEvent(QCloseEvent* event)
{
    choose(false);
    QDockWidget::closeEvent(event);
}

void LaboratoryDock::choose(bool shown)
{
    (m_opened ? m_withOpened : m_withOwn) = shown;
    if (m_opened && m_remember)
        QSettings().setValue(kWithOpened, shown);
    setVisible(shown);
}

void LaboratoryDock::follow(bool opened)
{
    if (std::exchange(m_opened, opened) != opened)
        settle();
}

}  // namespace overlane
