# Writes FILES, the texts of the device profiles, as an array of string literals into OUTPUT.
set(body "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  string(APPEND body "    R\"profile(${text})profile\",\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"core/devices/embedded_device_profiles.h\"

namespace overlane
{

const std::vector<std::string_view>& embeddedDeviceProfiles()
{
    static const std::vector<std::string_view> profiles = {
${body}    };
    return profiles;
}

}  // namespace overlane
")
