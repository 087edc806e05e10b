-- A session's parameters, $1 to $42, in the order of its columns.
       $1::text, $2::text, $3::text, $4::text, $5::text, $6::boolean,
       $7::integer, $8::text, $9::text, $10::text[], $11::text, $12::text,
       $13::text, $14::text, $15::json, $16::text, $17::bigint, $18::bigint,
       $19::bigint, $20::bigint, $21::bigint, $22::text, $23::text,
       $24::bigint, $25::text, $26::text, $27::text, $28::text, $29::text,
       $30::boolean, $31::json, $32::bigint, $33::bigint, $34::json,
       $35::json, $36::json, $37::json, $38::bytea, $39::bytea, $40::bytea,
       $41::text, $42::text
