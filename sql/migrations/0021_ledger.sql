-- The ledger holds every verification that is counted, free and sandbox ones
-- too, and the reviews of a session leave a record.

-- The months count by what a verification took, and never below nothing.
ALTER TABLE monthly_usage
    ADD COLUMN free integer NOT NULL DEFAULT 0 CHECK (free >= 0),
    ADD COLUMN sandbox integer NOT NULL DEFAULT 0 CHECK (sandbox >= 0),
    ADD CHECK (charged >= 0);
UPDATE monthly_usage u
   SET free = CASE WHEN o.sandbox THEN 0
                   ELSE greatest(u.verifications - u.charged, 0) END,
       sandbox = CASE WHEN o.sandbox
                      THEN greatest(u.verifications - u.charged, 0)
                      ELSE 0 END
  FROM organization o
 WHERE o.id = u.organization_id;
ALTER TABLE monthly_usage DROP COLUMN verifications;
COMMENT ON TABLE monthly_usage IS
    'Verifications of a calendar month by what they took: the sums of the '
    'entries in ledger_entry, written with these.';
COMMENT ON COLUMN monthly_usage.free IS 'In the free allotment';
COMMENT ON COLUMN monthly_usage.charged IS 'For a credit each';
COMMENT ON COLUMN monthly_usage.sandbox IS 'In a sandbox';

CREATE DOMAIN ledger_kind AS text
    CHECK (VALUE IN ('credits', 'free', 'charged', 'sandbox'));

ALTER TABLE ledger_entry
    ADD COLUMN position bigint,
    ADD COLUMN kind ledger_kind,
    ADD COLUMN verifications integer NOT NULL DEFAULT 0,
    ADD COLUMN month integer;

-- What has been there is about credits alone: in which months its
-- verifications were counted say the entries that follow it.
UPDATE ledger_entry e
   SET kind = CASE WHEN e.session_id IS NULL THEN 'credits'
                   ELSE 'charged' END::ledger_kind,
       position = n.position
  FROM (SELECT organization_id, id,
               row_number() OVER (PARTITION BY organization_id ORDER BY id)
                   AS position
          FROM ledger_entry) n
 WHERE n.organization_id = e.organization_id AND n.id = e.id;

-- The months' counters as entries, so that they add up from here on. The ids
-- are of now and, in place of their random part, of what they are about.
INSERT INTO ledger_entry (organization_id, position, id, kind, verifications,
                          month, amount, balance, note, created_at)
SELECT c.organization_id,
       coalesce((SELECT max(e.position)
                   FROM ledger_entry e
                  WHERE e.organization_id = c.organization_id), 0)
       + row_number() OVER (PARTITION BY c.organization_id
                                ORDER BY c.month, c.kind),
       'led_'
       || (SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
                                    ((c.now >> (5 * i)) & 31)::integer + 1, 1),
                             '' ORDER BY i DESC)
             FROM generate_series(0, 9) i)
       || (SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
                                    (get_byte(c.digest, i) & 31) + 1, 1),
                             '' ORDER BY i)
             FROM generate_series(0, 15) i),
       c.kind, c.verifications, c.month, 0, c.balance,
       'verifications counted before each had an entry', c.now
  FROM (SELECT u.organization_id, u.month, k.kind, k.verifications,
               o.credit_balance AS balance,
               (extract(epoch FROM now()) * 1000)::bigint AS now,
               decode(md5(u.organization_id || u.month || k.kind), 'hex')
                   AS digest
          FROM monthly_usage u
          JOIN organization o ON o.id = u.organization_id
         CROSS JOIN LATERAL (VALUES ('free', u.free), ('charged', u.charged),
                                    ('sandbox', u.sandbox))
               AS k (kind, verifications)
         WHERE k.verifications > 0) c;

ALTER TABLE ledger_entry
    ALTER COLUMN position SET NOT NULL,
    ALTER COLUMN kind SET NOT NULL,
    ADD CHECK ((month IS NULL) OR (kind <> 'credits')),
    ADD UNIQUE (organization_id, position);
-- A session is counted once, and undone once.
CREATE UNIQUE INDEX ledger_entry_by_session
    ON ledger_entry (organization_id, session_id, verifications)
    WHERE session_id IS NOT NULL AND verifications <> 0;
COMMENT ON TABLE ledger_entry IS
    'Credits bought and spent, and every verification that was counted or '
    'undone.';
COMMENT ON COLUMN ledger_entry.position IS
    'From 1 on, in the order in which they were written';
COMMENT ON COLUMN ledger_entry.verifications IS
    '1 counted, -1 undone; more in an entry for what was counted before';
COMMENT ON COLUMN ledger_entry.month IS
    'In which they count, as in monthly_usage; NULL: none';
COMMENT ON COLUMN ledger_entry.amount IS 'Of credits';
COMMENT ON COLUMN ledger_entry.balance IS 'Of credits, after it';

-- What was done about a session's reviews, by whom and why; nothing of it is
-- changed later.
CREATE DOMAIN review_action AS text
    CHECK (VALUE IN ('held', 'flagged', 'escalated', 'approved', 'rejected',
                     'timed_out', 'cancelled'));
CREATE TABLE review_entry (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    number          integer NOT NULL CHECK (number > 0),
    id              idv_id NOT NULL,
    action          review_action NOT NULL,
    actor           text,
    note            text,
    deadline_at     bigint CHECK ((deadline_at IS NOT NULL)
                                  = (action IN ('held', 'flagged'))),
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, session_id, number)
);
CREATE INDEX review_entry_ended
    ON review_entry (organization_id, id)
    WHERE action IN ('approved', 'rejected', 'timed_out', 'cancelled');
COMMENT ON TABLE review_entry IS
    'What opened, moved and ended the reviews of sessions, by whom and why.';
COMMENT ON COLUMN review_entry.actor IS
    'A reviewer, the API key of a flag or cancel, system_timeout; NULL: the '
    'workflow';
COMMENT ON COLUMN review_entry.deadline_at IS 'Of what is opened';

-- The reviews that are open now. A session has one id more than it needs.
INSERT INTO review_entry (organization_id, session_id, number, id, action, note,
                          deadline_at, created_at)
SELECT organization_id, id, 1, 'rve_' || substr(id, 5),
       CASE WHEN (runner ->> 'review_flagged')::boolean
            THEN 'flagged' ELSE 'held' END,
       runner ->> 'review_reason', review_deadline_at, review_opened_at
  FROM verification_session
 WHERE status = 'under_review';

-- A flag makes no client secret good again: its hour is that of the outcome.
UPDATE verification_session
   SET runner = (runner::jsonb
                 || jsonb_build_object('ended_at', completed_at))::json
 WHERE status = 'under_review'
   AND (runner ->> 'review_flagged')::boolean
   AND completed_at IS NOT NULL;
