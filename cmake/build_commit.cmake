# Writes HEADER with OVERLANE_COMMIT, the commit of SOURCES ("1a2b3c4d", with "+" where files differ from it), or "" for
# sources that are in no repository. Run with cmake -P at every build; a header that stays the same is left alone.
find_package(Git QUIET)
set(commit "")
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCES} describe --always --abbrev=8 --exclude=* --dirty=+
                  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(text "#pragma once\n#define OVERLANE_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${HEADER} "${text}")
endif()
