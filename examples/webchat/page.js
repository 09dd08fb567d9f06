// The page of a conversation: its messages, the reply that is being written, and the waiting calls.
// docs/server.md describes the routes and events.
const $ = (id) => document.getElementById(id)
let id, stream // of the conversation
let queue = Promise.resolve() // events are shown one after the other

async function call(method, path, body) {
  const response = await fetch('/api/conversations' + path, {
    method, headers: {'Content-Type': 'application/json'}, body: body && JSON.stringify(body),
  })
  const data = response.status === 204 ? null : await response.json()
  if (!response.ok) throw new Error(data.error.message)
  return data
}

function report(promise) {
  promise.catch((err) => { $('status').textContent = err.message })
}

function setRunning(running, canContinue) {
  $('stop').disabled = !running
  $('send').disabled = running
  $('continue').disabled = !canContinue
}

// element makes an element with text, which is never read as HTML.
function element(name, text, className) {
  const e = document.createElement(name)
  e.textContent = text
  e.className = className ?? ''
  return e
}

// addMessage shows a message. Its HTML was made by the server and can run nothing.
function addMessage(message) {
  const e = element('div', '')
  e.dataset.seq = message.seq
  e.innerHTML = message.html
  ;(message.toolCall ?? []).forEach((result, r) => (result.files ?? []).forEach((file, f) => {
    const link = element('a', `Save ${file.name}`)
    link.href = `/api/conversations/${id}/files/${message.seq}/${r}/${f}`
    e.append(link, ' ')
  }))
  $('log').append(e)
}

function removeAfter(seq) {
  while ($('log').lastChild && Number($('log').lastChild.dataset.seq) > seq) $('log').lastChild.remove()
}

const clearDraft = () => $('draft').replaceChildren()

// part returns the element of the draft with that key. If it is missing, part adds it, with that tag
// name and title. Text after another element is a new element.
function part(key, name, title) {
  const found = key === 'text' ? $('draft').lastChild : $('draft').querySelector(`[data-key="${CSS.escape(key)}"]`)
  if (found?.dataset.key === key) return found
  const e = element(name, title ?? '')
  e.dataset.key = key
  $('draft').append(e)
  return e
}

// visible returns a text with escapes in place of characters that show nothing or change the order of
// reading. Otherwise a person could approve a call that differs from what the page shows.
const visible = (text) => text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu,
  (c) => `\\u{${c.codePointAt(0).toString(16)}}`)

// ask shows a call that needs approval. The decision is for the call with this id and digest only.
function ask(pending) {
  const card = element('div', '', 'vcp-card')
  card.dataset.request = pending.requestId
  card.setAttribute('role', 'group')
  const add = (name, text) => card.append(element(name, visible(text)))
  if (pending.change) add('p', `This method changed: ${pending.change}`)
  add('p', `Run ${pending.method}?`)
  add('pre', JSON.stringify(pending.arguments, null, 2))
  const from = pending.provenance?.copiedFrom
  if (from) add('p', `This request occurs in text that is not yours: ${from.name || from.origin}`)
  if (pending.preview) {
    add('p', 'What it would do:')
    add('pre', pending.preview)
  }
  for (const [verdict, title] of [['allow', 'Allow'], ['deny', 'Deny']]) {
    const button = element('button', title)
    button.onclick = () => report(call('POST', `/${id}/decisions`, {
      requestId: pending.requestId, digest: pending.digest, decision: {verdict},
    }).finally(() => card.remove())) // also if the request fails, since another tab may have decided already
    card.append(button)
  }
  $('pending').append(card)
}

function removeQuestion(requestId) {
  $('pending').querySelector(`[data-request="${CSS.escape(requestId)}"]`)?.remove()
}

const show = {
  messages: (e) => { clearDraft(); removeAfter(e.after); e.messages.forEach(addMessage) },
  reset: () => load(),
  text: (e) => { part('text', 'p').textContent += e.text },
  reasoning: (e) => { part('reasoning', 'em').textContent += e.text },
  reclassified: () => clearDraft(),
  request_started: (e) => { part(e.requestId, 'pre', e.name) },
  argument_delta: (e) => { part(e.requestId, 'pre').append(e.text) },
  approval_needed: (e) => ask(e.approval),
  tool_started: (e) => { removeQuestion(e.requestId); $('status').textContent = `${e.name} runs` },
  tool_progress: (e) => { $('status').textContent = e.text },
  tool_done: (e) => { removeQuestion(e.requestId); $('status').textContent = `${e.name}: ${e.result.status}` },
  failed: (e) => { $('status').textContent = e.error.message; setRunning(false) },
  run_done: (e) => { clearDraft(); setRunning(false, e.stop !== 'done'); $('status').textContent = e.error ?? e.stop },
}

// load shows the conversation as it is, and returns the ID of the event after which the stream
// continues.
async function load() {
  const c = await call('GET', '/' + id)
  clearDraft()
  $('log').replaceChildren()
  $('pending').replaceChildren()
  c.messages.forEach(addMessage)
  c.pending.forEach(ask)
  setRunning(c.running, c.canContinue)
  return c.eventId
}

async function open(conversation) {
  stream?.close()
  id = conversation
  location.hash = id
  const after = await load()
  stream = new EventSource(`/api/conversations/${id}/events?after=${after}`) // it reconnects by itself
  stream.onmessage = (m) => {
    const e = JSON.parse(m.data)
    queue = queue.then(() => show[e.kind]?.(e)).catch((err) => { $('status').textContent = err.message })
  }
  const {conversations} = await call('GET', '')
  $('list').replaceChildren(...conversations.map((c) => new Option(c.title || 'new', c.id, false, c.id === id)))
}

const create = () => call('POST', '', {}).then((c) => open(c.id))
$('new').onclick = () => report(create())
$('list').onchange = () => report(open($('list').value))
$('stop').onclick = () => report(call('POST', `/${id}/stop`))
$('continue').onclick = () => report(call('POST', `/${id}/continue`, {}).then(() => setRunning(true)))
$('form').onsubmit = (e) => {
  e.preventDefault()
  report(call('POST', `/${id}/messages`, {text: $('text').value}).then(() => { $('text').value = ''; setRunning(true) }))
}
report(location.hash ? open(encodeURIComponent(location.hash.slice(1))) : create())
