-- Puts an entry behind the last one of its organization's chain. The head's row
-- is locked until the transaction ends, so the chain has no forks and no gaps.
@parameters organization_id, id, entry
WITH head AS (
    INSERT INTO operator_action_head AS h (organization_id, sequence, hash)
    VALUES (:organization_id, 1, sha256(convert_to(:entry::text, 'UTF8')))
    ON CONFLICT (organization_id) DO UPDATE
       SET sequence = h.sequence + 1,
           hash = sha256(h.hash || convert_to(:entry::text, 'UTF8'))
    RETURNING sequence, hash
)
INSERT INTO operator_action (organization_id, sequence, id, entry, hash)
SELECT :organization_id, sequence, :id, :entry::text, hash
  FROM head
