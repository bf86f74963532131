-- Respondents of django-survey-and-report for wrk: each loads the page and sends the
-- form. All share one cookie and token, which Django accepts. The next page, which a
-- browser would also load, is omitted.
-- Arguments: path, cookie, token, questions. It prints one line of JSON.

-- Shared with Candor: the headers of browsers, and the line at the end.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "../visits.lua")

local page, posted, path, token, questions = nil, nil, nil, nil, nil
local is_page = false

function init(arguments)
  local cookie
  path, cookie, token, questions = unpack(arguments)
  math.randomseed(os.time())
  local headers = with({
    ["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    ["Cookie"] = "csrftoken=" .. cookie,
    ["Sec-Fetch-Dest"] = "document", ["Sec-Fetch-Mode"] = "navigate",
    ["Upgrade-Insecure-Requests"] = "1",
  })
  page = wrk.format("GET", path, headers)
  headers["Content-Type"] = "application/x-www-form-urlencoded"
  headers["Origin"] = "http://" .. wrk.headers["Host"]
  posted = headers
end

function request()
  is_page = not is_page
  if is_page then return page end
  local parts = { "csrfmiddlewaretoken=" .. token }
  for number = 1, tonumber(questions) do
    parts[#parts + 1] = "question_" .. number .. "=" .. (math.random(2) == 1 and "yes" or "no")
  end
  return wrk.format("POST", path, posted, table.concat(parts, "&"))
end
