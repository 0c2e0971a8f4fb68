// GpuNotice: says that this machine has no GPU that can be used, why, and what is possible all the same.
//
// Lives on the GUI thread; follows the driver's answer. Hidden where a GPU is ready and until there is an answer.
#pragma once

#include "app/widgets/warning_label.h"

namespace overlane
{

class GpuRuns;

class GpuNotice : public WarningLabel
{
    Q_OBJECT

public:
    // `besides` follows the sentence about the machine.
    GpuNotice(GpuRuns* runs, const QString& besides, QWidget* parent = nullptr);

private:
    void refresh();

    GpuRuns* m_runs;
    QString m_besides;
};

}  // namespace overlane
