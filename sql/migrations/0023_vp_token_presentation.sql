-- In which sessions each VP token was used lately.
CREATE TABLE vp_token_presentation (
    organization_id idv_id NOT NULL,
    credential_id   idv_id NOT NULL,
    presented_at    bigint NOT NULL,
    session_id      idv_id NOT NULL,
    PRIMARY KEY (organization_id, credential_id, presented_at, session_id)
);
CREATE INDEX vp_token_presentation_by_age
    ON vp_token_presentation USING brin (presented_at);
COMMENT ON TABLE vp_token_presentation IS
    'In which sessions the token of a credential was used, in the window.';
