#include "core/devices/user_profiles.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/devices/profile_figures.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

class UserProfilesTest : public testing::Test
{
protected:
    void SetUp() override
    {
        m_home = testing::TempDir() + "overlane_profiles_XXXXXX";
        ASSERT_NE(mkdtemp(m_home.data()), nullptr);
        setenv("XDG_DATA_HOME", m_home.c_str(), 1);
        fs::create_directories(userProfileFolder());
    }
    void TearDown() override
    {
        fs::remove_all(m_home);
        unsetenv("XDG_DATA_HOME");
    }
    static DeviceProfile mine(const std::string& key)
    {
        DeviceProfile profile = *findDeviceProfile("h200");
        profile.key = key;
        profile.h2dBytesPerSecond = 12.5e9;
        profile.spreads["h2d_bytes_per_second"] = {12.25e9, 12.75e9, 9};
        profile.spreads[rowKey("host_alloc_us", 4096)] = {300.25, 400, 15};
        return profile;
    }
    static std::string write(const std::string& file, const DeviceProfile& profile)
    {
        std::ofstream(file) << deviceProfileText(profile);
        return file;
    }

    std::string m_home;
};

TEST_F(UserProfilesTest, WhatIsWrittenReadsAsTheSameProfile)
{
    for (const DeviceProfile& embedded : allDeviceProfiles()) {
        const DeviceProfile wanted = embedded.key == "h200" ? mine("mine") : embedded;
        const auto read = parseDeviceProfile(deviceProfileText(wanted));
        ASSERT_TRUE(read.ok()) << read.error();
        EXPECT_EQ(read.value().name, wanted.name);
        EXPECT_EQ(read.value().sources, wanted.sources);
        EXPECT_EQ(read.value().spreads, wanted.spreads);
        for (const ProfileFigure& figure : profileFigures())
            EXPECT_EQ(figure.valueIn(read.value()), figure.valueIn(wanted)) << figure.key;
        for (const ProfileTable& table : profileTables())
            for (const std::int64_t bytes : {1, 4096, 50'000, 1 << 24, 1 << 30})
                EXPECT_EQ((read.value().*table.member).costNs(bytes), (wanted.*table.member).costNs(bytes))
                    << table.key;
        EXPECT_EQ(deviceProfileText(read.value()), deviceProfileText(wanted));
    }
}

TEST_F(UserProfilesTest, ProfilesOfTheFolderAreFoundByTheirKeysAndBrokenFilesAreLeftOut)
{
    write(userProfileFolder() + "/b.json", mine("second"));
    write(userProfileFolder() + "/a.json", mine("first"));
    std::ofstream(userProfileFolder() + "/broken.json") << "{";
    std::ofstream(userProfileFolder() + "/notes.txt") << "no profile";
    std::vector<std::string> keys;
    for (const DeviceProfile* profile : userDeviceProfiles())
        keys.push_back(profile->key);
    EXPECT_THAT(keys, testing::ElementsAre("first", "second"));
    ASSERT_NE(findDeviceProfile("second"), nullptr);
    EXPECT_EQ(findDeviceProfile("second")->h2dBytesPerSecond, 12.5e9);
    EXPECT_EQ(findDeviceProfile("second")->spreads.at("h2d_bytes_per_second").samples, 9);
}

TEST_F(UserProfilesTest, AFileIsReadFromAnywhereAndDoesNotHideAnEmbeddedProfile)
{
    const std::string file = write(m_home + "/copy.json", mine("h200"));
    const auto read = deviceProfileFrom(file);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value()->h2dBytesPerSecond, 12.5e9);
    EXPECT_NE(findDeviceProfile("h200"), read.value());
    EXPECT_EQ(findDeviceProfile(read.value()->key), read.value()) << "a trace that names it is understood";
    EXPECT_EQ(deviceProfileFrom(file).value(), read.value()) << "the same text is read once";
    EXPECT_EQ(deviceProfileFrom("h200").value(), findDeviceProfile("h200"));
}

TEST_F(UserProfilesTest, AChangedFileIsReadAgainAndTheOldProfileStaysWhereItWas)
{
    const std::string file = userProfileFolder() + "/a.json";
    write(file, mine("changing"));
    const DeviceProfile* before = findDeviceProfile("changing");
    ASSERT_NE(before, nullptr);
    DeviceProfile faster = mine("changing");
    faster.h2dBytesPerSecond = 25e9;
    write(file, faster);
    const DeviceProfile* after = findDeviceProfile("changing");
    ASSERT_NE(after, nullptr);
    EXPECT_EQ(after->h2dBytesPerSecond, 25e9);
    EXPECT_EQ(before->h2dBytesPerSecond, 12.5e9);
    EXPECT_EQ(after->key, "changing");
}

TEST_F(UserProfilesTest, WhatIsNoProfileIsRefusedWithAReason)
{
    EXPECT_THAT(deviceProfileFrom("nothing").error(),
                testing::AllOf(testing::HasSubstr("h200"), testing::HasSubstr("nothing")));
    EXPECT_THAT(deviceProfileFrom(m_home + "/none.json").error(), testing::HasSubstr("none.json"));
    std::ofstream(m_home + "/bad.json") << "{}";
    EXPECT_THAT(deviceProfileFrom(m_home + "/bad.json").error(), testing::HasSubstr("bad.json"));
}

}  // namespace
}  // namespace overlane
