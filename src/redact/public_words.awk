# Writes the words that every report may hold as C: those in the string literals of the sources and in the parts of the page, and the lists of
# public_names.txt. Lower case; each once, in the order of the files.
#
#   awk -v out=words.c -f public_words.awk public_names.txt FILE…
#
# words.c stays as it is where nothing changes in it, so that nothing is built anew after it.

function add(list, word) {
	word = tolower(word)
	if (!((list, word) in seen)) {
		seen[list, word] = 1
		words[list] = words[list] "\t\"" word "\\0\"\n"
	}
}

function add_all(list, text,   count, i, found) {
	count = split(text, found, /[^A-Za-z0-9_]+/)
	for (i = 1; i <= count; i++)
		if (found[i] != "")
			add(list, found[i])
}

# Escapes and what printf fills in are no words.
function add_literal(text) {
	gsub(/\\x[0-9a-fA-F]+|\\./, " ", text)
	gsub(/%%/, " ", text)
	gsub(/%[-+0#]*[0-9.*]*(hh|h|ll|l|z|j|t)?[a-zA-Z]/, " ", text)
	add_all("words", text)
}

function add_names(text,   count, i, found, joined) {
	if (text ~ /^\[/)
		list = text == "[part]" ? "parts" : "words"
	else if (text !~ /^#/) {
		add_all(list, text)
		# NllLossBackward0 is of nll_loss.
		count = split(text, found, / +/)
		for (i = 1; i <= count && list == "words"; i++) {
			joined = found[i]
			gsub(/_/, "", joined)
			if (joined != "")
				add(list, joined)
		}
	}
}

function add_source(line,   found) {
	while (line != "") {
		if (in_comment) {
			found = index(line, "*/")
			if (found == 0)
				return
			line = substr(line, found + 2)
			in_comment = 0
		} else if (!match(line, /["']|\/\*|\/\//)) {
			return
		} else {
			line = substr(line, RSTART)
			if (line ~ /^\/\//)
				return
			if (line ~ /^\/\*/) {
				in_comment = 1
				line = substr(line, 3)
			} else if (match(line, /^"([^"\\]|\\.)*"/)) {
				found = RLENGTH
				add_literal(substr(line, 2, found - 2))
				line = substr(line, found + 1)
			} else if (match(line, /^'([^'\\]|\\.[^']*)'/)) {
				line = substr(line, RLENGTH + 1)
			} else {
				line = substr(line, 2)
			}
		}
	}
}

FNR == 1 { in_comment = 0 }
FILENAME ~ /public_names\.txt$/ { add_names($0); next }
FILENAME ~ /\.html$/ { add_all("words", $0); next }
/^[ \t]*#[ \t]*include/ { next }
{ add_source($0) }

END {
	text = "/* Words that every report may hold; written by src/redact/public_words.awk. */\n" \
		"#include \"redact/public_words.h\"\n\nconst char tp_public_words[] =\n" words["words"] \
		";\nconst char tp_public_parts[] =\n" words["parts"] ";\n"
	while ((getline line < out) > 0)
		old = old line "\n"
	close(out)
	if (old != text)
		printf "%s", text > out
}
