# cmake -DTPREPORT=program -DTO=folder -P man_pages.cmake: the program's man pages, as man1/*.1 and man7/*.7.
function(tp_man out)
	execute_process(COMMAND ${TPREPORT} --man ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
	set(${out} "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${TO})
tp_man(pages)
string(REPLACE "\n" ";" pages "${pages}")
foreach(page IN LISTS pages)
	if(page STREQUAL "")
		continue()
	endif()
	cmake_path(GET page EXTENSION LAST_ONLY section)
	string(SUBSTRING "${section}" 1 1 section)
	file(MAKE_DIRECTORY ${TO}/man${section})
	execute_process(COMMAND ${TPREPORT} --man ${page} OUTPUT_FILE ${TO}/man${section}/${page}
		COMMAND_ERROR_IS_FATAL ANY)
endforeach()
