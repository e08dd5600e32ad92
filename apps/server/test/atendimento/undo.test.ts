import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { notasRoute } from '@balcao/contract/routes/notas'
import { firstLine } from '#db/statement/line.ts'
import { type Answer, type TestUser, waitUntil } from '#test/app.ts'
import { givenOperador } from '#test/builders.ts'
import { type AtendimentoApp, type AtendimentoUser, createAtendimentoApp } from './atendimento-app.ts'

let shop: AtendimentoApp
let vera: TestUser
beforeAll(async () => {
  shop = await createAtendimentoApp()
  const { app, dona } = shop
  vera = await givenOperador(app, dona, { nome: 'Vera' })
  await app.sql(`update usuarios set setores = '["vendas"]' where id = $1`, [vera.usuario.id])
})
afterAll(() => shop.close())

type Requester = Pick<AtendimentoUser, 'request'>
const act = ({ request }: Requester, id: string, action: string, body?: unknown): Promise<Answer> =>
  request('POST', `/atendimento/conversas/${id}/${action}`, body)
const undo = (user: Requester, id: string): Promise<Answer> => act(user, id, 'desfazer')
const conversaOf = async ({ request }: Requester, id: string): Promise<Conversa> =>
  conversaHumanaRoute.response.parse((await request('GET', `/atendimento/conversas/${id}`)).body).conversa
const REFUSED = { status: 409, body: { codigo: 'desfazerVencido' } }
const FINISH = { esperaSegundos: 30 }

/** Columns that an undo restores. `revisao` grows with each change. */
async function stateOf(id: string): Promise<object> {
  const [row = {}] = await shop.app.sql(
    `select v.status, v.setor, v.operador_id, v.operador, v.assumida_em, v.aguardando_desde, v.primeira_resposta_em,
       v.sem_resposta_desde, v.nao_lidas, v.finalizada_em, v.motivo_fim, v.ultima_atividade,
       c.estado ->> 'etapa' as etapa, c.estado ->> 'setor' as etapa_setor
     from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id where v.id = $1`,
    [id],
  )
  return row
}

type ActName = 'assumir' | 'transferir' | 'soltar' | 'finalizar'
const ACTS: readonly ActName[] = ['assumir', 'transferir', 'soltar', 'finalizar']

interface Ready {
  readonly id: string
  readonly telefone: string
  readonly before: object
}

/** A conversa on which Rui did the act, with its state before it. */
async function givenAct(name: ActName): Promise<Ready> {
  const { id, telefone } = await shop.newWaitingCustomer()
  const { rui } = shop
  if (name !== 'assumir') await act(rui, id, 'assumir')
  if (name === 'transferir') {
    await act(rui, id, 'mensagem', { mensagem: 'Olá!' })
    await shop.app.idle()
  }
  const before = await stateOf(id)
  const bodies = { assumir: undefined, soltar: undefined, transferir: { setor: 'vendas' }, finalizar: FINISH }
  expect((await act(rui, id, name, bodies[name])).status).toBe(200)
  expect(await stateOf(id)).not.toEqual(before)
  return { id, telefone, before }
}

describe('POST /atendimento/conversas/:id/desfazer', () => {
  it.each(ACTS)('restores person, queue place and wait after %s, once', async (name) => {
    const { id, before } = await givenAct(name)
    const answer = await undo(shop.rui, id)
    expect(answer.status).toBe(200)
    const { conversa } = conversaHumanaRoute.response.parse(answer.body)
    expect(await stateOf(id)).toEqual(before)
    expect(conversa.status).toBe(name === 'assumir' ? 'aguardando' : 'em_atendimento')
    expect(await undo(shop.rui, id)).toMatchObject(REFUSED)
    const evento = name === 'finalizar' ? 'conversaReaberta' : 'conversaTransferida'
    const { revisao } = conversa
    await waitUntil(() =>
      shop.dona.events.some((one) => {
        if (one.evento === 'conversaReaberta') return one.evento === evento && one.dados.conversa.revisao === revisao
        return one.evento === 'conversaTransferida' && one.dados.situacao?.revisao === revisao
      }),
    )
  })

  it.each(ACTS)('refuses %s after 2 minutes', async (name) => {
    const { id } = await givenAct(name)
    await shop.app.sql(`update atos_desfaziveis set em = em - interval '121 seconds' where conversa_id = $1`, [id])
    const after = await stateOf(id)
    expect(await undo(shop.rui, id)).toMatchObject(REFUSED)
    expect(await stateOf(id)).toEqual(after)
  })

  it.each(ACTS)('refuses %s of another person', async (name) => {
    const { id } = await givenAct(name)
    expect(await undo(shop.dona, id)).toMatchObject(REFUSED)
  })

  it.each(['assumir', 'transferir', 'soltar'] as const)('refuses %s after a message of the customer', async (name) => {
    const { id, telefone } = await givenAct(name)
    await shop.customerSays(telefone, 'alguém aí?')
    await waitUntil(async () => (await conversaOf(shop.dona, id)).mensagens.at(-1)?.texto === 'alguém aí?')
    const after = await stateOf(id)
    expect(await undo(shop.rui, id)).toMatchObject(REFUSED)
    expect(await stateOf(id)).toEqual(after)
  })

  it.each(['transferir', 'soltar'] as const)('refuses %s after a colleague acted', async (name) => {
    const { id } = await givenAct(name)
    expect((await act(shop.dona, id, 'assumir')).status).toBe(200)
    expect((await act(shop.dona, id, 'soltar')).status).toBe(200)
    expect(await undo(shop.rui, id)).toMatchObject(REFUSED)
  })

  it('restores the earlier pass and the time to answer after a release', async () => {
    const passAndTimer = (id: string) =>
      shop.app.sql(
        `select (select em from passagens where conversa_id = $1) as passou,
           (select vence_em from prazos where conversa_id = $1 and tipo = 'resposta' and operador_id = $2) as responder`,
        [id, shop.rui.id],
      )
    const timer = (id: string) =>
      shop.app.sql(
        `insert into prazos (conta_id, conversa_id, tipo, vence_em, operador_id)
         values ($1, $2, 'resposta', now() + interval '5 minutes', $3)`,
        [shop.dona.contaId, id, shop.rui.id],
      )
    const { id } = await shop.newWaitingCustomer()
    await act(shop.rui, id, 'assumir')
    await timer(id)
    const before = await passAndTimer(id)
    expect(before).toMatchObject([{ passou: null, responder: expect.any(Date) }])
    await act(shop.rui, id, 'soltar')
    expect((await passAndTimer(id))[0]?.['passou']).toBeInstanceOf(Date)
    // The timer ended while the customer waited, a minute after the release.
    await shop.app.sql(`delete from prazos where conversa_id = $1 and tipo = 'resposta'`, [id])
    await shop.app.sql(`update atos_desfaziveis set em = em - interval '1 minute' where conversa_id = $1`, [id])
    expect((await undo(shop.rui, id)).status).toBe(200)
    const [after] = await passAndTimer(id)
    expect(after?.['passou']).toBeNull()
    const left = Number(after?.['responder']) - Number(before[0]?.['responder'])
    expect(left).toBeGreaterThanOrEqual(60_000)
    expect(left).toBeLessThan(90_000)

    await act(shop.rui, id, 'soltar')
    await act(shop.rui, id, 'assumir')
    const [passed] = await passAndTimer(id)
    await act(shop.rui, id, 'soltar')
    expect((await undo(shop.rui, id)).status).toBe(200)
    expect((await passAndTimer(id))[0]?.['passou']).toEqual(passed?.['passou'])
  })

  it('takes back a transfer out of the own setores', async () => {
    const { id } = await shop.newWaitingCustomer()
    await act(shop.dona, id, 'transferir', { setor: 'vendas' })
    expect((await act(vera, id, 'transferir', { setor: 'suporte' })).status).toBe(200)
    expect((await vera.request('GET', `/atendimento/conversas/${id}`)).status).toBe(404)
    expect(await undo(vera, id)).toMatchObject({ status: 200, body: { conversa: { setor: 'vendas' } } })
    expect((await vera.request('GET', `/atendimento/conversas/${id}`)).status).toBe(200)
  })

  it('hides the conversa of other setores, of another conta and unknown ids', async () => {
    const { id } = await givenAct('transferir')
    await act(shop.rui, id, 'transferir', { setor: 'suporte' })
    for (const user of [vera, shop.vizinha]) expect((await undo(user, id)).status).toBe(404)
    expect((await undo(shop.rui, 'nada')).status).toBe(404)
  })

  it('refuses to restore an inactive person', async () => {
    const { id } = await shop.newWaitingCustomer()
    await act(vera, id, 'assumir')
    await act(shop.dona, id, 'transferir', { setor: 'suporte' })
    await shop.app.sql(`update usuarios set status = 'inativo' where id = $1`, [vera.usuario.id])
    const after = await stateOf(id)
    expect(await undo(shop.dona, id)).toMatchObject(REFUSED)
    expect(await stateOf(id)).toEqual(after)
    await shop.app.sql(`update usuarios set status = 'ativo' where id = $1`, [vera.usuario.id])
    expect((await undo(shop.dona, id)).status).toBe(200)
  })

  it('lets one of an undo and a simultaneous act of a colleague win', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { id } = await givenAct('soltar')
      const [undone, taken] = await Promise.all([undo(shop.rui, id), act(shop.dona, id, 'assumir')])
      expect([undone.status, taken.status].toSorted((one, other) => one - other)).toEqual([200, 409])
      const { operador } = await conversaOf(shop.dona, id)
      expect(operador).toBe(undone.status === 200 ? 'Rui' : 'Dona')
    }
  })

  it('ignores a notice of the bot that no person is online', async () => {
    const { id, telefone } = await givenAct('transferir')
    await shop.app.deps.db.transaction(shop.dona.contaId, async (tx) => {
      const { rows } = await tx.query<{ contato_id: string }>('select contato_id from conversas where id = $1', [id])
      const notice = { tipo: 'avisoAutomatico', texto: 'Já voltamos.' } as const
      await shop.app.deps.applyEventIn(
        tx,
        { ...firstLine(shop.dona.contaId), contatoId: String(rows[0]?.contato_id) },
        (base) => ({
          ...notice,
          ...base,
        }),
      )
    })
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).includes('Já voltamos.'))
    expect((await undo(shop.rui, id)).status).toBe(200)
  })
})

describe('POST /atendimento/conversas/:id/assumir with deColega', () => {
  const notasOf = async (id: string): Promise<string[]> =>
    notasRoute.response
      .parse((await shop.dona.request('GET', `/atendimento/conversas/${id}/notas`)).body)
      .notas.map(({ texto }) => texto)

  it('gives the owner the conversa of a colleague with a nota, and gives it back', async () => {
    const { id } = await givenAct('assumir')
    const answer = await act(shop.dona, id, 'assumir', { deColega: true })
    expect(answer).toMatchObject({ status: 200, body: { conversa: { operador: 'Dona', status: 'em_atendimento' } } })
    expect(await notasOf(id)).toEqual(['Dona assumiu a conversa de Rui.'])
    await waitUntil(() =>
      shop.rui.events.some(
        ({ evento, dados }) =>
          evento === 'conversaTransferida' && dados.conversaId === id && dados.operadorId === shop.dona.id,
      ),
    )
    expect((await undo(shop.dona, id)).body).toMatchObject({ conversa: { operador: 'Rui' } })
  })

  it('answers operadores 409 and leaves the colleague', async () => {
    const { id } = await givenAct('assumir')
    expect(await act(vera, id, 'assumir', { deColega: true })).toMatchObject({
      status: 409,
      body: { codigo: 'conversaAssumida', operador: 'Rui' },
    })
    expect(await notasOf(id)).toEqual([])
  })

  it('takes a waiting conversa without a nota', async () => {
    const { id } = await shop.newWaitingCustomer()
    expect((await act(shop.dona, id, 'assumir', { deColega: true })).status).toBe(200)
    expect(await notasOf(id)).toEqual([])
  })
})
