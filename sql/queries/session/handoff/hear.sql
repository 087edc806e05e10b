-- Records a sign of life of a phone.
@parameters organization_id, session_id, phone, idle_at
UPDATE handoff
   SET idle_at = :idle_at::bigint
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND phone = :phone::integer AND idle_at < :idle_at::bigint
