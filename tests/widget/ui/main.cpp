#include <gtest/gtest.h>

#include "app/theme/palette.h"

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    overlane::applyTheme(application, overlane::Theme::Light);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
