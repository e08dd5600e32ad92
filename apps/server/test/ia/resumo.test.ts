import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { fichaDoClienteRoute } from '@balcao/contract/routes/atendimento-conversa'
import { usoGeminiRoute } from '@balcao/contract/routes/gemini'
import { waitUntil } from '#test/app.ts'
import { customerSays, openConversas } from '#test/builders.ts'
import type { TestSocket } from '#test/realtime/sockets.ts'
import { createIaApp, type IaApp } from './ia-app.ts'

let app: IaApp
let socket: TestSocket
let phones = 0
const newPhone = (): string => `55119560${String((phones += 1)).padStart(5, '0')}`

const conversaOf = (telefone: string): Promise<Conversa> =>
  waitUntil(async () => (await openConversas(app.app)).find(({ cliente }) => cliente.telefone === telefone) ?? null)

async function resumoOf(id: string) {
  const { body } = await app.request('GET', `/atendimento/conversas/${id}/cliente`)
  return fichaDoClienteRoute.response.parse(body).resumo
}

const questionsToday = async (): Promise<number> =>
  usoGeminiRoute.response.parse((await app.request('GET', '/gemini/uso')).body).hoje.perguntas

beforeAll(async () => {
  app = await createIaApp()
  socket = await app.app.connect(app.app.admin)
  await app.saveConfig((config) => ({
    ...config,
    ia: { ...config.ia, gatilhos: [], comportamentos: { ...config.ia.comportamentos, sempreResponder: false } },
    menu: {
      ...config.menu,
      opcoes: [
        ...config.menu.opcoes,
        { numero: '3', titulo: 'Falar com um atendente', tipo: 'humano', resposta: '' },
        { numero: '4', titulo: 'Loja', tipo: 'loja', resposta: '' },
      ],
    },
    atendimento: {
      ...config.atendimento,
      setores: [
        ...config.atendimento.setores,
        { id: 'vendas', nome: 'Vendas', cor: 'blue', ativo: true, criadoEm: '2026-01-01T00:00:00Z' },
      ],
    },
  }))
  await app.request('POST', '/produtos', { nome: 'Caneca azul', descricao: 'De louça', preco: 30 })
})
afterAll(() => app.close())

describe('resumo of GET /atendimento/conversas/:id/cliente', () => {
  it('names options, produtos, last texts and reason, without a request to the AI', async () => {
    const telefone = newPhone()
    await customerSays(app.app, telefone, 'oi', '1', '4', '1', '0', '3')
    const { id } = await conversaOf(telefone)
    await customerSays(app.app, telefone, 'alguém aí?')
    expect(await resumoOf(id)).toEqual({
      caminho: ['Horários', 'Loja', 'Falar com um atendente'],
      produtos: ['Caneca azul'],
      ultimas: ['1', '0', '3'],
      motivo: 'escolheu “Falar com um atendente”',
    })
    expect(app.fake.requests).toEqual([])
  })

  it('names the AI that handed over', async () => {
    const transfer = { nome: 'transferir_para_setor', args: { setor: 'vendas' } }
    app.fake.answerNext(
      { tipo: 'ferramentas', chamadas: [transfer] },
      { tipo: 'texto', texto: 'Quer falar de um pedido.' },
    )
    const telefone = newPhone()
    await customerSays(app.app, telefone, 'oi', '2', 'quero falar do meu pedido')
    const { id } = await conversaOf(telefone)
    await waitUntil(async () => (await resumoOf(id))?.ia !== undefined)
    expect(await resumoOf(id)).toMatchObject({
      caminho: ['Tirar uma dúvida'],
      motivo: 'a assistente passou a conversa',
      ia: 'Quer falar de um pedido.',
    })
  })

  it('has a reason for a conversa that the shop began', async () => {
    const { body } = await app.request('POST', '/atendimento/conversas', { telefone: newPhone(), nome: 'Nova' })
    expect(await resumoOf(String(Object(body['conversa']).id))).toEqual({
      ...{ caminho: [], produtos: [], ultimas: [], motivo: 'a loja escreveu primeiro' },
    })
  })
})

describe('resumoConversa', () => {
  it('brings the summary of the AI, masked, counted, exported and erased with the customer', async () => {
    app.fake.reset()
    app.fake.answerAlways(() => ({
      tipo: 'texto',
      texto: '- Quer bolo de casamento.\n\n- Deu o CPF.\nLinha 3\nLinha 4',
    }))
    const before = await questionsToday()
    const telefone = newPhone()
    await customerSays(app.app, telefone, 'oi', 'fazem bolo de casamento?', 'cpf 529.982.247-25', 'atendente')
    const { id } = await conversaOf(telefone)
    const ia = 'Quer bolo de casamento.\nDeu o CPF.\nLinha 3'
    const [event] = await waitUntil(() => {
      const arrived = socket.received.filter(([name, data]) => name === 'resumoConversa' && data['conversaId'] === id)
      return arrived.length > 0 && arrived
    })
    expect(event).toMatchObject(['resumoConversa', { userId: app.app.admin.contaId, ia }])
    expect(await resumoOf(id)).toMatchObject({ motivo: 'o bot não entendeu 2 vezes', ia })
    expect(app.fake.requests).toHaveLength(1)
    expect(app.fake.requests[0]?.pergunta).toContain('Cliente: fazem bolo de casamento?')
    expect(app.fake.requests[0]?.rawBody).not.toContain('529.982')
    expect(await questionsToday()).toBe(before + 1)

    const exported = await app.request('GET', `/lgpd/titulares/${telefone}/exportacao`)
    expect(JSON.stringify(exported.body)).toContain('Quer bolo de casamento.')
    await app.request('POST', `/atendimento/conversas/${id}/assumir`)
    await app.request('POST', `/atendimento/conversas/${id}/finalizar`, { silencioso: true })
    expect((await app.request('DELETE', `/lgpd/titulares/${telefone}`)).status).toBe(200)
    expect(await app.app.sql('select from conversas where id = $1', [id])).toEqual([])
  })

  it('does not appear when the AI fails, and the hand-off does not wait for it', async () => {
    app.fake.reset()
    app.fake.answerAlways(() => ({ tipo: 'erro', status: 500 }))
    const before = await questionsToday()
    const telefone = newPhone()
    await customerSays(app.app, telefone, 'oi', 'vocês abrem no domingo?', 'atendente')
    const { id } = await conversaOf(telefone)
    await waitUntil(async () => (await questionsToday()) > before)
    expect((await resumoOf(id))?.ia).toBeUndefined()
    const { body } = await app.request('GET', '/logs')
    expect(JSON.stringify(body)).not.toContain('IA não respondeu')
  })

  it('is not asked for after the AI was switched off while it waited', async () => {
    app.fake.reset()
    await app.saveConfig()
    const released = Promise.withResolvers<void>()
    app.fake.answerAlways(async () => {
      await released.promise
      return { tipo: 'texto', texto: 'Quer saber do domingo.' }
    })
    const ids: string[] = []
    for (const telefone of [newPhone(), newPhone()]) {
      await customerSays(app.app, telefone, 'oi', 'vocês abrem no domingo?', 'atendente')
      ids.push((await conversaOf(telefone)).id)
    }
    await waitUntil(() => app.fake.requests.length === 1)
    await app.saveConfig((config) => ({ ...config, ia: { ...config.ia, ativa: false } }))
    released.resolve()
    await waitUntil(async () => (await resumoOf(ids[0] ?? ''))?.ia !== undefined)
    await app.app.idle()
    expect(app.fake.requests).toHaveLength(1)
  })
})
