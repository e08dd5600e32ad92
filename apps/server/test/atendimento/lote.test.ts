import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { conversaSchema } from '@balcao/contract/entities/conversa'
import { etiquetaSchema } from '@balcao/contract/entities/etiqueta'
import { givenOperador } from '#test/builders.ts'
import type { RecordedDatabase } from '#test/recorded-database.ts'
import { type AtendimentoApp, createRecordedAtendimento } from './atendimento-app.ts'

let shop: AtendimentoApp
let recorded: RecordedDatabase
let close = (): Promise<void> => Promise.resolve()
beforeAll(async () => {
  ;({ shop, recorded, close } = await createRecordedAtendimento())
})
afterAll(() => close())

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const answerSchema = z.object({ conversa: conversaSchema })

const lote = (body: object, quem = shop.dona) => quem.request('POST', '/atendimento/lote', body)
let made = 0
/** Waiting test conversas, stored directly: their route allows few requests a minute. */
async function newConversas(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => {
    made += 1
    const numbered = (kind: number): string => `0190000${kind}-0000-7000-8000-${String(made).padStart(12, '0')}`
    return {
      contato: numbered(1),
      conversa: numbered(2),
      mensagem: numbered(3),
      telefone: String(5511966000000 + made),
    }
  })
  await shop.app.sql(`
with i as (select * from jsonb_to_recordset('${JSON.stringify(rows)}')
    as i (contato uuid, conversa uuid, mensagem uuid, telefone text)),
k as (select '${shop.dona.contaId}'::uuid as id),
c as (
  insert into contatos (conta_id, id, nome, telefone, endereco, conversa_id, ultima_atividade, ultimo_id)
  select k.id, i.contato, 'Cliente', i.telefone, i.telefone, i.conversa, now(), i.mensagem from i, k),
v as (
  insert into conversas (conta_id, id, contato_id, status, setor, protocolo, teste, nao_lidas, iniciada_em,
    aguardando_desde, ultima_atividade, sem_resposta_desde)
  select k.id, i.conversa, i.contato, 'aguardando', 'geral', 'lote-' || i.telefone, true, 1, now(), now(), now(), now()
  from i, k)
insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, id_externo, estado, simulada, criada_em)
select k.id, i.mensagem, i.conversa, 'entrada', 'cliente', 'oi', 'simulador', i.mensagem::text, 'entregue', true, now()
from i, k`)
  return rows.map(({ conversa }) => conversa)
}
const read = async (id: string, quem = shop.dona) => {
  const { body } = await quem.request('GET', `/atendimento/conversas/${id}`)
  return answerSchema.parse(body).conversa
}
const newEtiqueta = async (nome: string): Promise<string> => {
  const { body } = await shop.dona.request('POST', '/etiquetas', { nome, cor: 'blue' })
  return z.object({ etiqueta: etiquetaSchema }).parse(body).etiqueta.id
}
const etiquetasOf = async (conversaId: string) =>
  shop.app.sql(`select e.nome from conversas v join contatos_etiquetas t on t.contato_id = v.contato_id
    join etiquetas e on e.id = t.etiqueta_id where v.id = '${conversaId}' order by e.nome`)

describe('POST /atendimento/lote', () => {
  it('finishes 98 of 100 conversas and refuses each other one with its code', async () => {
    const ids = await newConversas(99)
    const [finished = '', ...open] = ids
    await shop.dona.act(finished, 'finalizar')
    await shop.app.idle()
    recorded.transactions.length = 0
    const { status, body } = await lote({ ato: 'finalizar', conversaIds: [...ids, UNKNOWN] })
    expect(status).toBe(200)
    expect(body).toEqual({
      feitas: open,
      recusadas: [
        { id: finished, codigo: 'conversaFinalizada' },
        { id: UNKNOWN, codigo: 'naoEncontrado' },
      ],
    })
    const ending = recorded.transactions.filter((names) => names.includes('conversa-finalizar'))
    expect(ending.length).toBeLessThanOrEqual(6)
    expect((await read(open[50] ?? '')).status).toBe('finalizada')
  })

  it('transfers together and refuses only those of another person', async () => {
    const [one = '', other = '', taken = ''] = await newConversas(3)
    await shop.dona.act(taken, 'assumir')
    const { dona, rui } = shop
    const body = { ato: 'transferir', conversaIds: [one, taken, other], operadorId: dona.id, motivo: 'folga' }
    expect((await lote(body, rui)).body).toEqual({
      feitas: [one, other],
      recusadas: [{ id: taken, codigo: 'conversaAssumida' }],
    })
    expect(await read(other)).toMatchObject({ operadorId: dona.id, status: 'em_atendimento' })
  })

  it('adds and removes etiquetas of 100 customers with one statement each', async () => {
    const [vip, nova] = [await newEtiqueta('VIP'), await newEtiqueta('Nova')]
    const ids = await newConversas(100)
    await lote({ ato: 'etiquetar', conversaIds: ids, adicionar: [nova] })
    await shop.app.idle()
    recorded.transactions.length = 0
    const { body } = await lote({ ato: 'etiquetar', conversaIds: ids, adicionar: [vip], remover: [nova] })
    expect(body).toEqual({ feitas: ids, recusadas: [] })
    expect(recorded.transactions.find((names) => names.includes('contatos: add etiquetas'))).toHaveLength(5)
    expect(await etiquetasOf(ids[99] ?? '')).toEqual([{ nome: 'VIP' }])
    expect((await lote({ ato: 'etiquetar', conversaIds: ids, adicionar: [UNKNOWN] })).status).toBe(400)
  })

  it('keeps the etiquetas of two people who tag the same customers at the same time', async () => {
    const [azul, verde] = [await newEtiqueta('Azul'), await newEtiqueta('Verde')]
    const ids = await newConversas(100)
    const answers = await Promise.all([
      lote({ ato: 'etiquetar', conversaIds: ids, adicionar: [azul] }),
      lote({ ato: 'etiquetar', conversaIds: ids.toReversed(), adicionar: [verde] }, shop.rui),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const tagged = await Promise.all([ids[0], ids[50], ids[99]].map((id = '') => etiquetasOf(id)))
    expect(tagged).toEqual(Array.from({ length: 3 }, () => [{ nome: 'Azul' }, { nome: 'Verde' }]))
  })

  it('marks as read, as unread and with a reminder, for the person alone', async () => {
    const ids = await newConversas(2)
    const mark = async (body: object) => {
      expect((await lote({ ...body, conversaIds: [...ids, UNKNOWN] })).body).toEqual({
        feitas: ids,
        recusadas: [{ id: UNKNOWN, codigo: 'naoEncontrado' }],
      })
      return (await read(ids[0] ?? '')).minha
    }
    expect(await mark({ ato: 'leitura', marcada: true })).toMatchObject({ marcada: true })
    expect(await mark({ ato: 'leitura' })).toMatchObject({ marcada: false, naoLidas: 0 })
    const em = new Date(Date.now() + 3_600_000).toISOString()
    expect(await mark({ ato: 'lembrar', em })).toMatchObject({ lembrarEm: em })
    expect((await read(ids[0] ?? '', shop.rui)).minha).toMatchObject({ naoLidas: 1, marcada: false })
    expect((await lote({ ato: 'lembrar', conversaIds: ids, em: new Date().toISOString() })).status).toBe(400)
  })

  it('refuses conversas of a setor that the operador does not serve', async () => {
    const [closed = '', open = ''] = await newConversas(2)
    await shop.app.sql(`update conversas set setor = 'financeiro' where id = '${closed}'`)
    const vera = await givenOperador(shop.app, shop.dona, { nome: 'Vera', setores: ['vendas'] })
    const refused = { feitas: [open], recusadas: [{ id: closed, codigo: 'naoEncontrado' }] }
    for (const act of [{ ato: 'leitura' }, { ato: 'etiquetar', adicionar: [] }, { ato: 'finalizar' }]) {
      const { body } = await vera.request('POST', '/atendimento/lote', { ...act, conversaIds: [closed, open] })
      expect(body).toEqual(refused)
    }
  })

  it('refuses conversas of another conta, repeated ids and more than 100', async () => {
    const [id = ''] = await newConversas(1)
    const foreign = await lote({ ato: 'finalizar', conversaIds: [id] }, shop.vizinha)
    expect(foreign.body).toEqual({ feitas: [], recusadas: [{ id, codigo: 'naoEncontrado' }] })
    for (const conversaIds of [[], [id, id], Array.from({ length: 101 }, (_, n) => `c${n}`)]) {
      expect((await lote({ ato: 'finalizar', conversaIds })).status).toBe(400)
    }
    expect((await lote({ ato: 'apagar', conversaIds: [id] })).status).toBe(400)
  })
})

describe('POST /contatos/lote', () => {
  it('adds and removes etiquetas and refuses unknown contatos', async () => {
    const etiqueta = await newEtiqueta('Atacado')
    const rows = await shop.app.sql(`select id from contatos where conta_id = '${shop.dona.contaId}' limit 50`)
    const ids = rows.map((row) => String(row['id']))
    const change = (body: object) => shop.dona.request('POST', '/contatos/lote', body)
    expect((await change({ contatoIds: [...ids, UNKNOWN, 'nada'], adicionar: [etiqueta] })).body).toEqual({
      feitas: ids,
      recusadas: [UNKNOWN, 'nada'].map((id) => ({ id, codigo: 'naoEncontrado' })),
    })
    const tagged = () => shop.app.sql(`select 1 from contatos_etiquetas where etiqueta_id = '${etiqueta}'`)
    expect(await tagged()).toHaveLength(50)
    await change({ contatoIds: ids.slice(0, 20), remover: [etiqueta] })
    expect(await tagged()).toHaveLength(30)
  })
})
