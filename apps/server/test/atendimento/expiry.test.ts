import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'
import { startBot } from '#test/builders.ts'
import { readSeries } from '#test/metrics.ts'

const HOUR_MS = 3_600_000

let rig: AtendimentoApp
beforeAll(async () => {
  rig = await createAtendimentoApp({ timings: { renewMs: 100, searchMs: 100, expireMs: 50 } })
})
afterAll(() => rig.close())
beforeEach(() => startBot(rig.dona))

const lastOf = async (id: string): Promise<Mensagem | undefined> => {
  const { body } = await rig.dona.request('GET', `/atendimento/conversas/${id}/mensagens`)
  return mensagensDaConversaRoute.response.parse(body).mensagens.at(-1)
}
const hasState = (id: string, estado: string) => waitUntil(async () => (await lastOf(id))?.estado === estado)
const disconnect = () => rig.dona.request('POST', '/simulador/desconectar')
const logTexts = async (): Promise<string[]> =>
  (await rig.app.sql(`select mensagem from logs where conta_id = '${rig.dona.contaId}'`)).map((row) =>
    String(row['mensagem']),
  )

describe('a message that waits for its send', () => {
  it('fails after 24 h from the bot and 72 h from a person, and never leaves', async () => {
    const { app, dona } = rig
    const [served, finished, late] = [
      await rig.newWaitingCustomer(),
      await rig.newWaitingCustomer(),
      await rig.newWaitingCustomer(),
    ]
    await disconnect()
    await dona.act(served.id, 'mensagem', { mensagem: 'da dona' })
    await dona.act(finished.id, 'assumir')
    await dona.act(finished.id, 'finalizar')
    const farewell = (await lastOf(finished.id))?.texto ?? ''
    expect(await lastOf(finished.id)).toMatchObject({ estado: 'pendente', origem: 'bot' })

    app.advance(25 * HOUR_MS)
    await hasState(finished.id, 'falhou')
    expect((await lastOf(finished.id))?.erro).toBe('Esta mensagem esperou mais de 24 horas e não foi enviada.')
    expect(await readSeries(app, 'balcao_mensagens_nao_enviadas_total')).toBe(2)
    expect(await lastOf(served.id)).toMatchObject({ texto: 'da dona', estado: 'pendente' })
    expect(await logTexts()).toContain(
      '2 mensagens esperaram demais e não foram enviadas, porque o bot ficou sem conexão. Use “Tentar de novo” na conversa.',
    )

    app.advance(25 * HOUR_MS)
    await dona.act(late.id, 'mensagem', { mensagem: 'mais tarde' })
    await dona.act(late.id, 'finalizar')
    const lateFarewell = (await lastOf(late.id))?.texto ?? ''
    app.advance(23 * HOUR_MS)
    await hasState(served.id, 'falhou')
    expect((await lastOf(served.id))?.erro).toBe('Esta mensagem esperou mais de 3 dias e não foi enviada.')

    await startBot(dona)
    await hasState(late.id, 'enviada')
    const sent = await rig.textsOnPhone(late.telefone)
    expect(sent.filter((text) => text === 'mais tarde' || text === lateFarewell)).toEqual(['mais tarde', lateFarewell])
    expect(await rig.textsOnPhone(served.telefone)).not.toContain('da dona')
    expect(await rig.textsOnPhone(finished.telefone)).not.toContain(farewell)
  })

  it('leaves after a retry, which sets a new expiry', async () => {
    const { app, dona } = rig
    const { id, telefone } = await rig.newWaitingCustomer()
    await disconnect()
    await dona.act(id, 'mensagem', { mensagem: 'de novo' })
    app.advance(73 * HOUR_MS)
    await hasState(id, 'falhou')
    const mensagem = await lastOf(id)
    expect((await dona.request('POST', `/atendimento/mensagens/${mensagem?.id ?? ''}/reenviar`)).status).toBe(200)
    app.advance(71 * HOUR_MS)
    await startBot(dona)
    await hasState(id, 'enviada')
    expect((await rig.textsOnPhone(telefone)).filter((text) => text === 'de novo')).toHaveLength(1)
  })

  it('never leaves between its expiry and the round that marks it', async () => {
    const { app, dona } = rig
    const { id, telefone } = await rig.newWaitingCustomer()
    await disconnect()
    await dona.act(id, 'mensagem', { mensagem: 'na borda' })
    app.advance(72 * HOUR_MS + 1_000)
    await startBot(dona)
    await rig.customerSays('5511911990001', 'oi')
    await waitUntil(async () => (await rig.textsOnPhone('5511911990001')).length > 0)
    expect(await rig.textsOnPhone(telefone)).not.toContain('na borda')
    app.advance(60_000)
    await hasState(id, 'falhou')
  })
})
