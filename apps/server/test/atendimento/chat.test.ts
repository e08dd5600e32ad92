import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fichaDoClienteRoute, mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { waitUntil } from '#test/bot/house.ts'
import { createAtendimentoApp, type AtendimentoApp } from './posto.ts'

let posto: AtendimentoApp
beforeAll(async () => {
  posto = await createAtendimentoApp()
})
afterAll(() => posto.close())

const pagina = async (id: string, query: Record<string, string> = {}) => {
  const caminho = `/atendimento/conversas/${id}/mensagens?${new URLSearchParams(query).toString()}`
  const { status, body } = await posto.dona.request('GET', caminho)
  expect(status).toBe(200)
  return mensagensDaConversaRoute.response.parse(body)
}

describe('GET /atendimento/conversas/:id', () => {
  it('returns the list’s fields, also when finished, and 404 for a conversa of the bot', async () => {
    const { dona, app } = posto
    const { id } = await posto.newWaitingCustomer()
    const ler = async () => (await dona.request('GET', `/atendimento/conversas/${id}`)).body['conversa']
    expect(await ler()).toEqual((await dona.list()).find((uma) => uma.id === id))
    await dona.act(id, 'finalizar')
    expect(await ler()).toMatchObject({ id, status: 'finalizada' })
    await posto.customerSays('5511944440001', 'oi')
    const [doBot] = await app.sql(`select id from conversas where protocolo is null`)
    expect((await dona.request('GET', `/atendimento/conversas/${String(doBot?.['id'])}`)).status).toBe(404)
  })

  it('returns as many mensagens as requested and always the last mensagem', async () => {
    const { dona } = posto
    const { id } = await posto.newWaitingCustomer()
    await dona.act(id, 'mensagem', { mensagem: 'a última' })
    const com = async (mensagens: string) =>
      (await dona.list(`mensagens=${mensagens}`)).find((conversa) => conversa.id === id)
    for (const quantas of [0, 1, 3]) {
      const conversa = await com(String(quantas))
      expect(conversa?.mensagens.map(({ texto }) => texto)).toHaveLength(quantas)
      expect(conversa?.ultimaMensagem?.texto).toBe('a última')
    }
    expect((await com('3'))?.mensagens.at(-1)?.texto).toBe('a última')
    for (const errado of ['-1', '101', 'x']) {
      expect((await dona.request('GET', `/atendimento/conversas?mensagens=${errado}`)).status).toBe(400)
    }
  })
})

describe('GET /atendimento/conversas/:id/mensagens', () => {
  it('pages from the end, oldest first, without gaps or repeats while new mensagens arrive', async () => {
    const { dona } = posto
    const { id } = await posto.newWaitingCustomer()
    for (let n = 0; n < 7; n += 1) await dona.act(id, 'mensagem', { mensagem: `n${n}` })
    const todas = (await pagina(id)).mensagens.map(({ texto }) => texto)
    expect(todas.slice(-7)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'])
    let vistas: string[] = []
    let cursor: string | undefined
    do {
      const { mensagens, proximoCursor } = await pagina(id, {
        limite: '3',
        ...(cursor === undefined ? {} : { cursor }),
      })
      expect(mensagens.length).toBeLessThanOrEqual(3)
      vistas = [...mensagens.map(({ texto }) => texto), ...vistas]
      cursor = proximoCursor
      await dona.act(id, 'mensagem', { mensagem: 'mais' })
    } while (cursor !== undefined)
    expect(vistas).toEqual(todas)
    expect((await pagina(id, { limite: '200' })).proximoCursor).toBeUndefined()
    const recusa = await dona.request('GET', `/atendimento/conversas/${id}/mensagens?cursor=x`)
    expect(recusa.status).toBe(400)
  })
})

describe('GET /atendimento/conversas/:id/cliente', () => {
  it('returns earlier conversas with their notas, newest first', async () => {
    const { dona } = posto
    const { id: primeira, telefone } = await posto.newWaitingCustomer()
    const ficha = async (id: string) =>
      fichaDoClienteRoute.response.parse((await dona.request('GET', `/atendimento/conversas/${id}/cliente`)).body)
    expect(await ficha(primeira)).toEqual({
      anteriores: [],
      totalAnteriores: 0,
      avaliacoes: { total: 0, notaMedia: null },
    })
    await dona.act(primeira, 'assumir')
    await dona.act(primeira, 'finalizar')
    await posto.customerSays(telefone, '4')
    await posto.customerSays(telefone, 'oi, outra coisa')
    await posto.customerSays(telefone, 'atendente')
    const segunda = await waitUntil(
      async () => (await dona.list()).find(({ cliente }) => cliente.telefone === telefone) ?? null,
    )
    const { anteriores, ...totais } = await ficha(segunda.id)
    expect(anteriores).toMatchObject([
      { id: primeira, status: 'finalizada', operador: 'Dona', nota: 4, setor: 'geral' },
    ])
    expect(totais).toEqual({ totalAnteriores: 1, avaliacoes: { total: 1, notaMedia: 4 } })
  })
})

describe('typing events', () => {
  it('publishes a customer’s typing for open conversas, throttled, without storing it', async () => {
    const { dona, vizinha, app } = posto
    const { id, telefone } = await posto.newWaitingCustomer()
    const antes = await dona.list()
    for (let vez = 0; vez < 5; vez += 1) {
      expect((await dona.request('POST', '/simulador/digitando', { telefone })).status).toBe(200)
    }
    const ditos = () => dona.events.filter(({ evento }) => evento === 'clienteDigitando')
    await waitUntil(() => ditos().length > 0)
    expect(ditos()).toMatchObject([{ dados: { userId: dona.contaId, conversaId: id } }])
    expect(await dona.list()).toEqual(antes)
    await posto.customerSays('5511944440002', 'oi')
    await dona.request('POST', '/simulador/digitando', { telefone: '5511944440002' })
    await dona.request('POST', '/simulador/digitando', { telefone: '5511944440003' })
    const outra = await posto.newWaitingCustomer()
    await dona.request('POST', '/simulador/digitando', { telefone: outra.telefone })
    await waitUntil(() => ditos().length > 1)
    expect(ditos().map(({ dados }) => ('conversaId' in dados ? dados.conversaId : ''))).toEqual([id, outra.id])
    expect(vizinha.events.filter(({ evento }) => evento === 'clienteDigitando')).toEqual([])
    expect((await vizinha.request('POST', '/simulador/digitando', { telefone })).status).toBe(409)
    await app.idle()
  })

  it('accepts typing of the operador in charge without counting, and refuses others', async () => {
    const { dona, rui, app } = posto
    const { id } = await posto.newWaitingCustomer()
    const contas = () =>
      app.sql(
        'select (select count(*) from mensagens), (select sum(usadas) from uso_diario), (select count(*) from saida)',
      )
    const antes = await contas()
    expect((await dona.act(id, 'digitando')).body).toEqual({ sucesso: true })
    await dona.act(id, 'assumir')
    expect((await dona.act(id, 'digitando')).status).toBe(200)
    expect(await contas()).toEqual(antes)
    expect((await rui.act(id, 'digitando')).body).toMatchObject({ codigo: 'conversaAssumida', operador: 'Dona' })
    await dona.act(id, 'finalizar')
    expect((await dona.act(id, 'digitando')).body['codigo']).toBe('conversaFinalizada')
  })
})
