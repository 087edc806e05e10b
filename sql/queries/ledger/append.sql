-- The entry $2 behind the last one, the counter of its kind $3 and month $7
-- (NULL: none), and the balance $6 after it. The organization is held.
WITH account AS (
    UPDATE organization
       SET credit_balance = $6::bigint,
           updated_at = CASE WHEN $3::text = 'credits'
                             THEN $10::bigint ELSE updated_at END
     WHERE id = $1::text AND $5::bigint <> 0
), change AS (
    SELECT ($3::text = 'free')::integer * $4::integer AS free,
           ($3::text = 'charged')::integer * $4::integer AS charged,
           ($3::text = 'sandbox')::integer * $4::integer AS sandbox
), used AS (
    INSERT INTO monthly_usage AS u
           (organization_id, month, free, charged, sandbox)
    SELECT $1::text, $7::integer, greatest(free, 0), greatest(charged, 0),
           greatest(sandbox, 0)
      FROM change
     WHERE $7::integer IS NOT NULL
    ON CONFLICT (organization_id, month) DO UPDATE
       SET free = u.free + (SELECT free FROM change),
           charged = u.charged + (SELECT charged FROM change),
           sandbox = u.sandbox + (SELECT sandbox FROM change)
)
INSERT INTO ledger_entry (organization_id, position, id, kind, verifications,
                          month, amount, balance, note, session_id, created_at)
SELECT $1::text, 1 + coalesce((SELECT max(position)
                                 FROM ledger_entry
                                WHERE organization_id = $1::text), 0),
       $2::text, $3::text, $4::integer, $7::integer, $5::bigint, $6::bigint,
       $8::text, $9::text, $10::bigint
