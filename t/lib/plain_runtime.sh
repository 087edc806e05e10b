#!/bin/sh
# runc for machines on which nobody may set resource limits, root neither: what podman
# asks for of them is left out, for a container and for what is executed in one. For
# tests of images.
without() { # MEMBER FILE
    jq "del($1)" "$2" >"$2.new" && mv "$2.new" "$2"
}
last=''
for word; do
    case $last in
    --bundle) without .process.rlimits "$word/config.json" ;;
    --process) without .rlimits "$word" ;;
    esac
    last=$word
done
exec "$(PATH=$PATH:/usr/sbin command -v runc)" "$@"
