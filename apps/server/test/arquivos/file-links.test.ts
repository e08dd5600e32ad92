import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiRoutes } from '@balcao/contract/routes/all'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { type TestSocket } from '#test/realtime/sockets.ts'
import {
  chatOf,
  connectBot,
  customerSays,
  formFile,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  lastMidiaOf,
  openConversas,
  sendAsCustomer,
  storedUrl,
} from '#test/builders.ts'
import { mp3, pdf } from '#test/midias/sample-files.ts'

/** The clock stands at the beginning of a slot of five minutes. */
const NOW = '2026-03-10T15:00:00.000Z'
const TELEFONE = '5511988001122'
const MINUTE_MS = 60_000

let app: TestApp
let dona: TestUser
let daDona: TestSocket
let conversaId = ''

beforeAll(async () => {
  app = await createTestApp({ now: NOW })
  dona = await givenConta(app)
  daDona = await app.connect(dona)
  await connectBot(dona)
  conversaId = await givenWaitingCustomer(dona, TELEFONE)
})
afterAll(() => app.close())

const atMs = (ms: number): void => app.setNow(new Date(Date.parse(NOW) + ms))
const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${app.url}${url}`, { headers })
const status = async (url: string): Promise<number> => (await get(url)).status

/** The customer sends a file. Returns its signed address. */
async function received(file: File = formFile(pdf(), 'comprovante.pdf')): Promise<string> {
  await sendAsCustomer(dona, TELEFONE, { arquivo: file })
  return (await lastMidiaOf(dona, TELEFONE)).url ?? ''
}

function withQuery(url: string, change: (query: URLSearchParams) => void): string {
  const query = new URLSearchParams(url.slice(url.indexOf('?')))
  change(query)
  return `${storedUrl(url)}?${query.toString()}`
}

/** The same signature with another first character. */
const changed = (signature: string): string => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`

describe('GET /api/midias/:arquivo', () => {
  it('answers every wrong signature as an unknown file', async () => {
    const [url, other] = [await received(), await received()]
    const neighbour = await givenConta(app, 'Vizinha')
    const signature = url.slice(url.indexOf('?'))
    const wrong: Record<string, string> = {
      none: storedUrl(url),
      'no signature': withQuery(url, (query) => query.delete('a')),
      'no end': withQuery(url, (query) => query.delete('e')),
      'changed signature': withQuery(url, (query) => query.set('a', changed(query.get('a') ?? ''))),
      'padded signature': `${url}=`,
      'short signature': withQuery(url, (query) => query.set('a', query.get('a')?.slice(0, -2) ?? '')),
      'later end': withQuery(url, (query) => query.set('e', String(Number(query.get('e')) + 60))),
      'end that is no number': withQuery(url, (query) => query.set('e', `${query.get('e')}.0`)),
      'two signatures': `${url}&a=x`,
      'signature of another file': `${storedUrl(other)}${signature}`,
      'signature of another conta': app.deps.fileLinks.sign(neighbour.contaId, storedUrl(url)),
    }
    const unknown = await get(`/api/midias/${'f'.repeat(32)}.pdf${signature}`)
    const bytes = await unknown.text()
    expect([unknown.status, bytes]).toEqual([404, expect.stringContaining('naoEncontrado')])
    for (const [name, address] of Object.entries(wrong)) {
      const reply = await get(address)
      expect([name, reply.status, await reply.text()]).toEqual([name, 404, bytes])
    }
    expect(await status(url)).toBe(200)
  })

  it('serves a fresh address with ranges and lets browsers keep it for five minutes', async () => {
    const bytes = mp3()
    const url = await received(formFile(bytes, 'voz.mp3'))
    const whole = await get(url)
    expect([whole.status, whole.headers.get('cache-control')]).toEqual([200, 'private, max-age=300'])
    const part = await get(url, { range: 'bytes=10-19' })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(10, 20)])
  })

  it('keeps an address for five minutes and expires it after ten', async () => {
    const url = await received()
    const again = async (): Promise<string> => (await lastMidiaOf(dona, TELEFONE)).url ?? ''
    atMs(5 * MINUTE_MS - 1)
    expect(await again()).toBe(url)
    atMs(5 * MINUTE_MS)
    expect([storedUrl(await again()), (await again()) === url]).toEqual([storedUrl(url), false])
    atMs(10 * MINUTE_MS - 1)
    expect(await status(url)).toBe(200)
    atMs(10 * MINUTE_MS)
    expect(await status(url)).toBe(404)
    expect(await status(await again())).toBe(200)
    app.setNow(NOW)
  })
})

describe('signed addresses', () => {
  it('signs addresses in answers, events and the simulator, not in the database', async () => {
    const url = await received()
    const stored = storedUrl(url)
    const signed = new RegExp(`"${stored}\\?e=\\d+&a=[\\w-]{43}"`)
    const paths = [
      `/atendimento/conversas/${conversaId}`,
      `/atendimento/conversas/${conversaId}/mensagens`,
      '/atendimento/conversas',
      '/mensagens',
      `/simulador/mensagens?telefone=${TELEFONE}`,
    ]
    for (const path of paths) {
      const { text } = await app.send('GET', path, { token: dona.token })
      expect([path, text]).toEqual([path, expect.stringMatching(signed)])
      expect([path, text.includes(`"${stored}"`)]).toEqual([path, false])
    }
    const events = (): string =>
      JSON.stringify(daDona.received.filter((event) => JSON.stringify(event).includes(stored)))
    await waitUntil(() => events().includes('mensagemConversaHumana') && events().includes('botMensagem'))
    expect(events()).toMatch(signed)
    expect(events()).not.toContain(`"${stored}"`)
    expect(await app.sql(`select 1 from mensagens where midia ->> 'url' = $1`, [stored])).toHaveLength(1)
  })

  it('signs the address in the event of a message', async () => {
    const telefone = '5511988003344'
    await customerSays(dona, telefone, 'atendente')
    await sendAsCustomer(dona, telefone, { texto: 'segue', arquivo: formFile(pdf(), 'recibo-novo.pdf') })
    const event = await waitUntil(
      () =>
        daDona.received.find(
          ([name, data]) => name === 'mensagemConversaHumana' && JSON.stringify(data).includes('recibo-novo.pdf'),
        ) ?? null,
    )
    const [address = ''] = /\/api\/midias\/[^"]+/.exec(JSON.stringify(event)) ?? []
    expect(await status(address)).toBe(200)
  })

  it('signs no address that a customer writes as text', async () => {
    const stored = storedUrl(await received())
    const typed = [stored, `"url":"${stored}"`, `{"midia":{"url":"${stored}"}}`]
    await customerSays(dona, TELEFONE, ...typed)
    const texts = (await chatOf(dona, TELEFONE)).map(({ texto }) => texto)
    expect(texts).toEqual(expect.arrayContaining(typed))
  })

  it('sends no address to an operador of another setor', async () => {
    const vera = await givenOperador(app, dona, { setores: ['vendas'] })
    const { received: heard } = await app.connect(vera)
    await dona.request('POST', `/atendimento/conversas/${conversaId}/transferir`, { setor: 'financeiro' })
    const stored = storedUrl(await received())
    for (const path of [`/${conversaId}`, `/${conversaId}/mensagens`, '']) {
      const { text } = await app.send('GET', `/atendimento/conversas${path}`, { token: vera.token })
      expect(text).not.toContain(stored)
    }
    const { body } = await dona.request('POST', '/atendimento/teste-conversa', { setor: 'geral' })
    await waitUntil(() => JSON.stringify(heard).includes(String(Object(body['conversa']).id)))
    expect(JSON.stringify(heard)).not.toContain(stored)
    expect((await openConversas(dona)).some(({ id }) => id === conversaId)).toBe(true)
  })

  it('keeps addresses of an LGPD export valid for 24 hours', async () => {
    const url = await received()
    const path = `/lgpd/titulares/${TELEFONE}/exportacao`
    const { midias, mensagens } = apiRoutes.exportarTitular.response.parse((await dona.request('GET', path)).body)
    const exported = midias.find((midia) => storedUrl(midia.url) === storedUrl(url))?.url ?? ''
    expect(mensagens.some(({ midia }) => midia?.url === exported)).toBe(true)
    atMs(24 * 60 * MINUTE_MS - 1)
    expect([await status(exported), await status(url)]).toEqual([200, 404])
    atMs(24 * 60 * MINUTE_MS)
    expect(await status(exported)).toBe(404)
    app.setNow(NOW)
  })
})

describe('POST /auth/logout', () => {
  it("clears the browser's cache only at a successful logout", async () => {
    const { token } = await app.login(dona.usuario.email)
    expect((await app.send('GET', '/auth/eu', { token })).headers.get('clear-site-data')).toBeNull()
    const refused = await app.send('POST', '/auth/logout', { token: randomUUID() })
    expect([refused.status, refused.headers.get('clear-site-data')]).toEqual([401, null])
    const { headers } = await app.send('POST', '/auth/logout', { token })
    expect(headers.get('clear-site-data')).toBe('"cache"')
  })
})
