#!/bin/sh
# Runs hipocampus for a hook of the plugin, wherever it is: on the PATH, else the newest copy that `init` made. The program
# does nothing where the project has hooks of its own for the event.
data=${XDG_DATA_HOME:-$HOME/.local/share}
[ "$(uname -s)" != Darwin ] || data=${XDG_DATA_HOME:-$HOME/Library/Application Support}
found=
for program in "$data"/hipocampus/bin/*/hipocampus "$(command -v hipocampus)"; do
    [ ! -x "$program" ] || found=$program
done
if [ -n "$found" ]; then
    HIPOCAMPUS_PLUGIN=1 exec "$found" "$@"
fi
# Once a session is enough.
[ "$1 $2" != "hook session-start" ] || {
    echo "the hipocampus plugin finds no program to run, so nothing is remembered: install it, see https://github.com/kevin-hs-sohn/hipocampus#install" >&2
    exit 1
}
