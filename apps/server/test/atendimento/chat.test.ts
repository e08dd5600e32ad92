import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { fichaDoClienteRoute } from '@balcao/contract/routes/atendimento-conversa'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const page = async (id: string, query: Record<string, string> = {}) => {
  const path = `/atendimento/conversas/${id}/mensagens?${new URLSearchParams(query).toString()}`
  const { status, body } = await shop.dona.request('GET', path)
  expect(status).toBe(200)
  return mensagensDaConversaRoute.response.parse(body)
}

describe('GET /atendimento/conversas/:id', () => {
  it('returns the list’s fields, also when finished, and 404 for a conversa of the bot', async () => {
    const { dona, app } = shop
    const { id } = await shop.newWaitingCustomer()
    const read = async () => (await dona.request('GET', `/atendimento/conversas/${id}`)).body['conversa']
    expect(await read()).toEqual((await dona.list('visao=todas&limite=200')).find((uma) => uma.id === id))
    await dona.act(id, 'finalizar')
    expect(await read()).toMatchObject({ id, status: 'finalizada' })
    await shop.customerSays('5511944440001', 'oi')
    const [doBot] = await app.sql(`select id from conversas where protocolo is null`)
    expect((await dona.request('GET', `/atendimento/conversas/${String(doBot?.['id'])}`)).status).toBe(404)
  })

  it('returns as many mensagens as requested and always the last mensagem', async () => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    await dona.act(id, 'mensagem', { mensagem: 'a última' })
    const com = async (mensagens: string) =>
      (await dona.list(`mensagens=${mensagens}`)).find((conversa) => conversa.id === id)
    for (const count of [0, 1, 3]) {
      const conversa = await com(String(count))
      expect(conversa?.mensagens.map(({ texto }) => texto)).toHaveLength(count)
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
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    for (let n = 0; n < 7; n += 1) await dona.act(id, 'mensagem', { mensagem: `n${n}` })
    const all = (await page(id)).mensagens.map(({ texto }) => texto)
    expect(all.slice(-7)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'])
    let seen: string[] = []
    let cursor: string | undefined
    do {
      const { mensagens, proximoCursor } = await page(id, {
        limite: '3',
        ...(cursor === undefined ? {} : { cursor }),
      })
      expect(mensagens.length).toBeLessThanOrEqual(3)
      seen = [...mensagens.map(({ texto }) => texto), ...seen]
      cursor = proximoCursor
      await dona.act(id, 'mensagem', { mensagem: 'mais' })
    } while (cursor !== undefined)
    expect(seen).toEqual(all)
    expect((await page(id, { limite: '200' })).proximoCursor).toBeUndefined()
    const refusal = await dona.request('GET', `/atendimento/conversas/${id}/mensagens?cursor=x`)
    expect(refusal.status).toBe(400)
  })
})

describe('GET /atendimento/conversas/:id/cliente', () => {
  it('returns earlier conversas with their notas and lines, newest first', async () => {
    const { dona } = shop
    const { id: first, telefone } = await shop.newWaitingCustomer()
    const ficha = async (id: string) =>
      fichaDoClienteRoute.response.parse((await dona.request('GET', `/atendimento/conversas/${id}/cliente`)).body)
    expect(await ficha(first)).toEqual({
      anteriores: [],
      totalAnteriores: 0,
      avaliacoes: { total: 0, notaMedia: null },
      resumo: { caminho: [], produtos: [], ultimas: ['oi', 'atendente'], motivo: 'pediu um atendente' },
    })
    await dona.act(first, 'assumir')
    await dona.act(first, 'finalizar')
    await shop.customerSays(telefone, '4')
    await shop.customerSays(telefone, 'oi, outra coisa')
    await shop.customerSays(telefone, 'atendente')
    const second = await waitUntil(
      async () => (await dona.list()).find(({ cliente }) => cliente.telefone === telefone) ?? null,
    )
    const { anteriores, ...totals } = await ficha(second.id)
    const linha = { nome: 'Principal', conector: 'simulador' }
    expect(anteriores).toMatchObject([
      { id: first, status: 'finalizada', operador: 'Dona', nota: 4, setor: 'geral', linha },
    ])
    expect(totals).toMatchObject({ totalAnteriores: 1, avaliacoes: { total: 1, notaMedia: 4 } })
  })
})

describe('typing events', () => {
  it('publishes a customer’s typing for open conversas, throttled, without storing it', async () => {
    const { dona, vizinha, app } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const before = await dona.list()
    for (let vez = 0; vez < 5; vez += 1) {
      expect((await dona.request('POST', '/simulador/digitando', { telefone })).status).toBe(200)
    }
    const ditos = () => dona.events.filter(({ evento }) => evento === 'clienteDigitando')
    await waitUntil(() => ditos().length > 0)
    expect(ditos()).toMatchObject([{ dados: { userId: dona.contaId, conversaId: id } }])
    expect(await dona.list()).toEqual(before)
    await shop.customerSays('5511944440002', 'oi')
    await dona.request('POST', '/simulador/digitando', { telefone: '5511944440002' })
    await dona.request('POST', '/simulador/digitando', { telefone: '5511944440003' })
    const other = await shop.newWaitingCustomer()
    await dona.request('POST', '/simulador/digitando', { telefone: other.telefone })
    await waitUntil(() => ditos().length > 1)
    expect(ditos().map(({ dados }) => ('conversaId' in dados ? dados.conversaId : ''))).toEqual([id, other.id])
    expect(vizinha.events.filter(({ evento }) => evento === 'clienteDigitando')).toEqual([])
    expect((await vizinha.request('POST', '/simulador/digitando', { telefone })).status).toBe(409)
    await app.idle()
  })

  it('accepts typing of the operador in charge without counting, and ignores late ones', async () => {
    const { dona, rui, app } = shop
    const { id } = await shop.newWaitingCustomer()
    const contas = () =>
      app.sql(
        'select (select count(*) from mensagens), (select sum(usadas) from uso_diario), (select count(*) from saida)',
      )
    const before = await contas()
    expect((await dona.act(id, 'digitando')).body).toEqual({ sucesso: true })
    await dona.act(id, 'assumir')
    expect((await dona.act(id, 'digitando')).status).toBe(200)
    expect(await contas()).toEqual(before)
    expect((await rui.act(id, 'digitando')).body).toEqual({ sucesso: true })
    await dona.act(id, 'finalizar')
    expect((await dona.act(id, 'digitando')).body).toEqual({ sucesso: true })
    const { id: other } = await shop.newWaitingCustomer()
    await rui.act(other, 'digitando')
    const shown = () => dona.events.flatMap(({ evento, dados }) => (evento === 'colegaDigitando' ? [dados] : []))
    await waitUntil(() => shown().some(({ operador }) => operador === 'Rui'))
    expect(shown().flatMap(({ conversaId, operador }) => (operador === 'Rui' ? [conversaId] : []))).toEqual([other])
  })
})
