-- The case of a review: which failed checks an approval overruled, notes, and whom the
-- review is assigned to.
ALTER DOMAIN review_action DROP CONSTRAINT review_action_check;
ALTER DOMAIN review_action ADD CONSTRAINT review_action_check
    CHECK (VALUE IN ('held', 'flagged', 'escalated', 'approved', 'rejected',
                     'timed_out', 'cancelled', 'noted', 'assigned'));
ALTER TABLE review_entry
    ADD COLUMN overruled text[],
    ADD COLUMN assignee text;
COMMENT ON COLUMN review_entry.overruled IS
    'The failed checks that an approval overruled; NULL: the reviewer did not say';
COMMENT ON COLUMN review_entry.assignee IS
    'Whom the review is assigned to; NULL: nobody';
