#!/bin/sh
# What the last stage of apxs/container/Containerfile comes to, in a clean root that
# has no network: the image is made as the file says (/root/make-image, which
# t/operator/container.t writes), and its command is run as its user, without any
# capability. Prints a line for each step that came out as it should, and ends at the
# first that did not.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
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
    cat /root/out /root/err
    exit 1
}

ip link set lo up
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
# The database, which is elsewhere.
apt-get install -y --no-install-recommends postgresql >/root/install.log 2>&1 ||
    { tail -n 30 /root/install.log; exit 1; }
version=$(ls /etc/postgresql)
pg_ctlcluster "$version" main start
su postgres -c 'createuser www-data && createdb -E UTF8 -T template0 -O www-data verify'

sh -eu /root/make-image >/root/image.log 2>&1 || { tail -n 30 /root/image.log; exit 1; }
ok 'the image is made'
is 'of it nothing runs as root' "$(cat /root/user)" www-data

mkdir /run/verify-secrets
(umask 077 && openssl rand -hex 32 >/run/verify-secrets/master.key)
chown www-data /run/verify-secrets/master.key
chmod 400 /run/verify-secrets/master.key
export VERIFY_DATABASE='host=/run/postgresql dbname=verify user=www-data'
export VERIFY_PUBLIC_URL=https://verify.example.com
. /root/environment
uid=$(id -u www-data)
inside() { # COMMAND…, as the container has it
    exec setpriv --reuid "$uid" --regid "$uid" --clear-groups --no-new-privs \
        --bounding-set=-all --inh-caps=-all env -u HOME "$@"
}
(inside verifyctl migrate >/root/migrate.json)
ok 'its verifyctl applies the schema'

# A pipe to whoever collects its logs, of the container's user: runtimes see to that.
mkfifo /tmp/out /tmp/err
chown www-data /tmp/out /tmp/err
cat </tmp/out >/root/out &
cat </tmp/err >/root/err &
. /root/command
(inside "$@" >/tmp/out 2>/tmp/err) &
wrapper=$!
health() { sh -c "$(cat /root/health)" 2>/dev/null; }
wait_until health
ok 'it is healthy, as the file asks'
pid=$(cat /run/verify/httpd.pid)
is 'httpd is not root' "$(stat -c %U "/proc/$pid")" www-data
is 'nor may it become so' "$(sed -n 's/^CapBnd:\t0*//p' "/proc/$pid/status")" ''
(
    . /root/environment
    org=$(inside verifyctl org create --name Shop --sandbox | jq -r .id)
    key=$(inside verifyctl key create --org "$org" --type secret | jq -r .key)
    workflow=$(inside verifyctl workflow publish --org "$org" \
        /etc/apache2/verify/workflows/demonstration.json | jq -r .id)
    is 'a session' "$(curl -sS http://127.0.0.1:8080/v1/verification_sessions \
        -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
        -d "{\"type\": \"age\", \"workflow_id\": \"$workflow\",
             \"jurisdiction\": \"US-CA\", \"skip_verification\": true}" |
        jq -r .status)" verified
)
reads() {
    [ "$(curl -sS http://127.0.0.1:8080/v1/health/ready | jq -r .reader)" = ready ]
}
wait_until reads
ok 'the reader of documents'
kill "-$(cat /root/stop)" "$pid"
gone() { ! [ -d "/proc/$pid" ]; }
wait_until gone
wait "$wrapper" && status=0 || status=$?
is 'it ends as the file says' "$status" 0
[ "$(grep -c 'POST /v1/verification_sessions' /root/out)" = 1 ]
is 'its logs' "$(grep -c ':\(error\|crit\|alert\|emerg\)\]' /root/err || true)" 0
pg_ctlcluster "$version" main stop
ok 'done'
