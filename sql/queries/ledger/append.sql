-- An entry behind the last one, with the counter of its kind and month and the
-- balance after it, all as domain/billing.h decided. The organization is held.
@parameters
    organization_id, id, kind,
    verifications,  -- that the entry counts, below 0 when it undoes some
    amount,         -- of credits
    balance,        -- of credits, after the entry
    month,          -- of the verifications; NULL: none
    note,
    session_id,
    created_at
WITH account AS (
    UPDATE organization
       SET credit_balance = :balance::bigint,
           updated_at = CASE WHEN :kind::text = 'credits'
                             THEN :created_at::bigint ELSE updated_at END
     WHERE id = :organization_id::text AND :amount::bigint <> 0
), change AS (
    SELECT (:kind::text = 'free')::integer * :verifications::integer
               AS free,
           (:kind::text = 'charged')::integer * :verifications::integer
               AS charged,
           (:kind::text = 'sandbox')::integer * :verifications::integer
               AS sandbox
), used AS (
    INSERT INTO monthly_usage AS u
           (organization_id, month, free, charged, sandbox)
    SELECT :organization_id::text, :month::integer, greatest(free, 0),
           greatest(charged, 0),
           greatest(sandbox, 0)
      FROM change
     WHERE :month::integer IS NOT NULL
    ON CONFLICT (organization_id, month) DO UPDATE
       SET free = u.free + (SELECT free FROM change),
           charged = u.charged + (SELECT charged FROM change),
           sandbox = u.sandbox + (SELECT sandbox FROM change)
)
INSERT INTO ledger_entry (organization_id, position, id, kind, verifications,
                          month, amount, balance, note, session_id, created_at)
SELECT :organization_id::text,
       1 + coalesce((SELECT max(position)
                       FROM ledger_entry
                      WHERE organization_id = :organization_id::text), 0),
       :id::text, :kind::text, :verifications::integer, :month::integer,
       :amount::bigint, :balance::bigint, :note::text, :session_id::text,
       :created_at::bigint
