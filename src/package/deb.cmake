# Called by CPack between installing and packing: in a deb, man pages and changes are packed, and the copyright stands where Debian looks for it.
if(NOT CPACK_GENERATOR STREQUAL DEB)
	return()
endif()
set(root ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${root}/share/doc/tpreport)
# zsh looks there on Debian.
file(MAKE_DIRECTORY ${root}/share/zsh/vendor-completions)
file(RENAME ${root}/share/zsh/site-functions/_tpreport ${root}/share/zsh/vendor-completions/_tpreport)
file(REMOVE_RECURSE ${root}/share/zsh/site-functions)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(READ ${CPACK_TP_SOURCE}/src/package/copyright copyright)
file(WRITE ${doc}/copyright "${copyright}")
file(READ ${CPACK_TP_SOURCE}/CHANGELOG.md changes)
file(WRITE ${doc}/changelog "${changes}")
file(WRITE ${doc}/changelog.Debian
"tpreport (${CPACK_TP_VERSION}) unstable; urgency=medium

  * See changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
file(GLOB_RECURSE pages ${root}/share/man/*.[17])
execute_process(COMMAND gzip -9 -n ${pages} ${doc}/changelog ${doc}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE all LIST_DIRECTORIES true ${root}/*)
foreach(path IN LISTS all)
	if(IS_DIRECTORY ${path} OR path MATCHES "/bin/")
		file(CHMOD ${path} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
	else()
		file(CHMOD ${path} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
	endif()
endforeach()
