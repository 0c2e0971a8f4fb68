#include "app/shell/drop_target.h"

#include <QPainter>

#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

DropTarget::DropTarget(QWidget* parent) : QWidget(parent)
{
    setObjectName("dropTarget");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropTarget::offer(int files, Kind kind)
{
    m_sentence = kind == Kind::Job     ? u"Drop to open the ranks as one job"_s
                 : kind == Kind::Fleet ? u"Drop to open the fleet of runs"_s
                 : files == 1          ? u"Drop to open the trace"_s
                 : files == 2          ? u"Drop to compare the two traces"_s
                                       : u"Drop to open the %1 traces"_s.arg(files);
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

void DropTarget::paintEvent(QPaintEvent*)
{
    constexpr int kInsetPx = 10;
    constexpr int kFramePx = 3;
    const Palette& colors = Palette::current();
    QPainter painter(this);
    QColor veil = colors.window;
    veil.setAlpha(200);
    painter.fillRect(rect(), veil);
    painter.setPen(QPen(colors.accent, kFramePx, Qt::DashLine));
    painter.drawRect(rect().adjusted(kInsetPx, kInsetPx, -kInsetPx, -kInsetPx));
    QFont large = font();
    large.setPixelSize(2 * large.pixelSize());
    painter.setFont(large);
    painter.setPen(colors.text);
    painter.drawText(rect(), Qt::AlignCenter, m_sentence);
}

}  // namespace overlane
