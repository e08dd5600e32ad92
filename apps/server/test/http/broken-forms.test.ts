import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { errorBodySchema } from '@balcao/contract/errors'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'
import { connectBot, givenPerson, givenWaitingCustomer } from '#test/builders.ts'
import { createProduto, formWithPicture, SAMPLE_PRODUTO } from '#test/produtos/loja-requests.ts'
import { testPicture } from '#test/produtos/test-pictures.ts'

const errorLines: string[] = []
let app: TestApp
const ids = { produto: '', conversa: '' }
beforeAll(async () => {
  app = await createTestApp({ log: pino({ level: 'error' }, { write: (line) => void errorLines.push(line) }) })
  await connectBot(app)
  ids.conversa = await givenWaitingCustomer(app, '5511912345678')
  await app.request('POST', `/atendimento/conversas/${ids.conversa}/assumir`)
  ids.produto = (await createProduto(app.admin)).id
  await app.idle()
})
beforeEach(() => {
  errorLines.length = 0
})
afterAll(() => app?.close())

const ROUTES: [string, string][] = [
  ['POST', '/produtos'],
  ['PUT', '/produtos/:produto'],
  ['POST', '/upload'],
  ['POST', '/atendimento/conversas/:conversa/midia'],
  ['POST', '/simulador/mensagens'],
]

const BOUNDARY = 'fronteira'
const field = (name: string, value = 'x'): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const TEXTS = field('nome', 'Bolo') + field('descricao', 'De milho') + field('preco', '9') + field('telefone', '5511')
const FILE = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="arquivo"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`
const END = `--${BOUNDARY}--\r\n`
const WITH_BOUNDARY = `multipart/form-data; boundary=${BOUNDARY}`

interface BrokenForm {
  readonly body: string
  readonly type?: string
  readonly answer?: { readonly status: number; readonly erro: string }
}

const INCOMPLETE = { status: 400, erro: 'O formulário chegou incompleto. Envie de novo.' }
const TOO_LARGE = { status: 413, erro: 'O conteúdo enviado é grande demais.' }

const BROKEN: [string, BrokenForm][] = [
  ['cut off inside a file', { body: `${TEXTS}${FILE}\x89PNG` }],
  ['cut off inside the header of a part', { body: `${TEXTS}--${BOUNDARY}\r\ncontent-dispo` }],
  ['cut off after a field', { body: TEXTS }],
  ['without a boundary in its type', { body: `${TEXTS}${END}`, type: 'multipart/form-data' }],
  ['with another boundary in its body', { body: `${TEXTS}${END}`, type: 'multipart/form-data; boundary=outra' }],
  ['with a field name of the prototype', { body: `${TEXTS}${field('__proto__')}${END}` }],
  ['with 21 fields', { body: `${TEXTS}${field('y').repeat(21)}${END}`, answer: TOO_LARGE }],
]

async function stored(): Promise<unknown> {
  const counts = await app.sql(
    `select (select count(*) from produtos) as produtos, (select count(*) from arquivos) as arquivos,
       (select count(*) from mensagens) as mensagens`,
  )
  return [counts, await app.filesOnDisk(app.admin.contaId)]
}

interface OpenForm {
  readonly line: Socket
  readonly status: () => string | undefined
}

/** Sends the beginning of a form of conta A that has `length` bytes. */
function openForm(target: string, begin: string, length: number): OpenForm {
  const line = connect(Number(new URL(app.url).port), '127.0.0.1')
  let answer = ''
  line.on('data', (part) => (answer += String(part)))
  line.write(`${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${app.admin.token}\r\n`)
  line.write(`content-type: ${WITH_BOUNDARY}\r\ncontent-length: ${length}\r\n\r\n${begin}`)
  return { line, status: () => /^HTTP\/1.1 (\d+)/.exec(answer)?.[1] }
}

const urlOf = (path: string): string => path.replace(':produto', ids.produto).replace(':conversa', ids.conversa)

describe.each(ROUTES)('%s %s', (method, path) => {
  it.each(BROKEN)('refuses a form %s and stores nothing', async (_name, { body, type, answer = INCOMPLETE }) => {
    const before = await stored()
    const reply = await fetch(`${app.url}/api${urlOf(path)}`, {
      method,
      headers: { authorization: `Bearer ${app.admin.token}`, 'content-type': type ?? WITH_BOUNDARY },
      body: Buffer.from(body, 'latin1'),
    })
    const { erro } = errorBodySchema.parse(await reply.json())
    expect({ status: reply.status, erro }).toEqual(answer)
    expect(await stored()).toEqual(before)
    expect(errorLines).toEqual([])
  })

  it('ends without an error line when the client disconnects', async () => {
    const before = await stored()
    const { line } = openForm(`${method} /api${urlOf(path)}`, `${TEXTS}${FILE}`, 100_000)
    await once(line, 'connect')
    // The server answers this request after it has started to read the form.
    await app.request('GET', '/produtos')
    line.destroy()
    await app.request('GET', '/produtos')
    expect(await stored()).toEqual(before)
    expect(errorLines).toEqual([])
  })
})

describe('readForm', () => {
  it('reads 4 forms of a conta, lets 8 wait, refuses more and serves other contas', async () => {
    const begin = `${FILE}${'x'.repeat(100_000)}`
    const rest = `\r\n${END}`
    const open = Array.from({ length: 20 }, () => openForm('POST /api/upload', begin, begin.length + rest.length))
    const count = (status: string): number => open.filter((form) => form.status() === status).length
    await waitUntil(() => count('503') === 8)

    const other = await givenPerson(app)
    const picture = await testPicture(20, 20).png().toBuffer()
    const create = (token: string): Promise<Response> =>
      fetch(`${app.url}/api/produtos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: formWithPicture(picture, { ...SAMPLE_PRODUTO, preco: '9' }),
      })
    expect((await create(other.token)).status).toBe(200)
    expect((await create(app.admin.token)).status).toBe(503)

    // Not an image, so 400 means that the server read the form.
    for (const { line, status } of open) if (status() === undefined) line.write(rest)
    await waitUntil(() => count('400') === 12)
    expect((await create(app.admin.token)).status).toBe(200)
    for (const { line } of open) line.destroy()
  })

  it('cuts a form that brings less than 64 KB in 20 s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const slow = openForm('POST /api/upload', FILE, 1_000_000)
    const fast = openForm('POST /api/upload', FILE, 1_000_000)
    await waitUntil(() => vi.getTimerCount() === 2)
    await new Promise((resolve) => fast.line.write('x'.repeat(200_000), resolve))
    // The server answers this request after it has read the bytes above.
    await app.request('GET', '/produtos')
    vi.advanceTimersByTime(20_000)
    await once(slow.line, 'close')
    expect(fast.line.closed).toBe(false)
    vi.advanceTimersByTime(20_000)
    await once(fast.line, 'close')
    vi.useRealTimers()
  })
})
