-- Up to :limit values after a row, sealed by versions other than :version.
@parameters after_organization_id, after_session_id, version, limit
SELECT organization_id, session_id, wrapped_key
  FROM session_data_key
 WHERE (organization_id, session_id)
       > (:after_organization_id, :after_session_id)
   AND get_byte(wrapped_key, 0) <> :version::integer
 ORDER BY organization_id, session_id
 LIMIT :limit::integer
