#!/bin/sh
# Starts `afterword` where it is, and says so where it is not, without failing the session.
#   afterword.sh hook EVENT | afterword.sh mcp
# Programs started from a desktop may have a short search path, so the usual places are looked at too.
PATH="$PATH:$HOME/.cargo/bin:$HOME/.local/bin:/usr/local/bin:/opt/homebrew/bin"
if command -v afterword > /dev/null 2>&1; then
  exec afterword "$@"
fi
missing="Afterword's plugin is installed, but the program \`afterword\` is not on the PATH: nothing is noted. Install it, or disable the plugin."
case "$1 $2" in
  "hook SessionStart") printf '{"systemMessage":"%s"}\n' "$(printf %s "$missing" | tr -d '\\"')" ;;
  hook*) ;;
  *) printf '%s\n' "$missing" >&2; exit 1 ;;
esac
cat > /dev/null 2>&1 || :
exit 0
