-- One page of the actions on an object, newest first.
@reversed list_of_subject_newer
@parameters
    organization_id,
    subject,
    lower, upper,  -- lower <= id < upper
    limit
SELECT sequence, id, entry, encode(hash, 'hex')
  FROM operator_action
 WHERE organization_id = :organization_id
   AND entry::json ->> 'subject' = :subject
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
