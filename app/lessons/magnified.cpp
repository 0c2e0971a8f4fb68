#include "app/lessons/magnified.h"

#include <QEvent>
#include <QGraphicsProxyWidget>
#include <QGraphicsScene>
#include <QGraphicsView>

namespace overlane
{

Magnified::Magnified(QWidget* content, QWidget* parent) : QWidget(parent), m_content(content)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_content->setParent(this);
    m_content->show();
}

Magnified::~Magnified() = default;

void Magnified::setFactor(double factor)
{
    if (factor == m_factor)
        return;
    m_factor = factor;
    if (factor == 1) {
        m_proxy->setWidget(nullptr);
        m_content->setParent(this);
        m_content->show();
        delete m_view;
        m_view = nullptr;
        m_proxy = nullptr;
    } else if (m_view == nullptr) {
        auto* scene = new QGraphicsScene;
        m_content->setParent(nullptr);
        m_proxy = scene->addWidget(m_content);
        m_view = new QGraphicsView(scene, this);
        scene->setParent(m_view);
        m_view->setObjectName("magnifiedView");
        m_view->setFrameShape(QFrame::NoFrame);
        m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_view->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        m_view->viewport()->installEventFilter(this);
        m_view->show();
    }
    place();
    updateGeometry();
}

QSize Magnified::minimumSizeHint() const
{
    return m_content->minimumSizeHint();
}

void Magnified::place()
{
    if (m_view == nullptr) {
        m_content->setGeometry(rect());
        return;
    }
    m_view->setGeometry(rect());
    m_view->setTransform(QTransform::fromScale(m_factor, m_factor));
    const QSizeF inside = QSizeF(size()) / m_factor;
    m_proxy->setMinimumSize(0, 0);
    m_proxy->resize(inside);
    m_view->setSceneRect(QRectF(QPointF(), inside));
}

void Magnified::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

// A wheel over the widget is the widget's; the view itself never scrolls.
bool Magnified::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

}  // namespace overlane
