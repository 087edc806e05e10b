-- Records a use with the counter of the authenticator, which must have
-- increased, unless the authenticator has none. If it has not, the passkey was
-- copied, and since nobody knows which copy is the person's, it is refused from
-- now on. Returns whether the use is accepted; no row if the passkey was refused
-- before. Concurrent uses wait for each other.
@parameters organization_id, digest, sign_count, now
WITH held AS (
    SELECT digest,
           :sign_count::bigint > sign_count
           OR (:sign_count::bigint = 0 AND sign_count = 0) AS is_sound
      FROM passkey
     WHERE organization_id = :organization_id AND digest = :digest::bytea
       AND cloned_at IS NULL
       FOR UPDATE
)
UPDATE passkey p
   SET sign_count = CASE WHEN held.is_sound
                         THEN :sign_count::bigint ELSE p.sign_count END,
       last_used_at = CASE WHEN held.is_sound
                           THEN :now::bigint ELSE p.last_used_at END,
       cloned_at = CASE WHEN held.is_sound THEN NULL ELSE :now::bigint END
  FROM held
 WHERE p.organization_id = :organization_id AND p.digest = held.digest
RETURNING held.is_sound
