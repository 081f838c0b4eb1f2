# cmake -DPROGRAM=file -DTO=folder -DLOOK=folders -DCMAKE_OBJDUMP=FILE -P bundle.cmake: copies the libraries that the
# program needs, each under the name by which it is asked for. Not those of the C library: they belong to the system's loader. Where Debian's
# packages are known, the terms of each go along.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAM} DIRECTORIES ${LOOK}
	RESOLVED_DEPENDENCIES_VAR found
	UNRESOLVED_DEPENDENCIES_VAR missing
	CONFLICTING_DEPENDENCIES_PREFIX conflicts
	PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|anl)\\.so\\.")
foreach(name IN LISTS conflicts_FILENAMES)
	list(GET conflicts_${name} 0 first)
	list(APPEND found ${first})
endforeach()
if(missing)
	message(FATAL_ERROR "not found: ${missing}")
endif()
find_program(dpkg_query dpkg-query)
foreach(library IN LISTS found)
	cmake_path(GET library FILENAME name)
	file(REAL_PATH ${library} real)
	file(INSTALL ${real} DESTINATION ${TO} RENAME ${name}
		PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
	if(NOT dpkg_query)
		continue()
	endif()
	cmake_path(GET real PARENT_PATH folder)
	if(EXISTS ${folder}/copyright)
		file(INSTALL ${folder}/copyright DESTINATION ${TO}/licences RENAME ${name}.txt)
		continue()
	endif()
	# Packages know files by the folder that /lib is a link to, or by /lib.
	string(REGEX REPLACE "^/usr/lib/" "/lib/" merged ${real})
	execute_process(COMMAND ${dpkg_query} --search ${real} ${merged} OUTPUT_VARIABLE owner ERROR_QUIET)
	if(owner MATCHES "^([a-z0-9.+-]+)")
		set(terms /usr/share/doc/${CMAKE_MATCH_1}/copyright)
		if(EXISTS ${terms})
			file(REAL_PATH ${terms} terms)
			file(INSTALL ${terms} DESTINATION ${TO}/licences RENAME ${CMAKE_MATCH_1}.txt)
		endif()
	endif()
endforeach()
