import { hostname } from 'node:os'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { readSeries, seriesIn } from '#test/metrics.ts'
import { createIaApp, type IaApp } from '#test/ia/ia-app.ts'

let shop: IaApp
beforeAll(async () => {
  shop = await createIaApp()
})
afterAll(() => shop?.close())
beforeEach(() => shop.fake.reset())

const SIMULADOR = { conector: 'simulador' }
const metric = (name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> =>
  readSeries(shop.app, name, labels)
const answers = (): Promise<number> => metric('balcao_resposta_segundos_count', SIMULADOR)
const answerTime = (): Promise<number> => metric('balcao_resposta_segundos_sum', SIMULADOR)
const REPEATED = 'balcao_mensagens_repetidas_total'
const UNSENT = 'balcao_mensagens_nao_enviadas_total'

describe('GET /metrics', () => {
  it('measures from the arrival of a message to its first answer, waits included', async () => {
    const ana = shop.newCustomer()
    await ana.says('oi')
    await waitUntil(async () => (await answers()) > 0)
    const [count, time] = [await answers(), await answerTime()]
    const owner = await shop.app.database.owner.connect()
    await owner.query('begin')
    await owner.query('lock table contatos in exclusive mode')
    const said = ana.says('1')
    await waitUntil(async () => (await shop.app.sql('select 1 from pg_locks where not granted')).length > 0)
    const since = performance.now()
    await waitUntil(() => performance.now() - since > 50)
    const heldS = (performance.now() - since) / 1_000
    await owner.query('rollback')
    owner.release()
    await said
    await ana.waitsFor('HORARIOS')
    await waitUntil(async () => (await answers()) > count)
    expect(await answers()).toBe(count + 1)
    expect((await answerTime()) - time).toBeGreaterThanOrEqual(heldS)
  })

  it('counts and times inbound and outbound messages by connector', async () => {
    const read = async (): Promise<number[]> => [
      await metric('balcao_conector_recebidas_total', SIMULADOR),
      await metric('balcao_conector_enviadas_total', SIMULADOR),
      await metric('balcao_envio_segundos_count', { ...SIMULADOR, fim: 'enviada' }),
      await metric('balcao_lote_segundos_count'),
      await metric('balcao_commit_segundos_count'),
    ]
    await shop.app.idle()
    const before = await read()
    const ana = shop.newCustomer()
    await ana.says('oi')
    const texts = await ana.waitsFor(/^MENU/)
    await shop.app.idle()
    const [received = 0, sent = 0, attempts = 0, batches = 0, commits = 0] = (await read()).map(
      (value, index) => value - (before[index] ?? 0),
    )
    expect([received, sent, attempts, batches]).toEqual([1, texts.length, texts.length, 1])
    expect(commits).toBeGreaterThanOrEqual(1)
    expect(await metric('balcao_lote_segundos_sum')).toBeGreaterThan(0)
    expect(await metric('balcao_commit_segundos_sum')).toBeGreaterThan(0)
  })

  it('counts a message that the service delivers again', async () => {
    const before = await metric(REPEATED)
    const message = { telefone: '5511977776666', nome: 'Bia', texto: 'oi', id: 'mesma' }
    for (const repeated of [0, 1, 2]) {
      expect((await shop.request('POST', '/simulador/mensagens', message)).status).toBe(202)
      expect(await metric(REPEATED)).toBe(before + repeated)
    }
  })

  it('measures each question to the AI provider', async () => {
    const before = await metric('balcao_ia_segundos_count')
    const ana = shop.newCustomer()
    await ana.says('oi')
    await ana.says('assistente')
    await ana.waitsFor('ECO assistente')
    expect(await metric('balcao_ia_segundos_count')).toBe(before + 1)
    expect(await metric('balcao_ia_segundos_sum')).toBeGreaterThan(0)
  })

  it('counts a message that the bot gives up after its last attempt', async () => {
    const failures = (): Promise<number> => metric('balcao_envio_segundos_count', { ...SIMULADOR, fim: 'falhou' })
    const [before, failedBefore] = [await metric(UNSENT), await failures()]
    const ana = shop.newCustomer()
    await shop.request('POST', '/simulador/falhas', { envios: 5 })
    await ana.says('oi')
    await waitUntil(async () => (await metric(UNSENT)) > before)
    await ana.waitsFor(/^MENU/)
    expect(await metric(UNSENT)).toBe(before + 1)
    expect(await failures()).toBe(failedBefore + 5)
  })

  it('times answers by the pattern of the route and never by its path', async () => {
    await shop.request('GET', '/atendimento/conversas/segredo-no-caminho')
    await shop.request('GET', '/rota-que-nao-existe')
    const { text } = await shop.app.send('GET', '/metrics')
    const timed = (rota: string): number | null => seriesIn(text, 'balcao_http_segundos_count', { rota, metodo: 'GET' })
    expect(timed('/api/atendimento/conversas/:id')).toBe(1)
    expect(timed('desconhecida')).toBe(1)
    expect(text).not.toMatch(/segredo-no-caminho|rota-que-nao-existe/)
  })

  it('counts the bots of this node by connector and state', async () => {
    const connected = { ...SIMULADOR, estado: 'conectado' }
    expect(await metric('balcao_bots', connected)).toBe(1)
    expect(await metric('balcao_inicios_total', SIMULADOR)).toBe(1)
    await shop.request('POST', '/bot/parar')
    await waitUntil(async () => (await metric('balcao_bots', connected)) === 0)
  })

  it('reports mails that failed and the age of the last backup', async () => {
    const { sql } = shop.app
    const read = async (): Promise<(number | null)[]> => {
      const { text } = await shop.app.send('GET', '/metrics')
      return [seriesIn(text, 'balcao_emails_falhados'), seriesIn(text, 'balcao_copia_idade_seconds')]
    }
    expect(await read()).toEqual([0, null])
    await sql(`insert into emails (id, tipo, para, assunto, texto, erro)
               values (gen_random_uuid(), 'teste', 'a@b.test', 'x', 'x', 'recusado')`)
    await sql(`insert into copias_seguranca (em, linhas, tabelas, bytes, cifrada)
               values (now() - interval '27 hours', 1, 1, 1, true)`)
    const [mails, age] = await waitUntil(async () => {
      const values = await read()
      return values[0] === 1 ? values : null
    })
    expect(mails).toBe(1)
    expect(age).toBeGreaterThanOrEqual(27 * 3600)
  })

  it('names the node, and no person and no account', async () => {
    const { text } = await shop.app.send('GET', '/metrics')
    const series = text.split('\n').filter((line) => /^\w/.test(line))
    expect(series.filter((line) => !line.includes(`no="${hostname()}"`))).toEqual([])
    expect(text).not.toContain(shop.app.admin.contaId)
    // A value, such as a number of bytes, may contain the first digits of a phone.
    expect(text.replaceAll(/ [\d.e+-]+$/gm, '')).not.toContain('5511')
  })
})
