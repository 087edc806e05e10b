# Turns sql/queries/<aggregate>/<name>.sql into the table that store/sql.h
# describes: the statement <aggregate>_<name>, its text without comment lines.
# A line `@name` stands for the text of sql/fragments/name.sql.
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
mode == "source" && /^[ \t]*@[a-z_]+$/ {
  fragment = $1
  sub(/^@/, "", fragment)
  fragment = "sql/fragments/" fragment ".sql"
  while ((status = (getline text < fragment)) > 0) emit(text)
  if (status < 0) {
    print FILENAME ": no " fragment > "/dev/stderr"
    exit 1
  }
  close(fragment)
  next
}
mode == "source" { emit($0) }
function emit(line) {
  if (line ~ /^[ \t]*(--|$)/) return
  gsub(/\\/, "\\\\", line)
  gsub(/"/, "\\\"", line)
  printf "     \"%s\\n\"\n", line
}
function finish() { if (mode == "source") print "    }," }
BEGIN {
  print "/* Generated from sql/queries; do not edit. */"
  if (mode == "header") {
    print "#ifndef IDV_GEN_SQL_STATEMENTS_H"
    print "#define IDV_GEN_SQL_STATEMENTS_H"
    print "typedef enum {"
  } else {
    print "#include \"store/sql.h\""
    print "const idv_sql_text_t idv_sql_texts[IDV_SQL_COUNT + 1] = {"
  }
}
END {
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
