-- What session $1 minted, whosever it is; at most $2.
SELECT
@credential_record
 WHERE c.organization_id IN (SELECT o.id FROM organization o)
   AND c.session_id = $1
 ORDER BY c.id DESC
 LIMIT $2::integer
