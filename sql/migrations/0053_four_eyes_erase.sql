-- Nobody erases a person alone, where an organization wants that.
ALTER TABLE organization
    ADD COLUMN four_eyes_erase boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN organization.four_eyes_erase IS
    'Whether a person is erased only after somebody else has asked for it';

CREATE TABLE erasure_request (
    organization_id    idv_id NOT NULL,
    verified_person_id idv_id NOT NULL,
    requested_by       text NOT NULL,
    created_at         bigint NOT NULL,
    PRIMARY KEY (organization_id, verified_person_id)
);
COMMENT ON TABLE erasure_request IS
    'Erasures that one operator has asked for and another has not confirmed; one '
    'whose time is over is replaced by the next.';
COMMENT ON COLUMN erasure_request.requested_by IS
    'The login of the operator';
