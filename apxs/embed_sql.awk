# Turns sql/queries/<aggregate>/<name>.sql into the table that store/db.h
# describes: the statement <aggregate>_<name>, its text without comment lines.
# A line `@name` stands for the text of sql/fragments/name.sql, in which there
# may be such lines again.
# Called with -v mode=header or -v mode=source and the files in order.
function statement(path,   parts, n) {
  n = split(path, parts, "/")
  sub(/\.sql$/, "", parts[n])
  return parts[n - 1] "_" parts[n]
}
FNR == 1 {
  if (count) finish()
  count++
  name = statement(FILENAME)
  if (mode == "header") printf "    IDV_SQL_%s,\n", toupper(name)
  else printf "    {\"%s\",\n", name
}
mode == "source" { emit($0) }
function emit(line) {
  if (line ~ /^[ \t]*(--|$)/) return
  if (line ~ /^[ \t]*@[a-z_]+$/) {
    include(line)
    return
  }
  gsub(/\\/, "\\\\&", line)
  gsub(/"/, "\\\"", line)
  printf "     \"%s\\n\"\n", line
}
function include(line,   path, text, status) {
  sub(/^[ \t]*@/, "", line)
  path = "sql/fragments/" line ".sql"
  if (++depth > 4) fail(path " includes itself")
  while ((status = (getline text < path)) > 0) emit(text)
  if (status < 0) fail("there is no " path)
  close(path)
  depth--
}
function fail(why) {
  print FILENAME ": " why > "/dev/stderr"
  failed = 1
  exit 1
}
function finish() { if (mode == "source") print "    }," }
BEGIN {
  print "/* Generated from sql/queries; do not edit. */"
  if (mode == "header") {
    print "#ifndef IDV_GEN_SQL_STATEMENTS_H"
    print "#define IDV_GEN_SQL_STATEMENTS_H"
    print "typedef enum {"
  } else {
    print "#include \"store/db.h\""
    print "const idv_sql_text_t idv_sql_texts[IDV_SQL_COUNT + 1] = {"
  }
}
END {
  if (failed) exit 1
  if (count) finish()
  if (mode == "header") {
    print "    IDV_SQL_COUNT"
    print "} idv_sql_t;"
    print "#endif"
  } else {
    print "    {0, 0},"
    print "};"
  }
}
