-- Who alone is against a session that was verified does not reject it.
ALTER TABLE organization
    ADD COLUMN four_eyes_reject boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN organization.four_eyes_reject IS
    'Whether a verified session is rejected only after somebody else has flagged '
    'or escalated it';
