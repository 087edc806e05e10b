-- A session and the text of its answer ($43), in the version $44 of its form.
    INSERT INTO verification_session (
@session_columns
       , answer, answer_version, answer_xid
    )
    SELECT
@session_values
       , $43::text, $44::smallint, pg_current_xact_id()::xid
