-- Until when trusted certificates hold, so that somebody is told before.
ALTER TABLE trust_certificate ADD COLUMN not_after bigint;
COMMENT ON COLUMN trust_certificate.not_after IS
    'Its end, read from it; NULL: not yet, which the watchdog does';
CREATE INDEX trust_certificate_undated ON trust_certificate (digest)
    WHERE not_after IS NULL;
