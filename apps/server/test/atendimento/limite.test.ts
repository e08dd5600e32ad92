import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Tx } from '#db/transaction.ts'
import { waitUntil } from '#test/bot/house.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createAtendimentoApp, type AtendimentoApp } from './posto.ts'

let banco: TestDatabase
let posto: AtendimentoApp
/** Names or texts of the statements of each transaction that stored an operador's mensagem. */
const envios: string[][] = []
beforeAll(async () => {
  banco = await createTestDatabase()
  posto = await createAtendimentoApp({ testDatabase: banco, db: anotada(banco.db) })
})
afterAll(async () => {
  await posto?.close()
  await banco?.drop()
})

function anotada(db: Database): Database {
  return {
    ...db,
    transaction: (contas, fn, plano) => {
      const nomes: string[] = []
      const anotar = (tx: Tx): Tx => ({
        afterCommit: tx.afterCommit,
        get kysely() {
          nomes.push('kysely')
          return tx.kysely
        },
        query: (texto, values) => {
          nomes.push(texto)
          return tx.query(texto, values)
        },
        rows: (schema, texto, values) => {
          nomes.push(texto)
          return tx.rows(schema, texto, values)
        },
        queryNamed: (nome, texto, values) => {
          nomes.push(nome)
          if (nome === 'operador-enviar') envios.push(nomes)
          return tx.queryNamed(nome, texto, values)
        },
      })
      return db.transaction(contas, (tx) => fn(anotar(tx)), plano)
    },
  }
}

const doDia = async (): Promise<Record<string, unknown>> => {
  const [linha] = await posto.app.sql(
    `select u.usadas, (
       select count(*)::int from mensagens m where m.conta_id = u.conta_id and m.direcao = 'saida'
         and m.estado <> 'limite' and m.origem <> 'telefone') as sairam, (
       select count(*)::int from logs l where l.conta_id = u.conta_id and l.mensagem like 'Limite diário%') as avisos
     from uso_diario u where u.conta_id = '${posto.dona.contaId}'`,
  )
  return linha ?? {}
}

async function limitar(limite: number): Promise<void> {
  await posto.app.sql(`update contas set limite_mensagens_dia = ${limite} where id = '${posto.dona.contaId}'`)
  posto.app.deps.bots.contextChanged(posto.dona.contaId)
}

describe('daily limit', () => {
  it('holds exactly under 200 simultaneous mensagens of operadores and bot', async () => {
    const { dona, app } = posto
    const conversas = [await posto.newWaitingCustomer(), await posto.newWaitingCustomer(), await posto.newWaitingCustomer(), await posto.newWaitingCustomer()]
    for (const { id } of conversas) await dona.act(id, 'assumir')
    const antes = Number((await doDia())['usadas'])
    await limitar(antes + 101)
    const envios = Array.from({ length: 150 }, (_, n) =>
      dona.act(conversas[n % 4]?.id ?? '', 'mensagem', { mensagem: `oferta ${n}` }),
    )
    const clientes = Array.from({ length: 50 }, (_, n) => posto.customerSays(`55119333${String(10_000 + n)}`, 'oi'))
    const [respostas] = await Promise.all([Promise.all(envios), Promise.all(clientes)])
    await app.idle()
    const aceitas = respostas.filter(({ status }) => status === 200).length
    expect(new Set(respostas.map(({ status }) => status))).toEqual(new Set([200, 429]))
    expect(await doDia()).toEqual({ usadas: antes + 101, sairam: antes + 101, avisos: 1 })
    const ofertas = async (): Promise<number> => {
      const noTelefone = await Promise.all(conversas.map(({ telefone }) => posto.textsOnPhone(telefone)))
      return noTelefone.flat().filter((texto) => texto.startsWith('oferta')).length
    }
    await waitUntil(async () => (await ofertas()) === aceitas)
  })

  it('answers 429 with usage and reset time and changes nothing', async () => {
    const { dona, rui, app } = posto
    await limitar(100_000)
    const { id } = await posto.newWaitingCustomer()
    const usadas = Number((await doDia())['usadas'])
    await limitar(usadas)
    const antes = await dona.list()
    const { status, body } = await dona.act(id, 'mensagem', { mensagem: 'mais uma', idTemporario: 'negada' })
    expect([status, body]).toMatchObject([
      429,
      { codigo: 'limiteDiario', erro: 'Limite diário de mensagens atingido!', usado: usadas, limite: usadas },
    ])
    const resetEm = String(body['resetEm'])
    const [meiaNoite] = await app.sql(
      `select ((now() at time zone 'America/Sao_Paulo')::date + 1)::timestamp at time zone 'America/Sao_Paulo' as em`,
    )
    expect(new Date(resetEm)).toEqual(meiaNoite?.['em'])
    expect(resetEm).toMatch(/\.000Z$/)
    expect(await dona.list()).toEqual(antes)
    // A raised limit applies immediately, and the refused idTemporario can be used again.
    await limitar(usadas + 1)
    expect((await dona.act(id, 'mensagem', { mensagem: 'mais uma', idTemporario: 'negada' })).status).toBe(200)
    const ecos = (): unknown[] =>
      rui.events.filter(({ dados }) => 'idTemporario' in dados && dados.idTemporario === 'negada')
    await waitUntil(() => ecos().length > 0)
    expect(ecos()).toHaveLength(1)
  })

  it('counts a mensagem in the insert statement, without an extra statement', async () => {
    const { dona, rui } = posto
    await limitar(100_000)
    const { id } = await posto.newWaitingCustomer()
    await dona.act(id, 'mensagem', { mensagem: 'a primeira toma a conversa' })
    const usadas = Number((await doDia())['usadas'])
    envios.length = 0
    expect((await dona.act(id, 'mensagem', { mensagem: 'a segunda' })).status).toBe(200)
    expect(envios).toEqual([['conversas-travar', 'conversas-conferir', 'operador-enviar']])
    expect((await doDia())['usadas']).toBe(usadas + 1)
    expect((await rui.act(id, 'mensagem', { mensagem: 'de quem não a tem' })).status).toBe(409)
    expect((await doDia())['usadas']).toBe(usadas + 1)
  })

  it('checks the limit after all other reasons to refuse', async () => {
    const { dona, rui } = posto
    await limitar(100_000)
    const [{ id: tomada }, { id: finda }] = [await posto.newWaitingCustomer(), await posto.newWaitingCustomer()]
    await rui.act(tomada, 'assumir')
    await rui.act(finda, 'finalizar')
    await limitar(Number((await doDia())['usadas']))
    const codigos = await Promise.all(
      ['01900000-0000-7000-8000-000000000002', tomada, finda].map(
        async (id) => (await dona.act(id, 'mensagem', { mensagem: 'oi' })).body['codigo'],
      ),
    )
    expect(codigos).toEqual(['naoEncontrado', 'conversaAssumida', 'conversaFinalizada'])
  })
})
