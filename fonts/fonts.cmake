# The report's fonts: which faces, where Debian's packages put them; sets TP_FONT_FILES.
#
# Another directory may come first: cmake -DTP_FONT_PATH=/some/where
set(TP_FONT_PATH "" CACHE STRING "Directories searched for the fonts before Debian's")

set(TP_FONT_FILES ${PROJECT_SOURCE_DIR}/fonts/fonts.conf)

function(tp_font package directory)
	foreach(name IN LISTS ARGN)
		find_file(TP_FONT_${name} NAMES ${name} PATHS ${TP_FONT_PATH} ${directory}
			NO_DEFAULT_PATH)
		mark_as_advanced(TP_FONT_${name})
		if(NOT TP_FONT_${name})
			message(FATAL_ERROR "Font ${name} not found in ${directory}; "
				"on Debian: apt-get install ${package} (see fonts/README.md)")
		endif()
		list(APPEND TP_FONT_FILES ${TP_FONT_${name}})
	endforeach()
	set(TP_FONT_FILES ${TP_FONT_FILES} PARENT_SCOPE)
endfunction()

tp_font(fonts-inter /usr/share/fonts/opentype/inter
	Inter-Regular.otf Inter-Medium.otf Inter-SemiBold.otf InterDisplay-SemiBold.otf)
tp_font(fonts-jetbrains-mono /usr/share/fonts/truetype/jetbrains-mono
	JetBrainsMono-Regular.ttf)
