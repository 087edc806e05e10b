-- Up to :limit values after a row, sealed by versions other than :version.
@parameters after_organization_id, after_session_id, after_id, version, limit
SELECT organization_id, session_id, id, wrapped_key
  FROM outgoing_mail
 WHERE (organization_id, session_id, id)
       > (:after_organization_id, :after_session_id, :after_id)
   AND get_byte(wrapped_key, 0) <> :version::integer
 ORDER BY organization_id, session_id, id
 LIMIT :limit::integer
