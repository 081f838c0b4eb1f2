# tp_embed(<out.c> <name> <file> ...): writes a C file that puts the files into the binary.
#
# The bytes come in through the assembler's .incbin, which takes milliseconds where a C array of
# numbers takes seconds. Each file is followed by a zero byte that its size does not count. The
# table is sorted by name, so that base/asset.c can search it. Sizes are taken when CMake runs,
# which it does again whenever one of the files changes.
function(tp_embed out)
	set(names)
	set(files)
	while(ARGN)
		list(POP_FRONT ARGN name file)
		list(APPEND names ${name})
		list(APPEND files ${file})
		set(file_of_${name} ${file})
	endwhile()
	list(SORT names COMPARE STRING)

	set(blobs "")
	set(rows "")
	list(LENGTH names count)
	set(index 0)
	foreach(name IN LISTS names)
		set(file ${file_of_${name}})
		file(SIZE ${file} size)
		string(APPEND blobs
			"__asm__(\".section .rodata\\n.balign 16\\n\"\n"
			"\t\t\"tp_asset_${index}: .incbin \\\"${file}\\\"\\n.byte 0\\n\"\n"
			"\t\t\".previous\");\n"
			"extern const unsigned char tp_asset_${index}[];\n")
		string(APPEND rows "\t{\"${name}\", tp_asset_${index}, ${size}},\n")
		math(EXPR index "${index} + 1")
	endforeach()
	file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"/* The files embedded in the binary; written by src/template/embed.cmake. */
#include \"base/asset.h\"

@blobs@
const struct tp_asset tp_asset_table[] = {
@rows@	{NULL, NULL, 0},
};
const size_t tp_asset_count = @count@;
")
	set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${files}")
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
endfunction()
