-- What is kept about persons now, and for how many days already: as sessions.sql.
@parameters organization_id, now
SELECT 'kept' AS section, 'sessions' AS figure, count(*) AS n,
       NULL::bigint AS total
  FROM verification_session
 WHERE organization_id = :organization_id
 UNION ALL
SELECT 'kept', 'sessions_with_evidence', count(*),
       (SELECT count(*)
          FROM verification_session
         WHERE organization_id = :organization_id)
  FROM session_data_key
 WHERE organization_id = :organization_id
 UNION ALL
SELECT 'kept', 'days_of_oldest_session',
       coalesce((:now::bigint - min(created_at)) / 86400000, 0), NULL
  FROM verification_session
 WHERE organization_id = :organization_id
 UNION ALL
SELECT 'kept', 'days_of_oldest_evidence',
       coalesce((:now::bigint - min(s.created_at)) / 86400000, 0), NULL
  FROM session_data_key k
  JOIN verification_session s
    ON s.organization_id = :organization_id AND s.id = k.session_id
 WHERE k.organization_id = :organization_id
 UNION ALL
SELECT 'kept', 'persons', count(*), NULL
  FROM verified_person
 WHERE organization_id = :organization_id
 UNION ALL
SELECT 'kept', 'credentials_valid',
       count(*) FILTER (WHERE revoked_at IS NULL
                          AND expires_at > :now::bigint), count(*)
  FROM credential
 WHERE organization_id = :organization_id
 UNION ALL
SELECT 'kept', 'passkeys', count(*), NULL
  FROM passkey
 WHERE organization_id = :organization_id
