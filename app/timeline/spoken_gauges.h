// What a screen reader finds in the gauges: a list of them with their values at the time pointed at.
#pragma once

class QAccessibleInterface;

namespace overlane
{

class GaugePanel;

// For the factory of interfaces, which takes it over.
QAccessibleInterface* spokenGauges(GaugePanel* panel);

}  // namespace overlane
