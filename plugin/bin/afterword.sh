#!/bin/sh
# Starts `afterword` where it is. Where it is not, hooks are silent and fail no session, and the server says so.
#   afterword.sh hook EVENT | afterword.sh mcp
# Programs started from a desktop may have a short search path, so the usual places are looked at too.
PATH="$PATH:$HOME/.cargo/bin:$HOME/.local/bin:/usr/local/bin:/opt/homebrew/bin"
if command -v afterword > /dev/null 2>&1; then
  exec afterword "$@"
fi
if [ "$1" != hook ]; then
  echo "Afterword's plugin is installed, but the program \`afterword\` is not on the PATH: nothing is noted. Install it, or disable the plugin." >&2
  exit 1
fi
cat > /dev/null 2>&1 || :
exit 0
