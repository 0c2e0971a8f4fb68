# Writes FILES, the texts of the lessons, and ORDER, the list of their keys, as string literals into OUTPUT.
set(body "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  get_filename_component(name ${file} NAME)
  string(APPEND body "    {\"${name}\", R\"lesson(${text})lesson\"},\n")
endforeach()
file(READ ${ORDER} order)
file(WRITE ${OUTPUT} "#include \"core/lessons/embedded_lessons.h\"

namespace overlane
{

const std::vector<LessonText>& embeddedLessons()
{
    static const std::vector<LessonText> lessons = {
${body}    };
    return lessons;
}

std::string_view embeddedLessonOrder()
{
    return R\"lesson(${order})lesson\";
}

}  // namespace overlane
")
