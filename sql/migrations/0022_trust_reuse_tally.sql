-- How often applications ask for persons of other organizations, and how often
-- they meet one: numbers alone, whoever was asked for.
CREATE TABLE trust_reuse_tally (
    organization_id idv_id NOT NULL,
    application_id  idv_id NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('asked', 'met')),
    hour            bigint NOT NULL,
    count           integer NOT NULL CHECK (count > 0),
    PRIMARY KEY (organization_id, application_id, kind, hour)
) WITH (fillfactor = 50);
CREATE INDEX trust_reuse_tally_by_hour ON trust_reuse_tally (hour);
COMMENT ON TABLE trust_reuse_tally IS
    'How often applications asked for persons of others, and met one, by hour.';
COMMENT ON COLUMN trust_reuse_tally.hour IS 'Since 1970, UTC';
