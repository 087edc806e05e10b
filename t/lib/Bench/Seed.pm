package Bench::Seed;
# What lookups, risk scores and lists of deliveries are measured among: as many
# rows of each table as there are sessions.
use v5.32;
use warnings;

my $people = 50;    # whose e-mail addresses t/bench/requests.lua knows

my %seeders = (lookup => \&seed_persons, risk => \&seed_observations,
  deliveries => \&seed_deliveries);

sub seed {
  my ($service, @kinds) = @_;
  for my $kind (grep { $seeders{$_} } @kinds) {
    $seeders{$kind}->($service);
    $service->sql('CHECKPOINT');
  }
}

# The digests of the known addresses come from sessions that name them.
sub seed_persons {
  my ($service) = @_;
  my $organization = $service->{organization}{id};
  $service->create_session(email => "bench-$_\@example.com") for 1 .. $people;
  $service->sql(<<'SQL', $organization, $service->{rows}, $organization);
WITH known AS (
  SELECT row_number() OVER () AS n, email_digest
    FROM verification_session
   WHERE organization_id = ? AND email_digest IS NOT NULL
), person AS (
  SELECT s.n, coalesce(k.email_digest, sha256(s.n::text::bytea)) AS digest,
         'vp_00' || lpad(s.n::text, 24, '0') AS id,
         'vks_00' || lpad(s.n::text, 24, '0') AS session_id,
         extract(epoch FROM now())::bigint * 1000 AS at
    FROM generate_series(1, ?::bigint) s (n)
    LEFT JOIN known k USING (n)
), organization AS (SELECT ?::text AS id
), verified AS (
  INSERT INTO verified_person (organization_id, id, created_at)
  SELECT o.id, p.id, at FROM person p, organization o
), named AS (
  INSERT INTO person_identifier (organization_id, kind, digest,
                                 verified_person_id, created_at)
  SELECT o.id, 'email', digest, p.id, at FROM person p, organization o
)
INSERT INTO credential (organization_id, id, verified_person_id, session_id,
                        method, strength, age_tier, age_over, methods,
                        jurisdiction, verified_at, expires_at)
SELECT o.id, 'vc_00' || lpad(n::text, 24, '0'), p.id, session_id,
       'document_capture', 'document_capture', 'min_age_18', 34,
       '{document_capture}', 'US-MD', at, at + 86400000::bigint * 365
  FROM person p, organization o
SQL
  $service->sql("VACUUM (ANALYZE) $_")
    for qw(verified_person person_identifier credential);
}

# Of the last thirty days, each identifier several times.
sub seed_observations {
  my ($service) = @_;
  my ($organization, $rows) = ($service->{organization}{id}, $service->{rows});
  $service->sql(<<'SQL', $organization, $rows, $rows);
INSERT INTO risk_observation (organization_id, assessment_id, created_at, ip_digest,
                              email_digest, phone_digest, device_digest,
                              person_digest)
SELECT ?, 'rsk_00' || lpad(n::text, 24, '0'),
       ((extract(epoch FROM now()) - 86400 * 30 * (1 - n / ?::float)) * 1000)::bigint,
       sha256((n % 100000)::text::bytea), person, NULL, sha256((n / 4)::text::bytea),
       person
  FROM generate_series(1, ?::bigint) n,
       LATERAL (SELECT sha256((n / 2)::text::bytea)) p (person)
SQL
  $service->sql('VACUUM (ANALYZE) risk_observation');
}

sub seed_deliveries {
  my ($service) = @_;
  $service->create_session;
  $service->sql(<<'SQL', $service->{rows}, $service->{organization}{id});
WITH sample AS (
  SELECT e.organization_id, e.application_id, e.type, e.body, e.created_at,
         d.webhook_endpoint_id
    FROM event e JOIN webhook_delivery d
      ON d.organization_id = e.organization_id AND d.event_id = e.id
   LIMIT 1
), many AS (
  SELECT s.*, lpad(n::text, 24, '0') AS number
    FROM generate_series(1, ?::bigint) n, sample s
), announced AS (
  INSERT INTO event (organization_id, id, application_id, type, object_id, body,
                     created_at)
  SELECT organization_id, 'evt_00' || number, application_id, type,
         'vks_00' || number, body, created_at
    FROM many
)
INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id, event_id,
                              event_type, status, attempt, request_url,
                              request_headers, response, delivered_at,
                              created_at, updated_at)
SELECT organization_id, 'whd_00' || number, webhook_endpoint_id,
       'evt_00' || number, type, 'delivered', 1, 'https://127.0.0.1:9/nobody',
       '{"Content-Type":"application/json"}',
       '{"status":200,"headers":{"content-length":"0"},"body":""}',
       created_at, created_at, created_at
  FROM many WHERE organization_id = ?
SQL
  $service->sql("VACUUM (ANALYZE) $_") for qw(event webhook_delivery);
}

1;
