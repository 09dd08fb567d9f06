// The page of the analyst: each question with its plan, calls, table, chart and answer.
// docs/server.md describes the routes and events.
const $ = (id) => document.getElementById(id)
let id, stream // of the conversation
let messages = []
let queue = Promise.resolve() // events are shown one after the other

async function call(method, path, body) {
  const response = await fetch('/api/conversations' + path, {
    method, headers: {'Content-Type': 'application/json'}, body: body && JSON.stringify(body),
  })
  const data = response.status === 204 ? null : await response.json()
  if (!response.ok) throw new Error(data.error.message)
  return data
}

const status = (text) => { $('status').textContent = text }
const report = (promise) => promise.catch((err) => { status(err.message); setRunning(false) })

function setRunning(running) {
  $('stop').disabled = !running
  $('send').disabled = running
}

// element makes an element with text, which is never read as HTML.
function element(name, text, ...children) {
  const e = document.createElement(name)
  e.textContent = text
  e.append(...children)
  return e
}

// part returns the element below that title in the last answer. If the element is missing, part adds
// one with that tag name.
function part(title, name) {
  const article = $('answers').lastElementChild
  const found = [...article.children].find((e) => e.dataset.part === title)
  if (found) return found
  const e = document.createElement(name)
  e.dataset.part = title
  article.append(element('h3', title), e)
  return e
}

// table shows the figures of a result. Its caption is the first line of the text.
function table({details, result}) {
  const cell = (text, i, scope) => {
    const e = element(scope || i === 0 ? 'th' : 'td', text)
    if (e.tagName === 'TH') e.scope = scope ?? 'row'
    return e
  }
  return element('table', '', element('caption', result.split('\n')[0].replace(/:$/, '')),
    element('thead', '', element('tr', '', ...details.columns.map((c, i) => cell(c, i, 'col')))),
    element('tbody', '', ...details.rows.map((row) => element('tr', '', ...row.map((c, i) => cell(c, i))))))
}

// chart makes an image of the file f. seq is the number of the message, result the index of the
// result in the message, and file the index of the file in the result.
function chart(seq, result, file, f) {
  const image = document.createElement('img')
  image.src = `/api/conversations/${id}/files/${seq}/${result}/${file}`
  image.alt = `Chart ${f.name}; the table has its figures`
  return image
}

// addResult shows the result r. seq is the number of the message, and i the index of r in it.
function addResult(seq, r, i) {
  const item = $('answers').querySelector(`[data-request="${CSS.escape(r.requestId)}"]`)
  item?.append(element('span', r.status === 'success' ? ': success' : `: ${r.status}: ${r.result}`))
  if (r.details?.columns && r.method === 'table_aggregate') part('Table', 'div').append(table(r))
  r.files?.forEach((f, n) => part('Chart', 'div').append(chart(seq, i, n, f)))
}

// add shows a message: a question, a reply with calls, results, or the answer.
function add(m) {
  if (m.toolCall) return m.toolCall.forEach((r, i) => addResult(m.seq, r, i))
  if (m.role === 'user' && !m.fromEngine) return $('answers').append(element('article', '', element('h2', m.content)))
  if (m.role !== 'assistant') return
  if (!m.toolCallsRequested) {
    part('Answer', 'div').innerHTML = m.html // the server made it, and it can run nothing
    return
  }
  if (m.text.trim()) part('Plan', 'div').append(element('p', m.text))
  for (const r of m.toolCallsRequested) {
    const item = element('li', '', element('code', `${r.method ?? r.toolName} ${JSON.stringify(r.arguments)}`))
    item.dataset.request = r.requestId
    part('Calls', 'ol').append(item)
  }
}

// showMessages replaces the messages after the entry with the number in after by more.
function showMessages(after, more) {
  const kept = messages.filter((m) => m.seq <= after)
  if (kept.length < messages.length) {
    $('answers').replaceChildren()
    kept.forEach(add)
  }
  messages = [...kept, ...more]
  more.forEach(add)
}

const show = {
  messages: (e) => showMessages(e.after, e.messages),
  reset: () => load(),
  tool_started: (e) => status(`${e.name} runs`),
  failed: (e) => { status(e.error.message); setRunning(false) },
  run_done: (e) => {
    status(e.error ?? (e.stop === 'done' ? 'Done.' : `The answer is not complete: ${e.stop}.`))
    setRunning(false)
  },
}

// load shows the conversation as it is, and returns the ID of the event after which the stream
// continues.
async function load() {
  const c = await call('GET', '/' + id)
  showMessages(-1, c.messages)
  setRunning(c.running)
  return c.eventId
}

async function open(conversation) {
  id = conversation
  location.hash = id
  const after = await load()
  stream?.close()
  stream = new EventSource(`/api/conversations/${id}/events?after=${after}`) // it reconnects by itself
  stream.onmessage = (m) => {
    const e = JSON.parse(m.data)
    queue = queue.then(() => show[e.kind]?.(e)).catch((err) => status(err.message))
  }
}

$('stop').onclick = () => report(call('POST', `/${id}/stop`))
$('form').onsubmit = (e) => {
  e.preventDefault()
  setRunning(true)
  status('The model plans.')
  report(call('POST', `/${id}/messages`, {text: $('text').value}).then(() => { $('text').value = '' }))
}
report(location.hash ? open(encodeURIComponent(location.hash.slice(1))) : call('POST', '', {}).then((c) => open(c.id)))
