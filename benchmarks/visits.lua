-- Respondents for wrk: each loads the page and sends a submission, like a browser.
-- Arguments: path, digest, bytes of reports, [file of one-time links' tokens].
-- It prints one line of JSON.

local page, address, head, reports, tokens = nil, nil, nil, nil, nil
local is_page, sent = false, 0

local browser = {
  ["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  ["Accept-Language"] = "en-US,en;q=0.5",
  ["Accept-Encoding"] = "gzip, deflate, br, zstd",
  ["Connection"] = "keep-alive",
}

function with(more)
  local headers = {}
  for name, value in pairs(browser) do headers[name] = value end
  for name, value in pairs(more) do headers[name] = value end
  return headers
end

function init(arguments)
  local seed = io.open("/dev/urandom", "rb")
  local a, b, c = seed:read(3):byte(1, 3)
  seed:close()
  math.randomseed(a * 65536 + b * 256 + c)
  local path, digest = arguments[1], arguments[2]
  page = wrk.format("GET", path, with({
    ["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    ["Sec-Fetch-Dest"] = "document", ["Sec-Fetch-Mode"] = "navigate",
    ["Sec-Fetch-Site"] = "none", ["Upgrade-Insecure-Requests"] = "1",
  }))
  address = path .. "reports/"
  head = '{"design":"' .. digest .. '","submission":"'
  reports = tonumber(arguments[3])
  if arguments[4] then
    tokens = {}
    for token in io.lines(arguments[4]) do tokens[#tokens + 1] = token end
  end
  posted = with({
    ["Accept"] = "*/*", ["Content-Type"] = "application/json",
    ["Origin"] = "http://" .. wrk.headers["Host"],
    ["Sec-Fetch-Dest"] = "empty", ["Sec-Fetch-Mode"] = "cors",
    ["Sec-Fetch-Site"] = "same-origin",
  })
end

function request()
  is_page = not is_page
  if is_page then return page end
  sent = sent + 1
  local parts = { head }
  for _ = 1, 8 do parts[#parts + 1] = string.format("%04x", math.random(0, 65535)) end
  parts[#parts + 1] = '","reports":"'
  for _ = 1, reports do parts[#parts + 1] = "0" .. math.random(0, 1) end
  if tokens then
    parts[#parts + 1] = '","invitation":"' .. (tokens[sent] or error("no token is left"))
  end
  parts[#parts + 1] = '"}'
  return wrk.format("POST", address, posted, table.concat(parts))
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "refused": %d, "broken": %d, "seconds": %f, "p50": %f, "p99": %f}\n',
    summary.requests, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
