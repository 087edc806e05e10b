-- How many requests a minute each key of one organization may make.
ALTER TABLE organization
    ADD COLUMN rate_limit_secret integer
        CHECK (rate_limit_secret BETWEEN 1 AND 1000000000),
    ADD COLUMN rate_limit_publishable integer
        CHECK (rate_limit_publishable BETWEEN 1 AND 1000000000);
COMMENT ON COLUMN organization.rate_limit_secret IS
    'Requests a minute of each secret key; NULL: those of VerifyRateLimit';
COMMENT ON COLUMN organization.rate_limit_publishable IS
    'Requests a minute of each publishable key; NULL: those of VerifyRateLimit';
