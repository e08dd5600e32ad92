import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ate } from '#test/bot/house.ts'
import { abertas, chegar, createEquipe, type Equipe, ligarBot, type Pessoa } from './casa.ts'

let casa: Equipe
let loja: Pessoa
beforeAll(async () => {
  casa = await createEquipe()
  loja = await casa.dono('Seu Zé')
  await ligarBot(loja)
})
afterAll(() => casa.close())

const esperam = async (): Promise<number> =>
  (
    await casa.sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
    )
  ).length

/** Acts on a customer's conversation are held where they begin, until `meanwhile` has seen them wait and is over. */
async function segurar(conversaId: string, meanwhile: () => Promise<void>): Promise<void> {
  const cliente = await casa.banco.owner.connect()
  try {
    await cliente.query('begin')
    await cliente.query(
      `select 1 from contatos where id = (select contato_id from conversas where id = $1) for update`,
      [conversaId],
    )
    await meanwhile()
    await cliente.query('commit')
  } finally {
    cliente.release()
  }
}

const umaDe = async (id: string) => (await abertas(loja)).find((conversa) => conversa.id === id)

describe('who is removed at the moment of taking a customer', () => {
  it.each([
    ['by taking', '5511911220001', 'assumir', undefined],
    ['by writing', '5511911220002', 'mensagem', { mensagem: 'pois não' }],
  ])('%s does not have them: the customer waits for somebody who is there', async (_como, telefone, ato, corpo) => {
    const operadora = await casa.operador(loja, { nome: 'Olga' })
    const id = await chegar(loja, telefone)
    let tomada = operadora.pedir('GET', '/auth/eu')
    await segurar(id, async () => {
      await tomada
      tomada = operadora.pedir('POST', `/atendimento/conversas/${id}/${ato}`, corpo)
      await ate(async () => (await esperam()) > 0)
      expect((await loja.pedir('DELETE', `/conta/operadores/${operadora.usuario.id}`)).status).toBe(200)
    })
    expect(await tomada).toMatchObject({ status: 409, body: { codigo: 'conflito' } })
    const conversa = await umaDe(id)
    expect(conversa).toMatchObject({ status: 'aguardando' })
    expect(conversa).not.toHaveProperty('operadorId')
    expect(conversa?.mensagens.map(({ texto }) => texto)).not.toContain('pois não')
  })
})

describe('a sector that goes away at the moment of a transfer', () => {
  it('keeps nobody: the customer waits in Geral', async () => {
    const id = await chegar(loja, '5511911220003')
    const { pedir } = loja
    let respostas: ReturnType<typeof pedir>[] = []
    await segurar(id, async () => {
      const transferida = pedir('POST', `/atendimento/conversas/${id}/transferir`, { setor: 'suporte' })
      await ate(async () => (await esperam()) === 1)
      let feita = false
      const removido = pedir('DELETE', '/atendimento/setores/suporte').finally(() => (feita = true))
      await ate(async () => feita || (await esperam()) === 2)
      respostas = [transferida, removido]
    })
    expect((await Promise.all(respostas)).map(({ status }) => status)).toEqual([200, 200])
    expect(await umaDe(id)).toMatchObject({ status: 'aguardando', setor: 'geral' })
  })
})
