import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { createIaApp, type IaApp } from '#test/ia/ia-app.ts'

let rig: IaApp
beforeAll(async () => {
  rig = await createIaApp()
})
afterAll(() => rig?.close())
beforeEach(() => rig.fake.reset())

/** Value of one series of `/metrics`; 0 before its first observation. */
async function metric(series: string): Promise<number> {
  const { text } = await rig.app.send('GET', '/metrics')
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length) ?? 0)
}

const untilMore = (series: string, than: number): Promise<boolean> =>
  waitUntil(async () => (await metric(series)) > than)

const ANSWERS = 'balcao_resposta_segundos_count{conector="simulador"}'
const ANSWER_TIME = 'balcao_resposta_segundos_sum{conector="simulador"}'
const AI_ANSWERS = 'balcao_ia_segundos_count'
const REPEATED = 'balcao_mensagens_repetidas_total'
const UNSENT = 'balcao_mensagens_nao_enviadas_total'

describe('GET /metrics', () => {
  it('measures from the arrival of a message to its first answer, waits included', async () => {
    const ana = rig.newCustomer()
    await ana.says('oi')
    await untilMore(ANSWERS, 0)
    const [answers, time] = [await metric(ANSWERS), await metric(ANSWER_TIME)]
    const owner = await rig.app.database.owner.connect()
    await owner.query('begin')
    await owner.query('lock table contatos in exclusive mode')
    const said = ana.says('1')
    await waitUntil(async () => (await rig.app.sql('select 1 from pg_locks where not granted')).length > 0)
    const since = performance.now()
    await waitUntil(() => performance.now() - since > 50)
    const heldS = (performance.now() - since) / 1_000
    await owner.query('rollback')
    owner.release()
    await said
    await ana.waitsFor('HORARIOS')
    await untilMore(ANSWERS, answers)
    expect(await metric(ANSWERS)).toBe(answers + 1)
    expect((await metric(ANSWER_TIME)) - time).toBeGreaterThanOrEqual(heldS)
  })

  it('counts a message that the service delivers again', async () => {
    const before = await metric(REPEATED)
    const message = { telefone: '5511977776666', nome: 'Bia', texto: 'oi', id: 'mesma' }
    for (const repeated of [0, 1, 2]) {
      expect((await rig.request('POST', '/simulador/mensagens', message)).status).toBe(202)
      expect(await metric(REPEATED)).toBe(before + repeated)
    }
  })

  it('measures each question to the AI provider', async () => {
    const before = await metric(AI_ANSWERS)
    const ana = rig.newCustomer()
    await ana.says('oi')
    await ana.says('assistente')
    await ana.waitsFor('ECO assistente')
    expect(await metric(AI_ANSWERS)).toBe(before + 1)
    expect(await metric('balcao_ia_segundos_sum')).toBeGreaterThan(0)
  })

  it('counts a message that the bot gives up after its last attempt', async () => {
    const before = await metric(UNSENT)
    const ana = rig.newCustomer()
    await rig.request('POST', '/simulador/falhas', { envios: 5 })
    await ana.says('oi')
    await untilMore(UNSENT, before)
    await ana.waitsFor(/^MENU/)
    expect(await metric(UNSENT)).toBe(before + 1)
  })

  it('names no person and no account', async () => {
    const { text } = await rig.app.send('GET', '/metrics')
    expect(text).not.toContain(rig.app.admin.contaId)
    // A value, such as a number of bytes, may contain the first digits of a phone.
    expect(text.replaceAll(/ [\d.e+-]+$/gm, '')).not.toContain('5511')
  })
})
