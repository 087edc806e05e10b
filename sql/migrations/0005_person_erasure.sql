-- Erasure of persons.

-- What remains of an erased person: when, and how much was erased.
CREATE TABLE person_erasure (
    organization_id    idv_id NOT NULL,
    verified_person_id idv_id NOT NULL,
    erased             json NOT NULL,
    created_at         bigint NOT NULL,
    PRIMARY KEY (organization_id, verified_person_id)
);

CREATE INDEX vp_token_by_credential
    ON vp_token (organization_id, credential_id);
