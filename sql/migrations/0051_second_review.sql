-- A sample of decided reviews is decided a second time by somebody who does not
-- know the first decision, so that it is known how far reviewers agree.
ALTER TABLE organization
    ADD COLUMN second_review_percent integer NOT NULL DEFAULT 0
        CHECK (second_review_percent BETWEEN 0 AND 100);
COMMENT ON COLUMN organization.second_review_percent IS
    'How many of a hundred decided reviews are decided a second time';

CREATE TABLE second_review (
    organization_id  idv_id NOT NULL,
    id               idv_id NOT NULL,
    session_id       idv_id NOT NULL,
    first_reviewer   text NOT NULL,
    first_decision   text NOT NULL
        CHECK (first_decision IN ('approve', 'reject')),
    first_reason     text,
    chosen_at        bigint NOT NULL,
    deadline_at      bigint NOT NULL,
    second_reviewer  text,
    second_decision  text CHECK (second_decision IN ('approve', 'reject')),
    second_reason    text,
    decided_at       bigint,
    lapsed_at        bigint,
    settled_by       text,
    settled_decision text CHECK (settled_decision IN ('approve', 'reject')),
    settled_at       bigint,
    PRIMARY KEY (organization_id, id),
    CHECK ((second_decision IS NULL) = (decided_at IS NULL)),
    CHECK ((settled_decision IS NULL) = (settled_at IS NULL)),
    CHECK (decided_at IS NULL OR lapsed_at IS NULL)
);
COMMENT ON TABLE second_review IS
    'Decided reviews that a second reviewer decides blindly; none of it changes '
    'a session';
COMMENT ON COLUMN second_review.id IS
    'The entry of the first decision (review_entry.id)';
COMMENT ON COLUMN second_review.deadline_at IS
    'Until when the evidence is kept for it';
COMMENT ON COLUMN second_review.lapsed_at IS
    'Since when nobody can decide it any more: the evidence is gone';
COMMENT ON COLUMN second_review.settled_decision IS
    'Which of two decisions that differ a third person takes for the right one';

-- Those that are open: of a session, and by what is due.
CREATE INDEX second_review_open
    ON second_review (organization_id, session_id)
    WHERE decided_at IS NULL AND lapsed_at IS NULL;
CREATE INDEX second_review_due
    ON second_review (deadline_at)
    WHERE decided_at IS NULL AND lapsed_at IS NULL;
