import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '#test/database.ts'
import { createProduto } from '#test/produtos/loja-requests.ts'
import type { RecordedDatabase } from '#test/recorded-database.ts'
import { type AtendimentoApp, createRecordedAtendimento } from './atendimento-app.ts'

/** Statements of the requests of an operador. Statements of one list are sent without waiting for each other. */

let database: TestDatabase
let shop: AtendimentoApp
let recorded: RecordedDatabase
let close = (): Promise<void> => Promise.resolve()
beforeAll(async () => {
  ;({ database, recorded, shop, close } = await createRecordedAtendimento())
})
afterAll(() => close())

/** Runs the request and returns the statements of the transactions that contain one of these. */
async function statementsOf(name: string, request: () => Promise<{ status: number }>): Promise<string[][]> {
  await shop.app.idle()
  recorded.transactions.length = 0
  expect((await request()).status).toBe(200)
  return recorded.transactions.filter((names) => names.some((one) => one.startsWith(name)))
}

const ANSWER = ['conversa-uma', 'conversas-ultimas']
const EVENT = ['contatos-travar', 'contatos-conferir']
const COUNTER = ['uso-garantir', 'uso-travar']

describe('statements of a request', () => {
  it('reads the list with one', async () => {
    const { dona } = shop
    const path = '/atendimento/conversas?limite=40&mensagens=0'
    expect(await statementsOf('conversas-', () => dona.request('GET', path))).toEqual([['conversas-2']])
  })

  it('opens a conversa with three, and its mensagens with two', async () => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    const path = `/atendimento/conversas/${id}`
    expect(await statementsOf('conversa', () => dona.request('GET', path))).toEqual([
      [...ANSWER, 'leituras: list of person'],
    ])
    expect(await statementsOf('conversa', () => dona.request('GET', `${path}/mensagens`))).toEqual([
      ['conversa-atendida', 'conversa-mensagens'],
    ])
  })

  it('sends a mensagem with three', async () => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    await dona.act(id, 'assumir')
    expect(await statementsOf('conversas-travar', () => dona.act(id, 'mensagem', { mensagem: 'oi' }))).toEqual([
      ['conversas-travar', 'conversas-conferir', 'operador-enviar'],
    ])
  })

  it.each([
    ['assumir', {}, ['conversa-atendida'], []],
    ['transferir', { setor: 'geral' }, ['conversa-atendida', 'contas-segurar', 'configuracoes-atuais'], []],
    ['devolver', {}, ['conversa-atendida'], COUNTER],
    ['finalizar', {}, ['conversa-atendida'], COUNTER],
  ])('keeps the statements of %s, and locks the counter only to write', async (act, body, find, counter) => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    const [names] = await statementsOf('contatos-travar', () => dona.act(id, act, body))
    const update = `conversa-${act}`
    expect(names?.filter((name) => name !== 'conversas-mudar' && name !== 'logs-inserir')).toEqual([
      ...[...find, ...EVENT, ...counter, 'lote-gravar'],
      ...[update === 'conversa-devolver' ? 'conversa-finalizar' : update, 'conversas-algumas', 'conversas-ultimas'],
    ])
  })

  it('reads the facts of the conta once for acts after a change of them', async () => {
    const { dona } = shop
    const [first, second] = [await shop.newWaitingCustomer(), await shop.newWaitingCustomer()]
    await createProduto(dona)
    const facts = 'ia: find conta'
    expect((await statementsOf('contatos-travar', () => dona.act(first.id, 'assumir')))[0]).toContain(facts)
    expect((await statementsOf('contatos-travar', () => dona.act(second.id, 'assumir')))[0]).not.toContain(facts)
  })

  it('reads the answers of acts that wait together at once', async () => {
    const { dona } = shop
    const ids: string[] = []
    while (ids.length < 6) ids.push((await shop.newWaitingCustomer()).id)
    await shop.app.idle()
    recorded.transactions.length = 0
    const answers = await Promise.all(ids.map((id) => dona.act(id, 'assumir')))
    expect(answers.map(({ status, body }) => [status, Object(body['conversa']).id])).toEqual(ids.map((id) => [200, id]))
    const times = (names: readonly string[], name: string): number => names.filter((one) => one === name).length
    const batches = recorded.transactions.filter((names) => names.includes('conversa-assumir'))
    expect(batches.reduce((sum, names) => sum + times(names, 'conversa-assumir'), 0)).toBe(6)
    // The first acts start alone, and the others wait for them.
    expect(batches.length).toBeLessThan(6)
    for (const names of batches) {
      for (const once of ['conversas-algumas', 'conversas-ultimas']) expect(times(names, once)).toBe(1)
    }
  })

  it.each([
    ['assumir', {}],
    ['transferir', { setor: 'geral' }],
  ])('runs %s while another transaction holds the daily counter', async (act, body) => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    await database.db.transaction(dona.contaId, async (tx) => {
      await tx.query('select 1 from uso_diario where conta_id = $1 for update', [dona.contaId])
      expect((await dona.act(id, act, body)).status).toBe(200)
    })
  })
})
