-- One observation an assessment, with all of its identifiers, instead of one
-- for each identifier: a score writes half as many rows and index entries.
--
-- How often an identifier came is asked of the last hours, so the hour stands
-- before the digest: what is written and read then lies together, however much
-- older there is. Only a device is looked up for longer.
ALTER TABLE risk_observation RENAME TO risk_observation_of_identifier;
ALTER TABLE risk_observation_of_identifier
    RENAME CONSTRAINT risk_observation_pkey TO risk_observation_of_identifier_pkey;
DROP INDEX risk_observation_by_age, risk_observation_by_assessment;

CREATE TABLE risk_observation (
    organization_id idv_id NOT NULL,
    assessment_id   idv_id NOT NULL,
    created_at      bigint NOT NULL,
    hour            bigint NOT NULL GENERATED ALWAYS AS (created_at / 3600000) STORED,
    ip_digest       bytea,
    email_digest    bytea,
    phone_digest    bytea,
    device_digest   bytea,
    person_digest   bytea, -- who came with it: the e-mail's, else the phone's
    PRIMARY KEY (organization_id, assessment_id)
);
INSERT INTO risk_observation (organization_id, assessment_id, created_at,
                              ip_digest, email_digest, phone_digest,
                              device_digest, person_digest)
SELECT organization_id, assessment_id, min(created_at),
       (array_agg(digest) FILTER (WHERE kind = 'ip'))[1],
       (array_agg(digest) FILTER (WHERE kind = 'email'))[1],
       (array_agg(digest) FILTER (WHERE kind = 'phone'))[1],
       (array_agg(digest) FILTER (WHERE kind = 'device'))[1],
       (array_agg(person_digest))[1]
  FROM risk_observation_of_identifier
 GROUP BY organization_id, assessment_id
 ORDER BY organization_id, assessment_id;
DROP TABLE risk_observation_of_identifier;

CREATE INDEX risk_observation_by_ip
    ON risk_observation (organization_id, hour, ip_digest)
    WHERE ip_digest IS NOT NULL;
CREATE INDEX risk_observation_by_email
    ON risk_observation (organization_id, hour, email_digest)
    WHERE email_digest IS NOT NULL;
CREATE INDEX risk_observation_by_phone
    ON risk_observation (organization_id, hour, phone_digest)
    WHERE phone_digest IS NOT NULL;
CREATE INDEX risk_observation_by_device
    ON risk_observation (organization_id, device_digest, created_at)
    WHERE device_digest IS NOT NULL;
CREATE INDEX risk_observation_by_age
    ON risk_observation USING brin (created_at);

-- Assessments are written and shown as they are.
ALTER TABLE risk_assessment ALTER body TYPE text USING body::text;
