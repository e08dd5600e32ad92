import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'
import { startBot } from '#test/builders.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const doChat = async (id: string): Promise<readonly Mensagem[]> =>
  (await shop.dona.list()).find((conversa) => conversa.id === id)?.mensagens ?? []
const said = async (id: string, text: string): Promise<Mensagem> =>
  waitUntil(async () => (await doChat(id)).find((uma) => uma.texto === text) ?? null)
const noTelefone = async (telefone: string) => {
  const { body } = await shop.dona.request('GET', `/simulador/mensagens?telefone=${telefone}`)
  return mensagensSimuladasRoute.response.parse(body).mensagens
}
const reagir = (id: string, mensagemId: string, emoji: unknown, quem = shop.dona) =>
  quem.act(id, `mensagens/${mensagemId}/reacao`, { emoji })
const queued = async (): Promise<number> => (await shop.app.sql('select 1 from saida')).length
const gastas = () => shop.app.sql('select sum(usadas)::int as n from uso_diario')

describe('quoted mensagem', () => {
  it('appears in the answer, in the events and on the phone', async () => {
    const { dona, rui } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    await shop.customerSays(telefone, 'entregam no centro?')
    const { id: citadaId } = await said(id, 'entregam no centro?')
    const citada = { texto: 'entregam no centro?', nossa: false }
    const envio = { mensagem: 'entregamos', citadaId, idTemporario: 'uma' }
    for (const _vez of ['first', 'again']) {
      expect((await dona.act(id, 'mensagem', envio)).body).toMatchObject({ mensagem: { texto: 'entregamos', citada } })
    }
    await waitUntil(async () => (await noTelefone(telefone)).at(-1)?.texto === 'entregamos')
    expect((await noTelefone(telefone)).filter(({ texto }) => texto === 'entregamos')).toMatchObject([{ citada }])
    expect((await said(id, 'entregamos')).citada).toEqual(citada)
    const counted = rui.events.flatMap(({ evento, dados }) =>
      evento === 'mensagemConversaHumana' && dados.mensagem.texto === 'entregamos' ? [dados.mensagem.citada] : [],
    )
    expect(counted).toEqual([citada, citada])
  })

  it('is refused from another conversa or if it failed to send', async () => {
    const { dona, vizinha } = shop
    const [um, other] = [await shop.newWaitingCustomer(), await shop.newWaitingCustomer()]
    const { id: alheia } = await said(other.id, 'atendente')
    const citar = (citadaId: string) => dona.act(um.id, 'mensagem', { mensagem: 'não sai', citadaId })
    for (const citadaId of [alheia, 'nada']) expect((await citar(citadaId)).status).toBe(404)
    await dona.request('POST', '/simulador/falhas', { envios: 5 })
    await dona.act(um.id, 'mensagem', { mensagem: 'perdida' })
    const lost = await waitUntil(async () => {
      const uma = await said(um.id, 'perdida')
      return uma.estado === 'falhou' ? uma : null
    })
    expect((await citar(lost.id)).body).toMatchObject({ codigo: 'mensagemForaDeAlcance' })
    expect((await reagir(um.id, lost.id, '👍')).status).toBe(409)
    expect((await reagir(um.id, lost.id, '👍', vizinha)).status).toBe(404)
    expect((await doChat(um.id)).map(({ texto }) => texto)).not.toContain('não sai')
  })
})

describe('POST /atendimento/conversas/:id/mensagens/:mensagemId/reacao', () => {
  it('keeps one reaction, shows it on the phone and counts nothing', async () => {
    const { dona, rui } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const { id: mensagemId } = await said(id, 'atendente')
    const before = await gastas()
    expect((await reagir(id, mensagemId, '👍')).body).toMatchObject({
      ...{ conversaId: id, mensagem: { id: mensagemId, reacoes: ['👍'], reacaoLoja: '👍' } },
    })
    expect((await reagir(id, mensagemId, '❤️')).status).toBe(200)
    expect((await noTelefone(telefone)).find(({ texto }) => texto === 'atendente')?.reacoes).toEqual(['❤️'])
    expect((await reagir(id, mensagemId, '👍', rui)).body).toMatchObject({ codigo: 'conversaAssumida' })
    expect((await reagir(id, mensagemId, null)).body).not.toHaveProperty('mensagem.reacoes')
    for (const errado of ['ok', '👍👍 x', '', 1, undefined]) {
      expect((await reagir(id, mensagemId, errado)).status).toBe(400)
    }
    expect(await gastas()).toEqual(before)
    await dona.act(id, 'finalizar')
    expect((await reagir(id, mensagemId, '👍')).body).toMatchObject({ codigo: 'conversaFinalizada' })
  })

  it('restores the earlier reaction if sending fails', async () => {
    const { dona, rui } = shop
    const { id } = await shop.newWaitingCustomer()
    const { id: mensagemId } = await said(id, 'atendente')
    await reagir(id, mensagemId, '😂')
    await waitUntil(async () => (await queued()) === 0)
    await dona.request('POST', '/simulador/falhas', { envios: 5 })
    expect((await reagir(id, mensagemId, '😢')).body).toMatchObject({ mensagem: { reacaoLoja: '😢' } })
    await waitUntil(async () => (await said(id, 'atendente')).reacaoLoja === '😂')
    await waitUntil(() => {
      const last = rui.events.findLast(({ evento }) => evento === 'mensagemConversaHumana')
      return last !== undefined && 'mensagem' in last.dados && Object(last.dados.mensagem).reacaoLoja === '😂'
    })
    expect(
      await shop.app.sql(`select 1 from logs where tipo = 'error' and detalhes->>'mensagemId' = '${mensagemId}'`),
    ).toHaveLength(1)
  })

  it('keeps a reaction and a quote while the bot is stopped, then sends them', async () => {
    const { dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const { id: mensagemId } = await said(id, 'atendente')
    await dona.request('POST', '/bot/parar')
    await reagir(id, mensagemId, '😮')
    await dona.act(id, 'mensagem', { mensagem: 'já volto', citadaId: mensagemId })
    expect(await queued()).toBe(2)
    await startBot(dona)
    await waitUntil(async () => (await queued()) === 0)
    const aoFim = await noTelefone(telefone)
    expect(aoFim.at(-1)).toMatchObject({ texto: 'já volto', citada: { texto: 'atendente', nossa: false } })
    expect(aoFim.find(({ texto }) => texto === 'atendente')?.reacoes).toEqual(['😮'])
  })
})
