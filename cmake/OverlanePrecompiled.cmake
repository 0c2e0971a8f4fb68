# Headers that most sources include, compiled once for each kind of target: nearly half of the time of a source with
# widgets, a quarter of that of one in core. A source still includes what it uses; clang-tidy and a build with
# OVERLANE_PRECOMPILE=OFF see it so.
option(OVERLANE_PRECOMPILE "Compile the most used headers once (GCC)" ON)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(OVERLANE_PRECOMPILE OFF)  # clang wants the very same flags for every user
endif()
find_package(fmt REQUIRED)

set(overlane_common_headers <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <fstream> <functional> <limits>
    <map> <memory> <optional> <random> <set> <span> <sstream> <string> <string_view> <thread> <tuple> <unordered_map>
    <utility> <variant> <vector> <fmt/format.h>)
set(overlane_library_headers ${overlane_common_headers})
set(overlane_window_library_headers ${overlane_common_headers} <QtWidgets>)
set(overlane_test_headers ${overlane_common_headers} <gmock/gmock.h> <gtest/gtest.h>)
set(overlane_window_test_headers ${overlane_test_headers} <QtWidgets>)

# A test's own code runs for moments; compiling it is what takes long.
set(overlane_test_options $<$<CONFIG:Release>:-O1>)

# overlane_precompile(TARGET library|window_library|test|window_test): libraries and programs differ in how their
# code may be placed, so each kind has an owner of its own, made at its first use.
function(overlane_precompile target kind)
  if(NOT OVERLANE_PRECOMPILE)
    return()
  endif()
  set(owner overlane_precompiled_${kind})
  if(NOT TARGET ${owner})
    file(WRITE ${PROJECT_BINARY_DIR}/${owner}.cpp "int main() {}\n")
    if(kind MATCHES "library")
      add_library(${owner} STATIC ${PROJECT_BINARY_DIR}/${owner}.cpp)
    else()
      find_package(GTest REQUIRED)
      add_executable(${owner} ${PROJECT_BINARY_DIR}/${owner}.cpp)
      target_link_libraries(${owner} PRIVATE GTest::gtest GTest::gmock)
      target_compile_options(${owner} PRIVATE ${overlane_test_options})
    endif()
    if(kind MATCHES "window")
      find_package(Qt6 REQUIRED COMPONENTS Widgets)
      target_link_libraries(${owner} PRIVATE Qt6::Widgets)
    endif()
    target_link_libraries(${owner} PRIVATE overlane_options fmt::fmt)
    set_target_properties(${owner} PROPERTIES AUTOMOC OFF)
    target_precompile_headers(${owner} PRIVATE ${overlane_${kind}_headers})
  endif()
  if(kind MATCHES "test")
    target_compile_options(${target} PRIVATE ${overlane_test_options})
  endif()
  # GCC 12 forgets that a precompiled std::string is the system's and warns of what it inlines.
  target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  # The definitions that were in force when the headers were compiled.
  target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()
