-- A second review is known by an id of its own, which tells neither the first decision,
-- whose entry gave it its id before, nor when it was made.
ALTER TABLE second_review ADD COLUMN shown_id idv_id;
COMMENT ON COLUMN second_review.shown_id IS
    'By which operators know it, and nothing else has; its time is the day. NULL: as id';
COMMENT ON COLUMN second_review.id IS
    'The entry of the first decision (review_entry.id); told to nobody where there is '
    'a shown_id';
COMMENT ON COLUMN second_review.chosen_at IS
    'The day in UTC, as deadline_at; of those without a shown_id to the millisecond';

-- By which they are found, and in whose order they are listed: what waits, and what
-- was decided differently.
CREATE INDEX second_review_shown
    ON second_review (organization_id, shown_id);
CREATE INDEX second_review_waiting
    ON second_review (organization_id, (coalesce(shown_id, id)))
    WHERE decided_at IS NULL AND lapsed_at IS NULL;
CREATE INDEX second_review_disagreed
    ON second_review (organization_id, (coalesce(shown_id, id)))
    WHERE second_decision <> first_decision AND settled_at IS NULL;

-- Who has decided about a session before, also when nothing of it is open.
CREATE INDEX second_review_of_session
    ON second_review (organization_id, session_id);
