-- The requests of one benchmark, for wrk. BENCH_KIND says which, BENCH_KEY is
-- the API key, BENCH_WORKFLOW the workflow of new sessions, BENCH_ROWS how many
-- seeded sessions there are, BENCH_FIRST the oldest of them that is asked for.
-- Ends with one line of JSON about the whole run.
local kind = os.getenv("BENCH_KIND")
local rows = tonumber(os.getenv("BENCH_ROWS"))
local first = tonumber(os.getenv("BENCH_FIRST") or "1")
local run = os.getenv("BENCH_RUN")
local headers = {
  ["Authorization"] = "Bearer " .. os.getenv("BENCH_KEY"),
  ["Content-Type"] = "application/json",
}
local body = string.format(
  '{"workflow_id":"%s","type":"age","client_reference_id":"bench",' ..
  '"jurisdiction":"US-MD","metadata":{"order":"1000"}}',
  os.getenv("BENCH_WORKFLOW"))

-- As Bench::Service numbers what it seeds.
local function seeded_id(least)
  return string.format("vks_00%024d", math.random(least or first, rows))
end

local kinds = {
  static = function() return wrk.format("GET", "/session.json", headers) end,
  select = function()
    return wrk.format("GET", string.format(
      "/floor/select_row/00000000-0000-0000-0000-%012d",
      math.random(1, rows)), headers)
  end,
  insert = function()
    return wrk.format("POST", "/floor/insert_row", headers, body)
  end,
  row = function() return wrk.format("GET", "/floor/row/" .. seeded_id()) end,
  -- There are none before the oldest.
  page = function()
    return wrk.format("GET", "/floor/page/" .. seeded_id(math.max(first, 2)))
  end,
  retrieve = function()
    return wrk.format("GET", "/v1/verification_sessions/" .. seeded_id(),
                      headers)
  end,
  list = function()
    return wrk.format("GET", "/v1/verification_sessions?limit=10&starting_after="
                      .. seeded_id(), headers)
  end,
  create = function()
    return wrk.format("POST", "/v1/verification_sessions", headers, body)
  end,
}
-- Bodies are read as they are; each score is of somebody else.
local function post(path, ...)
  return wrk.format("POST", path, headers, string.format(...))
end
kinds.lookup = function()
  return post("/v1/verified_person/lookup",
              '{"email":"bench-%d@example.com"}', math.random(1, 50))
end
kinds.risk = function()
  local n = math.random(1, rows)
  return post("/v1/risk/score",
              '{"email":"risk-%d@example.com","ip":"198.51.100.%d",' ..
              '"device_id":"device-%d"}', n, n % 250, n)
end
kinds.compliance = function()
  return wrk.format("GET", "/v1/compliance/check?use_cases=alcohol_delivery" ..
                    "&jurisdiction=US-MD", headers)
end
kinds.deliveries = function()
  return wrk.format("GET", "/v1/webhook_endpoints/" ..
                    os.getenv("BENCH_ENDPOINT") ..
                    "/deliveries?limit=10&starting_after=" ..
                    seeded_id():gsub("vks", "whd"), headers)
end
local count = 0
kinds.create_idempotent = function()
  count = count + 1
  headers["Idempotency-Key"] = "bench-" .. run .. "-" .. count
  return kinds.create()
end

function init()
  math.randomseed(os.time())
end

request = kinds[kind]

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nBENCH {"requests":%d,"microseconds":%d,"p50":%g,"p99":%g,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, errors.status + errors.connect
    + errors.read + errors.write + errors.timeout))
end
