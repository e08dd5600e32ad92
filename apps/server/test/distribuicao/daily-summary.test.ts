import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AtendimentoApp, createAtendimentoApp } from '#test/atendimento/atendimento-app.ts'
import { waitUntil } from '#test/app.ts'
import { saveConfig } from '#test/builders.ts'

const OWNER = '5511987650000'
const TITLE = '☀️ *Ontem na sua loja*'

let shop: AtendimentoApp
/** Thursday, 9 h in São Paulo. */
beforeAll(async () => {
  shop = await createAtendimentoApp({ now: '2026-03-12T12:00:00.000Z', timings: { pollMs: 20 } })
})
afterAll(() => shop.close())

const setSummary = (resumoDiario: object, user = shop.dona): Promise<void> =>
  saveConfig(user, (config) => ({ ...config, atendimento: { ...config.atendimento, resumoDiario } }))

const dueRows = () =>
  shop.app.sql('select 1 from regras_atendimento where resumo_em <= $1', [shop.app.deps.clock.now()])

/** Moves the clock and waits for the due work. */
async function at(instant: string): Promise<void> {
  shop.app.setNow(instant)
  await waitUntil(async () => (await dueRows()).length === 0)
  await waitUntil(async () => (await shop.app.sql('select 1 from saida')).length === 0)
  await shop.app.idle()
}

const summaries = async (): Promise<string[]> =>
  (await shop.textsOnPhone(OWNER)).filter((text) => text.startsWith(TITLE))

describe('atendimento.resumoDiario', () => {
  it('is off, needs a phone to be on, and refuses a bad phone or hour', async () => {
    const { body } = await shop.dona.request('GET', '/config')
    expect(body).toMatchObject({
      config: { atendimento: { resumoDiario: { ativo: false, hora: '08:00', telefone: '' } } },
    })
    const refused = async (fields: object): Promise<unknown> => {
      const error: unknown = await setSummary({ ativo: true, hora: '08:00', telefone: OWNER, ...fields }).catch(String)
      return error
    }
    for (const fields of [{ telefone: '' }, { telefone: '123' }]) {
      expect(await refused(fields)).toMatch(/Informe o telefone com DDD.*atendimento\.resumoDiario\.telefone/s)
    }
    expect(await refused({ hora: '8h' })).toContain('Use o formato HH:MM')
  })

  it('sends the figures of yesterday at the hour of the shop, once', async () => {
    const { id, telefone } = await shop.newWaitingCustomer()
    await shop.app.sql(`update contatos set nome = 'Marina' where telefone = $1`, [telefone])
    shop.app.setNow('2026-03-12T12:04:00.000Z')
    expect((await shop.rui.act(id, 'mensagem', { mensagem: 'Oi!' })).status).toBe(200)
    await setSummary({ ativo: true, hora: '08:00', telefone: '(11) 98765-0000' })

    await at('2026-03-13T10:59:59.000Z')
    expect(await summaries()).toEqual([])
    await at('2026-03-13T11:00:00.000Z')
    await waitUntil(async () => (await summaries()).length === 1)
    expect((await summaries())[0]?.split('\n')).toEqual([
      `${TITLE} (12/03)`,
      '👥 Clientes atendidos por pessoas: 1',
      '⏳ Metade esperou até 4 min',
      '✅ Ninguém ficou sem resposta',
      '🐢 Quem mais esperou: Marina (4 min)',
    ])
    const [uso] = await shop.app.sql(`select usadas from uso_diario where conta_id = $1 and dia = '2026-03-13'`, [
      shop.dona.contaId,
    ])
    expect(uso).toEqual({ usadas: 1 })
  })

  it('sends none a second time when the hour changes on the same day', async () => {
    await setSummary({ ativo: true, hora: '18:00', telefone: OWNER })
    await at('2026-03-13T21:00:00.000Z')
    expect(await summaries()).toHaveLength(1)
  })

  it('reports an open day without customers, and no closed one', async () => {
    // Saturday reports Friday; Sunday and Monday have closed days before them.
    await at('2026-03-14T21:00:00.000Z')
    await waitUntil(async () => (await summaries()).length === 2)
    expect((await summaries()).at(-1)).toBe(`${TITLE} (13/03)\nNinguém escreveu.`)
    await at('2026-03-15T21:00:00.000Z')
    await at('2026-03-16T21:00:00.000Z')
    expect(await summaries()).toHaveLength(2)
  })

  it('reports yesterday after days without the server, and nothing while it is off', async () => {
    await at('2026-03-20T23:30:00.000Z')
    await waitUntil(async () => (await summaries()).length === 3)
    expect((await summaries()).at(-1)).toContain('(19/03)')
    await setSummary({ ativo: false, hora: '18:00', telefone: OWNER })
    await at('2026-03-21T23:30:00.000Z')
    expect(await summaries()).toHaveLength(3)
  })

  it('writes the reason into the log when the official API would refuse it', async () => {
    const { vizinha } = shop
    await setSummary({ ativo: true, hora: '18:00', telefone: OWNER }, vizinha)
    await shop.app.sql(
      `update configuracoes set dados = jsonb_set(dados, '{whatsapp,conector}', '"oficial"') where conta_id = $1 and dados is not null`,
      [vizinha.contaId],
    )
    await at('2026-03-24T21:00:00.000Z')
    const { body } = await vizinha.request('GET', '/logs')
    expect(JSON.stringify(body)).toContain('O resumo de ontem não saiu')
    expect(await shop.app.sql('select 1 from mensagens where conta_id = $1', [vizinha.contaId])).toEqual([])
  })
})

describe('POST /config/resumo/testar', () => {
  const test = (user = shop.dona) => user.request('POST', '/config/resumo/testar')
  const tests = async (): Promise<string[]> =>
    (await shop.textsOnPhone(OWNER)).filter((text) => text.startsWith('🧪 Teste do resumo'))

  it('sends the figures of yesterday now, marked as a test, once in a minute', async () => {
    await setSummary({ ativo: true, hora: '18:00', telefone: OWNER })
    shop.app.setNow('2026-03-25T15:00:00.000Z')
    const before = (await summaries()).length
    expect((await test()).status).toBe(202)
    const [text] = await waitUntil(async () => ((await tests()).length === 1 ? await tests() : null))
    expect(text).toBe(`🧪 Teste do resumo\n${TITLE} (24/03)\nNinguém escreveu.`)
    const again = await test()
    expect([again.status, again.body['codigo']]).toEqual([429, 'muitasTentativas'])
    shop.app.setNow('2026-03-25T15:01:01.000Z')
    expect((await test()).status).toBe(202)
    // The day still has its own summary.
    await at('2026-03-25T21:00:00.000Z')
    await waitUntil(async () => (await summaries()).length === before + 1)
  })

  it('answers why it cannot leave, and lets the owner try again without waiting', async () => {
    const { vizinha, rui } = shop
    const refused = async (): Promise<unknown> => {
      const { status, body } = await test(vizinha)
      return [status, body['codigo'], body['erro']]
    }
    expect(await refused()).toEqual([409, 'botDesconectado', 'O bot não está conectado.'])
    await shop.app.sql(`insert into bots (conta_id, status) values ($1, 'CONECTADO')`, [vizinha.contaId])
    expect(await refused()).toEqual([409, 'janelaFechada', expect.stringContaining('Na API oficial, escreva antes')])
    await setSummary({ ativo: false, hora: '18:00', telefone: '' }, vizinha)
    expect(await refused()).toEqual([400, 'dadosInvalidos', 'Salve o telefone que recebe o resumo.'])
    expect((await test(rui)).status).toBe(403)
    expect(await shop.app.sql('select 1 from mensagens where conta_id = $1', [vizinha.contaId])).toEqual([])
  })
})
