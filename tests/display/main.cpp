#include <gtest/gtest.h>

#include "app/theme/palette.h"

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("overlane-tests");
    QCoreApplication::setApplicationName("display_test");
    overlane::applyTheme(application, overlane::Theme::Light);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
