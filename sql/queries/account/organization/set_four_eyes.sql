@parameters
    id,
    publish, reject, erase,  -- NULL: unchanged
    updated_at
UPDATE organization
   SET four_eyes_publish = coalesce(:publish::boolean, four_eyes_publish),
       four_eyes_reject = coalesce(:reject::boolean, four_eyes_reject),
       four_eyes_erase = coalesce(:erase::boolean, four_eyes_erase),
       updated_at = :updated_at::bigint
 WHERE id = :id
RETURNING four_eyes_publish, four_eyes_reject, four_eyes_erase
