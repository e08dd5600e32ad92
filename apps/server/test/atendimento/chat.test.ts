import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fichaDoClienteRoute, mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { ate } from '#test/bot/house.ts'
import { createPosto, type Posto } from './posto.ts'

let posto: Posto
beforeAll(async () => {
  posto = await createPosto()
})
afterAll(() => posto.close())

const pagina = async (id: string, query: Record<string, string> = {}) => {
  const caminho = `/atendimento/conversas/${id}/mensagens?${new URLSearchParams(query).toString()}`
  const { status, body } = await posto.dona.pedir('GET', caminho)
  expect(status).toBe(200)
  return mensagensDaConversaRoute.response.parse(body)
}

describe('GET /atendimento/conversas/:id', () => {
  it('returns the list’s fields, also when finished, and 404 for a conversa of the bot', async () => {
    const { dona, casa } = posto
    const { id } = await posto.chegar()
    const ler = async () => (await dona.pedir('GET', `/atendimento/conversas/${id}`)).body['conversa']
    expect(await ler()).toEqual((await dona.listar()).find((uma) => uma.id === id))
    await dona.agir(id, 'finalizar')
    expect(await ler()).toMatchObject({ id, status: 'finalizada' })
    await posto.clienteDiz('5511944440001', 'oi')
    const [doBot] = await casa.sql(`select id from conversas where protocolo is null`)
    expect((await dona.pedir('GET', `/atendimento/conversas/${String(doBot?.['id'])}`)).status).toBe(404)
  })

  it('returns as many mensagens as requested and always the last mensagem', async () => {
    const { dona } = posto
    const { id } = await posto.chegar()
    await dona.agir(id, 'mensagem', { mensagem: 'a última' })
    const com = async (mensagens: string) =>
      (await dona.listar(`mensagens=${mensagens}`)).find((conversa) => conversa.id === id)
    for (const quantas of [0, 1, 3]) {
      const conversa = await com(String(quantas))
      expect(conversa?.mensagens.map(({ texto }) => texto)).toHaveLength(quantas)
      expect(conversa?.ultimaMensagem?.texto).toBe('a última')
    }
    expect((await com('3'))?.mensagens.at(-1)?.texto).toBe('a última')
    for (const errado of ['-1', '101', 'x']) {
      expect((await dona.pedir('GET', `/atendimento/conversas?mensagens=${errado}`)).status).toBe(400)
    }
  })
})

describe('GET /atendimento/conversas/:id/mensagens', () => {
  it('pages from the end, oldest first, without gaps or repeats while new mensagens arrive', async () => {
    const { dona } = posto
    const { id } = await posto.chegar()
    for (let n = 0; n < 7; n += 1) await dona.agir(id, 'mensagem', { mensagem: `n${n}` })
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
      await dona.agir(id, 'mensagem', { mensagem: 'mais' })
    } while (cursor !== undefined)
    expect(vistas).toEqual(todas)
    expect((await pagina(id, { limite: '200' })).proximoCursor).toBeUndefined()
    const recusa = await dona.pedir('GET', `/atendimento/conversas/${id}/mensagens?cursor=x`)
    expect(recusa.status).toBe(400)
  })
})

describe('GET /atendimento/conversas/:id/cliente', () => {
  it('returns earlier conversas with their notas, newest first', async () => {
    const { dona } = posto
    const { id: primeira, telefone } = await posto.chegar()
    const ficha = async (id: string) =>
      fichaDoClienteRoute.response.parse((await dona.pedir('GET', `/atendimento/conversas/${id}/cliente`)).body)
    expect(await ficha(primeira)).toEqual({
      anteriores: [],
      totalAnteriores: 0,
      avaliacoes: { total: 0, notaMedia: null },
    })
    await dona.agir(primeira, 'assumir')
    await dona.agir(primeira, 'finalizar')
    await posto.clienteDiz(telefone, '4')
    await posto.clienteDiz(telefone, 'oi, outra coisa')
    await posto.clienteDiz(telefone, 'atendente')
    const segunda = await ate(
      async () => (await dona.listar()).find(({ cliente }) => cliente.telefone === telefone) ?? null,
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
    const { dona, vizinha, casa } = posto
    const { id, telefone } = await posto.chegar()
    const antes = await dona.listar()
    for (let vez = 0; vez < 5; vez += 1) {
      expect((await dona.pedir('POST', '/simulador/digitando', { telefone })).status).toBe(200)
    }
    const ditos = () => dona.eventos.filter(({ evento }) => evento === 'clienteDigitando')
    await ate(() => ditos().length > 0)
    expect(ditos()).toMatchObject([{ dados: { userId: dona.contaId, conversaId: id } }])
    expect(await dona.listar()).toEqual(antes)
    await posto.clienteDiz('5511944440002', 'oi')
    await dona.pedir('POST', '/simulador/digitando', { telefone: '5511944440002' })
    await dona.pedir('POST', '/simulador/digitando', { telefone: '5511944440003' })
    const outra = await posto.chegar()
    await dona.pedir('POST', '/simulador/digitando', { telefone: outra.telefone })
    await ate(() => ditos().length > 1)
    expect(ditos().map(({ dados }) => ('conversaId' in dados ? dados.conversaId : ''))).toEqual([id, outra.id])
    expect(vizinha.eventos.filter(({ evento }) => evento === 'clienteDigitando')).toEqual([])
    expect((await vizinha.pedir('POST', '/simulador/digitando', { telefone })).status).toBe(409)
    await casa.ocioso()
  })

  it('accepts typing of the operador in charge without counting, and refuses others', async () => {
    const { dona, rui, casa } = posto
    const { id } = await posto.chegar()
    const contas = () =>
      casa.sql(
        'select (select count(*) from mensagens), (select sum(usadas) from uso_diario), (select count(*) from saida)',
      )
    const antes = await contas()
    expect((await dona.agir(id, 'digitando')).body).toEqual({ sucesso: true })
    await dona.agir(id, 'assumir')
    expect((await dona.agir(id, 'digitando')).status).toBe(200)
    expect(await contas()).toEqual(antes)
    expect((await rui.agir(id, 'digitando')).body).toMatchObject({ codigo: 'conversaAssumida', operador: 'Dona' })
    await dona.agir(id, 'finalizar')
    expect((await dona.agir(id, 'digitando')).body['codigo']).toBe('conversaFinalizada')
  })
})
