-- The certificates of versions, in the order of the versions and of each list.
@parameters
    organization_ids,  -- owners of the versions; empty: for all
    version_ids
SELECT c.trust_list_version_id, c.is_signer, c.doc_types, t.certificate
  FROM trust_list_certificate c
  JOIN trust_certificate t ON t.digest = c.digest
 WHERE c.organization_id = ANY (:organization_ids::text[])
   AND c.trust_list_version_id = ANY (:version_ids::text[])
 ORDER BY c.trust_list_version_id, c.position
