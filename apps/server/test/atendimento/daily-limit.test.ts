import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AtendimentoApp, createRecordedAtendimento } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'
import type { RecordedDatabase } from '#test/recorded-database.ts'

let shop: AtendimentoApp
let recorded: RecordedDatabase
let close = (): Promise<void> => Promise.resolve()
beforeAll(async () => {
  ;({ recorded, shop, close } = await createRecordedAtendimento())
})
afterAll(() => close())

const doDia = async (): Promise<Record<string, unknown>> => {
  const [line] = await shop.app.sql(
    `select u.usadas, (
       select count(*)::int from mensagens m where m.conta_id = u.conta_id and m.direcao = 'saida'
         and m.estado <> 'limite' and m.origem <> 'telefone') as sairam, (
       select count(*)::int from logs l where l.conta_id = u.conta_id and l.mensagem like 'Limite diário%') as avisos
     from uso_diario u where u.conta_id = '${shop.dona.contaId}'`,
  )
  return line ?? {}
}

async function limitar(limite: number): Promise<void> {
  await shop.app.sql(`update contas set limite_mensagens_dia = ${limite} where id = '${shop.dona.contaId}'`)
  shop.app.deps.bots.contextChanged(shop.dona.contaId)
}

describe('daily limit', () => {
  it('holds exactly under 200 simultaneous mensagens of operadores and bot', async () => {
    const { dona, app } = shop
    const conversas = [
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
    ]
    for (const { id } of conversas) await dona.act(id, 'assumir')
    const before = Number((await doDia())['usadas'])
    await limitar(before + 101)
    const envios = Array.from({ length: 150 }, (_, n) =>
      dona.act(conversas[n % 4]?.id ?? '', 'mensagem', { mensagem: `oferta ${n}` }),
    )
    const clientes = Array.from({ length: 50 }, (_, n) => shop.customerSays(`55119333${String(10_000 + n)}`, 'oi'))
    const [respostas] = await Promise.all([Promise.all(envios), Promise.all(clientes)])
    await app.idle()
    const accepted = respostas.filter(({ status }) => status === 200).length
    expect(new Set(respostas.map(({ status }) => status))).toEqual(new Set([200, 429]))
    expect(await doDia()).toEqual({ usadas: before + 101, sairam: before + 101, avisos: 1 })
    const ofertas = async (): Promise<number> => {
      const noTelefone = await Promise.all(conversas.map(({ telefone }) => shop.textsOnPhone(telefone)))
      return noTelefone.flat().filter((text) => text.startsWith('oferta')).length
    }
    await waitUntil(async () => (await ofertas()) === accepted)
  })

  it('answers 429 with usage and reset time and changes nothing', async () => {
    const { dona, rui, app } = shop
    await limitar(100_000)
    const { id } = await shop.newWaitingCustomer()
    const used = Number((await doDia())['usadas'])
    await limitar(used)
    const before = await dona.list()
    const { status, body } = await dona.act(id, 'mensagem', { mensagem: 'mais uma', idTemporario: 'negada' })
    expect([status, body]).toMatchObject([
      429,
      { codigo: 'limiteDiario', erro: 'Limite diário de mensagens atingido!', usado: used, limite: used },
    ])
    const resetEm = String(body['resetEm'])
    const [meiaNoite] = await app.sql(
      `select ((now() at time zone 'America/Sao_Paulo')::date + 1)::timestamp at time zone 'America/Sao_Paulo' as em`,
    )
    expect(new Date(resetEm)).toEqual(meiaNoite?.['em'])
    expect(resetEm).toMatch(/\.000Z$/)
    expect(await dona.list()).toEqual(before)
    // A raised limit applies immediately, and the refused idTemporario can be used again.
    await limitar(used + 1)
    expect((await dona.act(id, 'mensagem', { mensagem: 'mais uma', idTemporario: 'negada' })).status).toBe(200)
    // The server publishes the mensagem when it is stored, and again when it was sent.
    const estados = (): unknown[] =>
      rui.events.flatMap(({ dados }) =>
        'idTemporario' in dados && 'mensagem' in dados && dados.conversaId === id ? [dados.mensagem.estado] : [],
      )
    await waitUntil(() => estados().length >= 2)
    expect(estados()).toEqual(['pendente', 'enviada'])
  })

  it('counts a mensagem in the insert statement, without an extra statement', async () => {
    const { dona, rui } = shop
    await limitar(100_000)
    const { id } = await shop.newWaitingCustomer()
    await dona.act(id, 'mensagem', { mensagem: 'a primeira toma a conversa' })
    const used = Number((await doDia())['usadas'])
    recorded.transactions.length = 0
    expect((await dona.act(id, 'mensagem', { mensagem: 'a segunda' })).status).toBe(200)
    const sends = recorded.transactions.filter((names) => names.includes('operador-enviar'))
    expect(sends).toEqual([['conversas-travar', 'conversas-conferir', 'operador-enviar']])
    expect((await doDia())['usadas']).toBe(used + 1)
    expect((await rui.act(id, 'mensagem', { mensagem: 'de quem não a tem' })).status).toBe(409)
    expect((await doDia())['usadas']).toBe(used + 1)
  })

  it('checks the limit after all other reasons to refuse', async () => {
    const { dona, rui } = shop
    await limitar(100_000)
    const [{ id: taken }, { id: finda }] = [await shop.newWaitingCustomer(), await shop.newWaitingCustomer()]
    await rui.act(taken, 'assumir')
    await rui.act(finda, 'finalizar')
    await limitar(Number((await doDia())['usadas']))
    const codes = await Promise.all(
      ['01900000-0000-7000-8000-000000000002', taken, finda].map(
        async (id) => (await dona.act(id, 'mensagem', { mensagem: 'oi' })).body['codigo'],
      ),
    )
    expect(codes).toEqual(['naoEncontrado', 'conversaAssumida', 'conversaFinalizada'])
  })
})
