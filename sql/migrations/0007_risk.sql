-- Risk assessments, and when which identifier was assessed. Identifiers are
-- HMACs under a key of the server; body holds none.
CREATE TABLE risk_assessment (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    application_id  idv_id,
    session_id      idv_id,
    body            json NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);

CREATE TABLE risk_observation (
    organization_id idv_id NOT NULL,
    kind            text NOT NULL
        CHECK (kind IN ('ip', 'email', 'phone', 'device')),
    digest          bytea NOT NULL,
    created_at      bigint NOT NULL,
    assessment_id   idv_id NOT NULL,
    person_digest   bytea, -- who came with it: the e-mail's, else the phone's
    PRIMARY KEY (organization_id, kind, digest, created_at, assessment_id)
);
CREATE INDEX risk_observation_by_age
    ON risk_observation USING brin (created_at);
