#!/bin/sh
# What an administrator does with the packages, from their installation to their
# purge. Runs as root of a clean root of its own, without a network; prints a line
# for each step that came out as it should, and ends at the first that did not.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
ok() { echo "ok: $*"; }
is() { # WHAT FOUND EXPECTED
    [ "$2" = "$3" ] || { echo "not ok: $1: '$2', not '$3'"; exit 1; }
    ok "$1"
}

ip link set lo up
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
# Without a network apt has what its cache has: what the packages declare.
apt-get install -y --no-install-recommends apache2 postgresql \
    /root/packages/*.deb >/root/install.log 2>&1 ||
    { tail -n 30 /root/install.log; exit 1; }
ok 'installed with what they depend on'

[ ! -e /etc/apache2/mods-enabled/verify.load ]
ok 'nothing is enabled by itself'
for page in man5/mod_verify.5 man8/verify-analyze.8 man1/verifyctl.1 \
    man1/verify-read-passport.1; do
    gzip -dc "/usr/share/man/$page.gz" | grep -q '^\.TH '
done
ok 'manual pages'
is 'the bill of materials' "$(zcat -f \
    /usr/share/doc/mod-verify-data/mod_verify.spdx.json* | jq -r .spdxVersion)" \
    SPDX-2.3
echo 'ServerName localhost' >/etc/apache2/conf-available/name.conf
a2enconf -q name
apachectl configtest
a2enmod -q verify
apachectl configtest
ok 'enabled, and not yet in service'

version=$(ls /etc/postgresql)
(umask 077 && openssl rand -hex 32 >/etc/apache2/verify/master.key)
cd "/etc/postgresql/$version/main"
sed -i '1i local verify www-data peer map=verify' pg_hba.conf
printf 'verify root www-data\nverify www-data www-data\n' >>pg_ident.conf
cd /
pg_ctlcluster "$version" main start
su postgres -c 'createuser www-data && createdb -E UTF8 -T template0 -O www-data verify'
export VERIFY_DATABASE='host=/run/postgresql dbname=verify user=www-data'
export VERIFY_MASTER_KEY_FILE=/etc/apache2/verify/master.key
verifyctl migrate >/root/migrate.json
ok 'the schema is applied'

sed -i 's|^#Define VERIFY_PUBLIC_URL.*|Define VERIFY_PUBLIC_URL http://127.0.0.1|' \
    /etc/apache2/mods-available/verify.conf
# A virtual host with a log of its own has none of the server's. What is optional is no
# fault when the package has gone.
sed -i -e '1i Define VERIFY_SPAN_LOG /var/log/apache2/verify/spans.jsonl' \
    -e '/^<.VirtualHost>/i IncludeOptional /usr/share/apache2/mod_verify/monitoring/spans.conf' \
    /etc/apache2/sites-available/000-default.conf
apachectl configtest
apachectl start
for attempt in $(seq 300); do
    curl -fsS -o /dev/null http://127.0.0.1/v1/health/ready 2>/dev/null && break
    sleep 0.1
done
is 'it serves' "$(curl -sS -o /dev/null -w '%{http_code}' \
    http://127.0.0.1/v1/health/ready)" 200
org=$(verifyctl org create --name Shop --sandbox | jq -r .id)
key=$(verifyctl key create --org "$org" --type secret | jq -r .key)
workflow=$(verifyctl workflow publish --org "$org" \
    /etc/apache2/verify/workflows/demonstration.json | jq -r .id)
is 'a session' "$(curl -sS http://127.0.0.1/v1/verification_sessions \
    -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
    -d "{\"type\": \"age\", \"workflow_id\": \"$workflow\",
         \"jurisdiction\": \"US-CA\", \"skip_verification\": true}" |
    jq -r .status)" verified
is 'the widget' "$(curl -sS -o /dev/null -w '%{http_code}' \
    http://127.0.0.1/verify/embed.js)" 200
# As the unit does, which only systemd could start.
VERIFY_ANALYZER=/usr/lib/apache2/verify-analyze \
    VERIFY_MODELS=/usr/share/apache2/mod_verify/models verifyctl doctor >/root/doctor.json ||
    [ $? = 1 ]
[ -f /lib/systemd/system/verify-doctor.timer ]
is 'the doctor, whose timer nobody has enabled' \
    "$(ls /etc/systemd/system/timers.target.wants | grep verify || true)" ''
spans=/var/log/apache2/verify/spans.jsonl
[ -s "$spans" ]
logrotate -f /etc/logrotate.d/libapache2-mod-verify
[ -s "$spans.1" ]
for attempt in $(seq 300); do
    curl -fsS -o /dev/null http://127.0.0.1/v1/compliance/jurisdictions 2>/dev/null || true
    [ -s "$spans" ] && break
    sleep 0.1
done
is 'its log is rotated, and goes on' "$([ -s "$spans" ] && echo yes)" yes
is 'the log' "$(grep -c ':\(error\|crit\|alert\|emerg\)\]' \
    /var/log/apache2/error.log || true)" 0

echo '# edited' >>/etc/apache2/verify/risk.json.edited
apachectl stop
for attempt in $(seq 300); do
    [ -e /run/apache2/apache2.pid ] || break
    sleep 0.1
done
dpkg -L libapache2-mod-verify mod-verify-tools mod-verify-data \
    mod-verify-faces mod-verify-reader >/root/contents
[ "$(wc -l </root/contents)" -gt 100 ]
apt-get remove -y libapache2-mod-verify mod-verify-tools mod-verify-data \
    mod-verify-faces mod-verify-reader >/root/remove.log 2>&1
apachectl configtest
[ -f /etc/apache2/verify/verify.conf ]
[ ! -e /etc/apache2/mods-enabled/verify.load ]
ok 'removed: the configuration stays, the server starts without it'
# Of the tools there is what their units have left to dpkg.
apt-get purge -y libapache2-mod-verify mod-verify-tools >/root/purge.log 2>&1
rm /etc/apache2/verify/risk.json.edited
is 'purged: nothing of theirs is left' "$(while read -r path; do
    [ -d "$path" ] || [ ! -e "$path" ] || echo "$path"
done </root/contents; ls /etc/apache2/mods-enabled | grep verify || true)" ''
is 'but the master key' "$(ls /etc/apache2/verify)" master.key
is 'dpkg knows nothing of them' "$(dpkg-query -W -f '${Package}\n' 2>/dev/null |
    grep -c 'mod-verify' || true)" 0
pg_ctlcluster "$version" main stop
ok 'done'
