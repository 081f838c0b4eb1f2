# fish completion: the program itself knows what may follow (tpreport --complete WORD…).

function __tpreport_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # Of --option=value the program is given both, and fish wants the whole word.
    set -l before (string match -r -- '^--[a-z-]+=' $current)
    for line in ($words[1] --complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (string replace -r -- '^--[a-z-]+=' '' $current) | string replace -r -- '^' "$before"
            case :folders
                __fish_complete_directories (string replace -r -- '^--[a-z-]+=' '' $current) | string replace -r -- '^' "$before"
            case '*'
                echo "$before$line"
        end
    end
end

complete -c tpreport -f -a '(__tpreport_complete)'
