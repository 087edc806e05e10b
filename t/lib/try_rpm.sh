#!/bin/sh
# What an administrator of RHEL does with the packages, as far as another system can
# show it: installation, an httpd that is laid out as there, with the modules that are
# here, removal. Runs as root of a copy of this machine's files of which nothing
# lasts (t/operator/rpm.t); no scriptlet of a package is run, and what they require is
# not asked for. Prints a line for each step that came out as it should, and ends at
# the first that did not.
#
#   try_rpm.sh PACKAGES CHANGES PORT       VERIFY_DATABASE is an empty database
set -eu
export LC_ALL=C.UTF-8
packages=$1 changes=$2 port=$3
ok() { echo "ok: $*"; }
is() { # WHAT FOUND EXPECTED
    [ "$2" = "$3" ] || { echo "not ok: $1: '$2', not '$3'"; exit 1; }
    ok "$1"
}
wait_until() { # COMMAND…
    for attempt in $(seq 600); do
        "$@" && return
        sleep 0.1
    done
    echo "not ok: $*"
    cat /var/log/httpd/error_log
    exit 1
}
names='mod_verify mod_verify-data mod_verify-faces mod_verify-reader mod_verify-tools'
flags='--nodeps --noscripts'

# The directories that httpd's own package has on RHEL, with the modules of this one.
mkdir -p /etc/httpd/conf /etc/httpd/conf.d /etc/httpd/conf.modules.d \
    /usr/lib64/httpd/modules /usr/share/httpd
mkdir -m 700 /var/log/httpd
mkdir /run/httpd
cp /usr/lib/apache2/modules/mod_*.so /usr/lib64/httpd/modules
rm -f /usr/lib64/httpd/modules/mod_verify.so
ln -s /usr/lib64/httpd/modules /etc/httpd/modules
printf 'LoadModule %s_module modules/mod_%s.so\n' mpm_event mpm_event \
    authn_core authn_core authz_core authz_core authz_host authz_host \
    >/etc/httpd/conf.modules.d/00-base.conf
cat >/etc/httpd/conf/httpd.conf <<CONFIGURATION
ServerRoot /etc/httpd
PidFile /run/httpd/httpd.pid
DefaultRuntimeDir /run/httpd
Listen 127.0.0.1:$port
ServerName localhost
Include conf.modules.d/*.conf
User www-data
Group www-data
ErrorLog /var/log/httpd/error_log
IncludeOptional conf.d/*.conf
CONFIGURATION
(cd "$changes" && find . -type f | sort) >/tmp/files-before

rpm -i $flags "$packages"/*.rpm
is 'installed' "$(rpm -q $names | sed 's/-[0-9].*//' | tr '\n' ' ')" "$names "
rpm -ql $names | sort -u >/tmp/contents
is 'each file with the owner, mode and digest of its package' \
    "$(rpm -V --nodeps --noscripts $names)" ''
is 'all are of root, who alone writes' "$(rpm -q --queryformat \
    '[%{FILEUSERNAME}:%{FILEGROUPNAME} %{FILEMODES:perms} %{FILENAMES}\n]' $names |
    grep -v '^root:root ..........$' |
    grep -v '^root:root [-d]r[w-][x-]r-[x-]r-[x-] ' || true)" \
    'root:root drwx------ /var/log/httpd/verify'
is 'programs' "$(rpm -q --queryformat '[%{FILEMODES:perms} %{FILENAMES}\n]' $names |
    sed -n 's/^-rwxr-xr-x .*\///p' | sort | tr '\n' ' ')" \
    'verify-analyze verify-read-passport verifyctl '
is 'the timer is not enabled' "$(find /etc/systemd -name 'verify-doctor*')" ''
for page in 5:mod_verify 8:verify-analyze 1:verifyctl 1:verify-read-passport; do
    zcat -f "/usr/share/man/man${page%%:*}/${page#*:}.${page%%:*}"* | grep -q '^\.TH '
done
ok 'manual pages'
is 'no path of another system' "$(grep -rl 'apache2\|www-data' /etc/httpd/conf/verify \
    /etc/httpd/conf.d/verify.conf /etc/logrotate.d/mod_verify \
    /usr/lib/systemd/system/verify-doctor.* || true)" ''

httpd() { apache2 -d /etc/httpd -f /etc/httpd/conf/httpd.conf "$@"; }
httpd -t 2>/dev/null
ok 'loaded, and not yet in service'
(umask 077 && openssl rand -hex 32 >/etc/httpd/conf/verify/master.key)
export VERIFY_MASTER_KEY_FILE=/etc/httpd/conf/verify/master.key
export VERIFY_MIGRATIONS=/usr/share/httpd/mod_verify/sql
export VERIFY_COMPLIANCE_RULES=/usr/share/httpd/mod_verify/compliance
/usr/bin/verifyctl migrate >/tmp/migrate.json
ok 'the schema is applied'
sed -i "s|^#Define VERIFY_PUBLIC_URL.*|Define VERIFY_PUBLIC_URL http://127.0.0.1:$port\n\
Define VERIFY_DATABASE \"$VERIFY_DATABASE\"|" /etc/httpd/conf.d/verify.conf
httpd -t 2>/dev/null
httpd -k start
wait_until curl -fsS -o /dev/null "http://127.0.0.1:$port/v1/health/ready" 2>/dev/null
ok 'it serves'
org=$(/usr/bin/verifyctl org create --name Shop --sandbox | jq -r .id)
key=$(/usr/bin/verifyctl key create --org "$org" --type secret | jq -r .key)
workflow=$(/usr/bin/verifyctl workflow publish --org "$org" \
    /etc/httpd/conf/verify/workflows/demonstration.json | jq -r .id)
is 'a session' "$(curl -sS "http://127.0.0.1:$port/v1/verification_sessions" \
    -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
    -d "{\"type\": \"age\", \"workflow_id\": \"$workflow\",
         \"jurisdiction\": \"US-CA\", \"skip_verification\": true}" |
    jq -r .status)" verified
is 'the log' "$(grep -c ':\(error\|crit\|alert\|emerg\)\]' /var/log/httpd/error_log ||
    true)" 0
httpd -k stop
wait_until test ! -e /run/httpd/httpd.pid

echo '# edited' >>/etc/httpd/conf/verify/verify.conf
rpm -U --replacepkgs $flags "$packages"/*.rpm
is 'installed again: what was edited stays' \
    "$(tail -n 1 /etc/httpd/conf/verify/verify.conf)" '# edited'
rpm -e $flags $names
is 'removed' "$(rpm -qa | grep verify || true)" ''
is 'nothing of theirs is left' "$(while read -r path; do
    [ ! -e "$path" ] || echo "$path"
done </tmp/contents)" '/etc/httpd/conf/verify'
(cd "$changes" && find . -type f | sort) >/tmp/files-after
is 'but what was edited, and the master key' "$(comm -13 /tmp/files-before \
    /tmp/files-after | grep verify | tr '\n' ' ')" \
    "./etc/httpd/conf.d/verify.conf.rpmsave ./etc/httpd/conf/verify/master.key \
./etc/httpd/conf/verify/verify.conf.rpmsave "
httpd -t 2>/dev/null
ok 'the server starts without it'
