import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'
import { startBot } from '#test/builders.ts'
import { readSeries } from '#test/metrics.ts'

const HOUR_MS = 3_600_000

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp({ timings: { renewMs: 100, searchMs: 100, expireMs: 50 } })
})
afterAll(() => shop.close())
beforeEach(() => startBot(shop.dona))

const lastOf = async (id: string): Promise<Mensagem | undefined> => {
  const { body } = await shop.dona.request('GET', `/atendimento/conversas/${id}/mensagens`)
  return mensagensDaConversaRoute.response.parse(body).mensagens.at(-1)
}
const hasState = (id: string, estado: string) => waitUntil(async () => (await lastOf(id))?.estado === estado)
const disconnect = () => shop.dona.request('POST', '/simulador/desconectar')
const logTexts = async (): Promise<string[]> =>
  (await shop.app.sql(`select mensagem from logs where conta_id = '${shop.dona.contaId}'`)).map((row) =>
    String(row['mensagem']),
  )

describe('a message that waits for its send', () => {
  it('fails after 24 h from the bot and 72 h from a person, and never leaves', async () => {
    const { app, dona } = shop
    const [served, finished, late] = [
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
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
    const sent = await shop.textsOnPhone(late.telefone)
    expect(sent.filter((text) => text === 'mais tarde' || text === lateFarewell)).toEqual(['mais tarde', lateFarewell])
    expect(await shop.textsOnPhone(served.telefone)).not.toContain('da dona')
    expect(await shop.textsOnPhone(finished.telefone)).not.toContain(farewell)
  })

  it('leaves after a retry, which sets a new expiry', async () => {
    const { app, dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    await disconnect()
    await dona.act(id, 'mensagem', { mensagem: 'de novo' })
    app.advance(73 * HOUR_MS)
    await hasState(id, 'falhou')
    const mensagem = await lastOf(id)
    expect((await dona.request('POST', `/atendimento/mensagens/${mensagem?.id ?? ''}/reenviar`)).status).toBe(200)
    app.advance(71 * HOUR_MS)
    await startBot(dona)
    await hasState(id, 'enviada')
    expect((await shop.textsOnPhone(telefone)).filter((text) => text === 'de novo')).toHaveLength(1)
  })

  it('never leaves between its expiry and the round that marks it', async () => {
    const { app, dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    await disconnect()
    await dona.act(id, 'mensagem', { mensagem: 'na borda' })
    app.advance(72 * HOUR_MS + 1_000)
    await startBot(dona)
    await shop.customerSays('5511911990001', 'oi')
    await waitUntil(async () => (await shop.textsOnPhone('5511911990001')).length > 0)
    expect(await shop.textsOnPhone(telefone)).not.toContain('na borda')
    app.advance(60_000)
    await hasState(id, 'falhou')
  })
})
