-- Whether the key and its organization are as expected.
   AND (SELECT
@key_as_expected
               AND
@organization_as_expected
          FROM api_key k
          JOIN organization o ON o.id = k.organization_id
         WHERE k.digest = :key_digest::bytea)
