// What Qt says on standard error: notices that help a person are passed on, and the one that ends the process
// because there is no display to draw on becomes one sentence and an exit, not an abort. Any thread.
#pragma once

namespace overlane
{

// Called before the application is made. Until qtHasStarted() messages wait: where the start fails they are
// its reason.
void takeQtMessages();
void qtHasStarted();

}  // namespace overlane
