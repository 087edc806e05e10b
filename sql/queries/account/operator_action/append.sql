-- Appends an entry to its organization's chain. The row of the head is locked
-- until the transaction ends, so the chain has no forks and no gaps. No row if
-- there are entries without a head: the head was removed.
@parameters organization_id, id, entry
WITH head AS (
    INSERT INTO operator_action_head AS h (organization_id, sequence, hash)
    SELECT :organization_id::text, 1, sha256(convert_to(:entry::text, 'UTF8'))
     WHERE EXISTS (SELECT
                     FROM operator_action_head
                    WHERE organization_id = :organization_id::text)
        OR NOT EXISTS (SELECT
                         FROM operator_action
                        WHERE organization_id = :organization_id::text)
    ON CONFLICT (organization_id) DO UPDATE
       SET sequence = h.sequence + 1,
           hash = sha256(h.hash || convert_to(:entry::text, 'UTF8'))
    RETURNING sequence, hash
)
INSERT INTO operator_action (organization_id, sequence, id, entry, hash)
SELECT :organization_id::text, sequence, :id::text, :entry::text, hash
  FROM head
