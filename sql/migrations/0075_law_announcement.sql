-- What operators were told about the law of their workflows, so that nobody is told
-- twice.
CREATE TABLE law_announcement (
    organization_id idv_id NOT NULL,
    workflow_id     idv_id NOT NULL,
    notice          text NOT NULL CHECK (notice IN ('change', 'review')),
    use_case        text NOT NULL,
    jurisdiction    text NOT NULL,
    day             text NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, workflow_id, notice, use_case, jurisdiction, day)
);
COMMENT ON TABLE law_announcement IS
    'Notices about the law of a workflow that were announced as events';
COMMENT ON COLUMN law_announcement.day IS
    'YYYY-MM-DD, on which the law changes or a review was due';
