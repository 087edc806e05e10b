-- The answers of a page of the default length, 10, and one more row. With the
-- number known, the plan for any cursor is as good as one for each, and
-- PostgreSQL keeps it: planning takes longer than reading the page.
SELECT
@session_answer
@session_page
 LIMIT 11
