-- The credential $2 of application $3, under the digests of its person.
INSERT INTO shared_credential (digest, organization_id, credential_id,
                               application_id, created_at)
SELECT d.digest, $1::text, $2::text, $3::text, $6::bigint
  FROM (SELECT $4::bytea AS digest UNION SELECT $5::bytea) d
 WHERE d.digest IS NOT NULL
