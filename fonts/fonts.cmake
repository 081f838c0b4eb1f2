# The report's fonts: which faces, where Debian's packages put them; sets TP_FONT_FILES.
#
# Another directory may come first: cmake -DTP_FONT_PATH=/some/where
set(TP_FONT_PATH "" CACHE STRING "Directories searched for the fonts before Debian's")

set(TP_FONT_FILES ${PROJECT_SOURCE_DIR}/fonts/fonts.conf)

# tp_font(<package> <directory> [OPTIONAL] <file>...): a file that is not there stops the configuration, unless it is optional.
function(tp_font package directory)
	cmake_parse_arguments(PARSE_ARGV 2 arg "OPTIONAL" "" "")
	foreach(name IN LISTS arg_UNPARSED_ARGUMENTS)
		find_file(TP_FONT_${name} NAMES ${name} PATHS ${TP_FONT_PATH} ${directory}
			NO_DEFAULT_PATH)
		mark_as_advanced(TP_FONT_${name})
		if(TP_FONT_${name})
			list(APPEND TP_FONT_FILES ${TP_FONT_${name}})
		elseif(NOT arg_OPTIONAL)
			message(FATAL_ERROR "Font ${name} not found in ${directory}; "
				"on Debian: apt-get install ${package} (see fonts/README.md)")
		endif()
	endforeach()
	set(TP_FONT_FILES ${TP_FONT_FILES} PARENT_SCOPE)
endfunction()

tp_font(fonts-inter /usr/share/fonts/opentype/inter
	Inter-Regular.otf Inter-Medium.otf Inter-SemiBold.otf)
# Inter 3, which Ubuntu 22.04 has, knows no Display: titles are set in Inter then.
tp_font(fonts-inter /usr/share/fonts/opentype/inter OPTIONAL
	InterDisplay-SemiBold.otf)
tp_font(fonts-jetbrains-mono /usr/share/fonts/truetype/jetbrains-mono OPTIONAL
	JetBrainsMono-Regular.ttf)
if(NOT TP_FONT_JetBrainsMono-Regular.ttf)
	tp_font("fonts-jetbrains-mono, or fonts-dejavu-core" /usr/share/fonts/truetype/dejavu
		DejaVuSansMono.ttf)
endif()
