# What is installed besides the programs, and packages of it: `make package`.
#
# Everything lies below one prefix and is found from the program's own place, so that the tree may lie anywhere. Neither
# CUDA nor CUPTI is in a package: the programs look for them at run time.

# Manual pages and completion, written by the programs themselves.
set(manual_folder ${PROJECT_BINARY_DIR}/manual)
if(NOT OVERLANE_SANITIZE AND NOT CMAKE_CXX_FLAGS_DEBUG MATCHES "coverage")
  add_custom_target(manual ALL)
  function(overlane_manual program)
    set(folder ${manual_folder}/${program})
    add_custom_command(OUTPUT ${folder}/written
      COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
      COMMAND ${program} ${ARGN} ${folder}
      COMMAND sh -c "gzip -9nf ${folder}/man/man1/*.1 && touch ${folder}/written"
      DEPENDS ${program} WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM
      COMMENT "Writing the manual of ${program}")
    add_custom_target(manual-${program} DEPENDS ${folder}/written)
    add_dependencies(manual manual-${program})
    install(DIRECTORY ${folder}/ DESTINATION share COMPONENT ${program} PATTERN written EXCLUDE)
  endfunction()
  overlane_manual(overlane manual)
  if(TARGET overlane-ui)
    overlane_manual(overlane-ui --manual)
  endif()
endif()

# Each package says whose it is and what changed, as Debian has it: docs/changelog.md and a changelog of the package.
set(OVERLANE_MAINTAINER "The authors of Overlane <overlane@overlane.invalid>" CACHE STRING
    "Who made the packages, as \"Name <address>\"")
set(papers ${PROJECT_BINARY_DIR}/papers)
file(READ ${PROJECT_SOURCE_DIR}/docs/changelog.md changes)
string(REGEX MATCH "## ${PROJECT_VERSION} \\(([^)]*)\\)" heading "${changes}")
if(NOT heading)
  message(FATAL_ERROR "docs/changelog.md has no heading \"## ${PROJECT_VERSION} (DATE)\"")
endif()
set(changed "${CMAKE_MATCH_1}")
foreach(component overlane overlane-ui)
  file(WRITE ${papers}/${component}/changelog.Debian
       "${component} (${PROJECT_VERSION}-1) unstable; urgency=medium\n\n"
       "  * Version ${PROJECT_VERSION}; see changelog.gz.\n\n -- ${OVERLANE_MAINTAINER}  ${changed}\n")
  configure_file(${PROJECT_SOURCE_DIR}/docs/changelog.md ${papers}/${component}/changelog COPYONLY)
  execute_process(COMMAND gzip -9nf changelog.Debian changelog WORKING_DIRECTORY ${papers}/${component})
  install(FILES ${papers}/${component}/changelog.Debian.gz ${papers}/${component}/changelog.gz
                ${PROJECT_SOURCE_DIR}/resources/desktop/copyright
          DESTINATION share/doc/${component} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR "DEB;TZST")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_NAME overlane)
set(CPACK_PACKAGE_VENDOR "Overlane")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_FILE_NAME "overlane-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL overlane)
if(TARGET overlane-ui)
  list(APPEND CPACK_COMPONENTS_ALL overlane-ui)
endif()
# One archive of all, one .deb of each.
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_DEB_COMPONENT_INSTALL ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${OVERLANE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_OVERLANE_PACKAGE_NAME overlane)
set(CPACK_DEBIAN_OVERLANE-UI_PACKAGE_NAME overlane-ui)
set(CPACK_DEBIAN_OVERLANE_DESCRIPTION "profiler of copies to GPUs, on the command line
Overlane answers one question: do the copies to the GPU hide behind the
compute, and if not, why, what does it cost, and what would change it? It
records CUDA programs, reads traces of PyTorch and Nsight Systems, simulates
data loaders, and predicts what a change would bring.

CUDA and CUPTI are looked for at run time and are not part of this package.")
set(CPACK_DEBIAN_OVERLANE-UI_DESCRIPTION "profiler of copies to GPUs, window
The window of Overlane: a timeline with the verdict above it, findings,
what-if predictions, a laboratory of simulated data loaders, and lessons.")
# Its runs on a GPU are processes of the very same build of the command line.
set(CPACK_DEBIAN_OVERLANE-UI_PACKAGE_DEPENDS "overlane (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_OVERLANE-UI_PACKAGE_RECOMMENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_OVERLANE_PACKAGE_RECOMMENDS "libarchive13t64 | libarchive13")  # loaded for an archive of ranks
set(CPACK_DEBIAN_OVERLANE_PACKAGE_SUGGESTS "overlane-ui, python3")
include(CPack)
