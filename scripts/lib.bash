# What the scripts share: where things lie, who runs them, how a process is
# ended. Sourced, never run. The run directory is $VERIFY_RUN_DIR (.run).
#
# Started by root, PostgreSQL and httpd's children run as unprivileged users,
# who must be able to reach the run directory. Where they cannot, because the
# checkout lies in a closed home directory, the run directory is made in
# /var/tmp and a symbolic link stands at its place; everything the service
# reads while it runs is copied there anyway (scripts/service).
#
# Each test starts a service by these scripts, so they do without other programs where
# bash suffices: starting one takes longer than what it would do.
set -euo pipefail
root=${BASH_SOURCE[0]%"${BASH_SOURCE[0]##*/}"}
root=$(cd "${root:-./}.." && pwd -P)
build=${VERIFY_BUILD:-build}
case "$build" in /*) ;; *) build=$root/$build ;; esac
run_link=${VERIFY_RUN_DIR:-$root/.run}
case "$run_link" in /*) ;; *) run_link=$PWD/$run_link ;; esac
real_path() { # of a directory, or of what may not exist
  if [ -d "$1" ]; then (cd -P -- "$1" && pwd -P); else readlink -m "$1"; fi
}
run_dir=$(real_path "$run_link")

# Whatever proxy the environment names, this machine is asked directly.
no_proxy=${no_proxy:-${NO_PROXY:-}}
case "$no_proxy" in 127.0.0.1,localhost*) ;; *)
  no_proxy=127.0.0.1,localhost${no_proxy:+,$no_proxy} ;;
esac
export no_proxy NO_PROXY=$no_proxy

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
fail() {
  say "$*" >&2
  exit 1
}

am_root() { [ "$EUID" -eq 0 ]; }

# The first of the named users that exists; only root may ask.
existing_user() {
  local user
  for user in "$@"; do
    getent passwd "$user" >/dev/null && { echo "$user"; return; }
  done
  fail "none of these users exists: $*"
}
database_user() {
  if am_root; then existing_user postgres nobody; else id -un; fi
}
service_user() {
  if am_root; then existing_user www-data apache httpd nobody; else id -un; fi
}

# as_user USER COMMAND…: without a shell, so that signals and pids are its own.
# `exec_as_user` does it in place of the shell that calls it.
as_user() { (exec_as_user "$@"); }
exec_as_user() {
  local user=$1
  shift
  if am_root && [ "$user" != root ]; then
    exec setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups \
      --inh-caps=-all env HOME=/ "$@"
  fi
  exec "$@"
}

# in_background LOG COMMAND…: a function or program in a session of its own
# that holds nothing of the caller's open; $! is its pid.
in_background() {
  local log=$1
  shift
  (cd / && "$@") >>"$log" 2>&1 </dev/null &
  disown
}

reachable() { # directory: may every user that serves enter it?
  local user
  am_root || return 0
  ! lets_all_in "$1" || return 0
  for user in "$(database_user)" "$(service_user)"; do
    (cd / && as_user "$user" test -x "$1") || return 1
  done
}

# Do the modes of the directory and of all above it let everybody in?
lets_all_in() { # directory, as real_path prints it
  local path=$1 paths=() mode
  while [ -n "$path" ]; do paths+=("$path") path=${path%/*}; done
  while read -r mode; do
    case $mode in d*[xt]) ;; *) return 1 ;; esac
  done < <(stat -c %A / "${paths[@]}" 2>/dev/null || echo unknown)
}

# Makes the run directory; sets run_dir to where it really lies.
make_run_dir() {
  if [ ! -e "$run_link" ]; then
    rm -f "$run_link"
    mkdir -p "$run_link"
    chmod 755 "$run_link"
    if ! reachable "$run_link"; then
      local elsewhere
      elsewhere=$(mktemp -d /var/tmp/mod_verify.XXXXXXXX)
      chmod 755 "$elsewhere"
      rmdir "$run_link"
      ln -s "$elsewhere" "$run_link"
      say "$(database_user) may not enter $(dirname "$run_link");" \
        "the run directory lies in $elsewhere"
    fi
  fi
  run_dir=$(real_path "$run_link")
  reachable "$run_dir" || fail "$run_dir cannot be entered by" \
    "$(database_user) and $(service_user); set VERIFY_RUN_DIR to a directory" \
    "that they can enter, or remove it"
  mkdir -p "$run_dir/logs"
}

# free_port [WISHED]: a TCP port of 127.0.0.1 that nobody listens on.
free_port() { "$root/scripts/free-port" ${1:+--wish "$1"}; }
# Fails with the first of these two ports that somebody listens on.
require_free_ports() {
  local port free
  free=$("$root/scripts/free-port" --wish "$1" --wish "$2" 2)
  for port; do
    [[ $'\n'$free$'\n' == *$'\n'$port$'\n'* ]] || fail "port $port is in use;" \
      "set VERIFY_HTTP_PORT and VERIFY_HTTPS_PORT to free ones"
  done
}

# runs PID [NAME]: is this process running, and is it NAME?
runs() {
  local line
  [ -n "$1" ] && { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  [[ ${line##*) } != Z* ]] || return 1 # PID (NAME) STATE ...
  [ -z "${2:-}" ] || [[ $line =~ ^[0-9]+\ \(($2)\)\  ]]
}
has_ended() { ! runs "$@"; }

# alive FILE [NAME]: the same of the process of this pid file.
alive() {
  local pid
  pid=$(first_line "$1") || return 1
  runs "$pid" "${2:-}"
}

first_line() { # of a file; nothing, and false, where there is none
  local line=
  { read -r line <"$1" || [ -n "$line" ]; } 2>/dev/null || return 1
  printf '%s' "$line"
}

# wait_until SECONDS COMMAND…: polls.
wait_until() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.05
  done
}

gone() { ! alive "$@"; }

# end_process FILE NAME [SIGNAL]: by its pid file, and only if it is NAME. What
# is waited for is the process: it may remove the file long before it ends. It is
# told again every second or two: httpd forgets what it is told at the moment in
# which it begins to restart.
end_process() {
  local pid deadline=$((SECONDS + 20))
  pid=$(first_line "$1") || return 0
  while runs "$pid" "$2"; do
    [ $SECONDS -lt $deadline ] || break
    kill "-${3:-TERM}" "$pid" 2>/dev/null || true
    wait_until 2 has_ended "$pid" "$2" && return 0
  done
  runs "$pid" "$2" || return 0
  say "$2 does not end, killing it" >&2
  kill -KILL "$pid" 2>/dev/null || true
  wait_until 10 has_ended "$pid" "$2"
}
