# Packages by CPack: a deb of what is installed, and with TP_BUNDLE a folder that can be moved, as a tarball.
#
#     cmake --preset release -DCMAKE_INSTALL_PREFIX=/usr && cmake --build --preset release && cpack --config build/release/CPackConfig.cmake -G DEB
#     src/package/tarball.sh
set(CPACK_PACKAGE_NAME tpreport)
set(CPACK_PACKAGE_VENDOR tpreport)
# Who answers for a deb is who builds it, as with Debian's own tools; an address that cannot exist says that nobody was named.
set(TP_PACKAGE_CONTACT "" CACHE STRING "Maintainer of the deb, as \"Name <mail>\"; else DEBFULLNAME and DEBEMAIL of the environment")
if(TP_PACKAGE_CONTACT)
	set(CPACK_PACKAGE_CONTACT "${TP_PACKAGE_CONTACT}")
elseif(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
	set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
	set(CPACK_PACKAGE_CONTACT "tpreport maintainers <maintainers@tpreport.invalid>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "report of profiler log directories of JAX, TensorFlow and PyTorch")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded when an address is read; newer systems call it libcurl4t64.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libcurl4 | libcurl4t64, ca-certificates")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"tpreport turns the profiler log directory of a training job on TPUs, GPUs
or CPUs into one file: a page that opens anywhere offline, a PDF whose first
page can be read alone, or JSON. It shows whether the job waits for input,
where step time and device time go, and what to fix first.
.
It reads XLA profiles of JAX, TensorFlow and PyTorch/XLA, traces of the PyTorch
profiler, event files, graphs and tfprof dumps.")
# What Debian wants to stand in /usr/share/doc, and man pages packed.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/deb.cmake)
set(CPACK_TP_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_TP_VERSION ${PROJECT_VERSION})
set(CPACK_TP_DATE ${TP_VERSION_DATE})
include(CPack)
