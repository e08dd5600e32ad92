import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { CONTATO_TABLES } from '#modules/enderecos/move-rows.ts'
import { createFakeMeta, type FakeMeta } from './fake-meta.ts'
import { type MetaLoja, startMetaLoja, untilSettled } from './meta-loja.ts'
import { createMetaPerson, type MetaNames, type MetaPerson, nowSeconds } from './meta-person.ts'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { givenConta, openConversas } from '#test/builders.ts'

/** One customer, whatever Meta calls them: phone, id of the business (BSUID), and changes of both. */

let meta: FakeMeta
let app: TestApp
let loja: MetaLoja
let people = 0

beforeAll(async () => {
  meta = await createFakeMeta()
  app = await createTestApp({ oficialUrl: meta.url, oficialTimings: { confirmationMs: 50, reconnectDelay: () => 50 } })
  loja = await startMetaLoja(app, meta)
})
afterAll(async () => {
  await app.close()
  await meta.close()
})

interface Quem extends MetaPerson {
  readonly name: string
  readonly old: { readonly number: string; readonly userId: string }
  readonly fresh: { readonly number: string; readonly userId: string }
}

/** A person with a unique name. SQL finds all their rows by this name. */
function pessoa(apelido: string): Quem {
  people += 1
  const digits = String(people).padStart(4, '0')
  const name = `${apelido} ${digits}`
  return {
    ...createMetaPerson({ meta, webhook: () => loja.webhook(app), name }),
    name,
    old: { number: `551193001${digits}`, userId: `BR.100${digits}A` },
    fresh: { number: `551193002${digits}`, userId: `BR.200${digits}B` },
  }
}

const thirdOf = ({ fresh }: Quem) => ({
  number: fresh.number.replace('5511930', '5511931'),
  userId: `${fresh.userId}C`,
})

const lido = () => waitUntil(async () => (await app.sql('select 1 from oficial_chegadas')).length === 0)
const settled = () => untilSettled(app)
const contatosDe = ({ name }: Quem) =>
  app.sql('select id, telefone, endereco, estado from contatos where nome = $1 order by id', [name])
const conversasDe = ({ name }: Quem) =>
  app.sql(
    `select v.id, v.status, v.motivo_fim, v.protocolo from conversas v
     join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id where c.nome = $1 order by v.id`,
    [name],
  )
const textosDe = async ({ name }: Quem): Promise<unknown[]> =>
  (
    await app.sql(
      `select m.texto from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
       join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
       where c.nome = $1 and m.direcao = 'entrada' order by m.id`,
      [name],
    )
  ).map(({ texto }) => texto)

async function naFila(quem: Quem, names: MetaNames = quem.old): Promise<string> {
  await quem.says(names, 'atendente')
  const conversa = await waitUntil(async () => {
    const open = (await conversasDe(quem)).filter(({ status }) => status === 'aguardando')
    return open.at(-1) ?? null
  })
  await settled()
  return String(conversa['id'])
}
const dizer = async (conversaId: string, mensagem: string): Promise<number> =>
  (await app.request('POST', `/atendimento/conversas/${conversaId}/mensagem`, { mensagem })).status
const conversa = async (id: string): Promise<Conversa> =>
  conversaHumanaRoute.response.parse((await app.request('GET', `/atendimento/conversas/${id}`)).body).conversa
const saiu = (texto: string) => waitUntil(() => meta.messages.find(({ text }) => text?.body === texto) ?? null)

describe('phone and user id', () => {
  it('keeps contato, conversa and operador when only the user id is left', async () => {
    const quem = pessoa('Ana')
    const id = await naFila(quem)
    await dizer(id, 'pois não')
    await quem.says({ userId: quem.old.userId }, 'ainda sou eu')
    await settled()
    expect(await contatosDe(quem)).toMatchObject([{ telefone: quem.old.number }])
    expect(await conversasDe(quem)).toMatchObject([{ id, status: 'em_atendimento' }])
    await dizer(id, 'olá de novo, Ana')
    expect(await saiu('olá de novo, Ana')).toMatchObject({ recipient: quem.old.userId })
  })

  it('keeps the stop request and the privacy notice under the user id alone', async () => {
    await app.request('PUT', '/lgpd/privacidade', { aviso: { ativo: true } })
    const quem = pessoa('Bia')
    await quem.says(quem.old, 'oi')
    await settled()
    expect((await quem.hasRead(quem.old, 3)).some((texto) => texto.startsWith('🔒'))).toBe(true)
    await quem.says(quem.old, 'PARAR')
    await settled()
    await quem.says({ userId: quem.old.userId }, 'oi')
    await settled()
    expect(quem.received({ userId: quem.old.userId })).toEqual([])
    await quem.says({ userId: quem.old.userId }, 'VOLTAR')
    await quem.says({ userId: quem.old.userId }, 'menu')
    await settled()
    await app.request('PUT', '/lgpd/privacidade', { aviso: { ativo: false } })
    expect(await contatosDe(quem)).toHaveLength(1)
    expect(quem.received({ userId: quem.old.userId }).map(({ text }) => text?.body.slice(0, 2))).not.toContain('🔒')
  })

  it('answers a hidden phone with recipient and joins the phone later', async () => {
    const quem = pessoa('Caio')
    const hidden = { userId: quem.old.userId }
    await quem.says(hidden, 'oi')
    await quem.hasRead(hidden, 2)
    expect(quem.received(hidden).every(({ to }) => to === undefined)).toBe(true)
    expect(await contatosDe(quem)).toMatchObject([{ telefone: '' }])
    await quem.says(quem.old, '4')
    await settled()
    expect(await contatosDe(quem)).toMatchObject([{ telefone: quem.old.number }])
    expect(await conversasDe(quem)).toHaveLength(1)
    expect(await textosDe(quem)).toEqual(['oi', '4'])
  })

  it('joins two contatos when phone and user id arrive together', async () => {
    const quem = pessoa('Davi')
    await quem.says({ number: quem.old.number }, 'pelo número')
    await lido()
    await quem.says({ userId: quem.old.userId }, 'sem número')
    await settled()
    expect(await contatosDe(quem)).toHaveLength(2)
    await quem.says(quem.old, 'os dois')
    await settled()
    expect(await contatosDe(quem)).toHaveLength(1)
    expect(await textosDe(quem)).toEqual(['pelo número', 'sem número', 'os dois'])
  })

  it('learns the user id from the status of an answer', async () => {
    const quem = pessoa('Eva')
    await quem.says({ number: quem.old.number }, 'oi')
    await quem.hasRead({ number: quem.old.number }, 2)
    const [sent] = quem.received({ number: quem.old.number })
    if (sent === undefined) throw new Error('no message sent')
    await quem.isDelivered(sent, quem.old)
    await settled()
    await quem.says({ userId: quem.old.userId }, '4')
    await settled()
    expect(await contatosDe(quem)).toMatchObject([{ telefone: quem.old.number }])
  })

  it('keeps the order of messages that name the person differently', async () => {
    const quem = pessoa('Fábio')
    await app.request('POST', '/bot/parar')
    const at = nowSeconds()
    const written = ['um', 'dois', 'três', 'quatro', 'cinco', 'seis']
    for (const [index, texto] of written.entries()) {
      const names = [quem.old, { userId: quem.old.userId }, { number: quem.old.number }][index % 3] ?? quem.old
      await quem.says(names, texto, { at: at + index })
    }
    await app.request('POST', '/bot/iniciar')
    await waitUntil(async () => (await app.request('GET', '/bot/status')).body['status'] === 'CONECTADO')
    await settled()
    expect(await textosDe(quem)).toEqual(written)
    expect(await contatosDe(quem)).toHaveLength(1)
  })
})

describe('system notices', () => {
  it('follows a new number and never writes to the old one again', async () => {
    const quem = pessoa('Gil')
    const id = await naFila(quem)
    await dizer(id, 'um momento')
    await settled()
    const before = quem.received(quem.old).length
    await quem.moves({ from: quem.old, to: quem.fresh })
    await settled()
    await dizer(id, 'ainda aí, Gil?')
    expect(await saiu('ainda aí, Gil?')).toMatchObject({ to: quem.fresh.number })
    // A late message, delivered after the notice.
    await quem.says(quem.old, 'mandei antes de trocar', { at: nowSeconds() - 60 })
    await settled()
    await dizer(id, 'recebi, Gil')
    expect(await saiu('recebi, Gil')).toMatchObject({ to: quem.fresh.number })
    expect(quem.received(quem.old)).toHaveLength(before)
    expect(await contatosDe(quem)).toMatchObject([{ telefone: quem.fresh.number }])
    expect((await conversa(id)).cliente.telefone).toBe(quem.fresh.number)
    expect(await textosDe(quem)).toEqual(['atendente', 'mandei antes de trocar'])
    await quem.says(quem.fresh, 'número novo')
    await settled()
    expect(await conversasDe(quem)).toMatchObject([{ id, status: 'em_atendimento' }])
  })

  it('answers a late message at the new address', async () => {
    const quem = pessoa('Hugo')
    await quem.says(quem.old, 'oi')
    await settled()
    const before = quem.received(quem.old).length
    await quem.moves({ from: quem.old, to: quem.fresh })
    await quem.says({ number: quem.old.number }, '4')
    await quem.says({ userId: quem.old.userId }, 'menu')
    await settled()
    expect(quem.received(quem.old)).toHaveLength(before)
    expect(quem.received(quem.fresh).length).toBeGreaterThan(1)
    expect(await contatosDe(quem)).toHaveLength(1)
  })

  it('follows a new user id without a phone and stops using the known phone', async () => {
    const quem = pessoa('Iara')
    const id = await naFila(quem)
    const before = quem.received(quem.old).length
    await quem.moves({ from: { userId: quem.old.userId }, to: { userId: quem.fresh.userId } })
    await settled()
    await dizer(id, 'oi, Iara')
    const sent = await saiu('oi, Iara')
    expect([sent.to, sent.recipient]).toEqual([undefined, quem.fresh.userId])
    expect(quem.received(quem.old)).toHaveLength(before)
    await quem.says({ userId: quem.fresh.userId }, 'sou eu')
    await settled()
    expect(await contatosDe(quem)).toHaveLength(1)
  })

  it('reads older forms of the notice', async () => {
    const quem = pessoa('João')
    await quem.says({ number: quem.old.number }, 'oi')
    await settled()
    const system = { type: 'customer_changed_number', wa_id: undefined, new_wa_id: quem.fresh.number }
    await quem.moves({ from: { number: quem.old.number }, to: quem.fresh, system: { ...system, user_id: undefined } })
    await quem.says({ number: quem.fresh.number }, '4')
    await settled()
    expect(await contatosDe(quem)).toMatchObject([{ telefone: quem.fresh.number }])
  })

  it('changes nothing when a notice repeats', async () => {
    const quem = pessoa('Kátia')
    const id = await naFila(quem)
    await dizer(id, 'certo')
    const move = { from: quem.old, to: quem.fresh, at: nowSeconds(), id: 'wamid.KATIA' }
    await quem.moves(move)
    await quem.says(quem.fresh, 'troquei')
    await settled()
    const rows = async (): Promise<unknown> => [
      await app.sql('select * from contatos where nome = $1', [quem.name]),
      await app.sql('select e.* from enderecos e join contatos c on c.id = e.contato_id where c.nome = $1 order by 2', [
        quem.name,
      ]),
      await app.sql('select v.* from conversas v join contatos c on c.id = v.contato_id where c.nome = $1', [
        quem.name,
      ]),
    ]
    const before = await rows()
    await quem.moves(move)
    await quem.moves({ ...move, id: 'wamid.KATIA-2' })
    await settled()
    expect(await rows()).toEqual(before)
  })

  it('sends what was queued for the old number to the new one', async () => {
    const quem = pessoa('Lia')
    const id = await naFila(quem)
    const before = quem.received(quem.old).length
    meta.queueOutcomes({ status: 429, codigo: 131056, espera: '0.4' })
    await dizer(id, 'guardada, Lia')
    await waitUntil(() => meta.attempts.includes('guardada, Lia'))
    await quem.moves({ from: quem.old, to: quem.fresh })
    expect(await saiu('guardada, Lia')).toMatchObject({ to: quem.fresh.number })
    expect(quem.received(quem.old)).toHaveLength(before)
  })

  it('joins the open conversas of both numbers into the one with its operador', async () => {
    const quem = pessoa('Malu')
    await quem.says(quem.old, 'PARAR')
    const kept = await naFila(quem)
    await dizer(kept, 'já vejo')
    // Messages of the new number arrive before the notice.
    await quem.says(quem.fresh, 'oi')
    const ended = await naFila(quem, quem.fresh)
    await quem.says(quem.fresh, 'alguém aí?')
    await settled()
    const { received } = await app.connect(app.admin)
    await quem.moves({ from: quem.old, to: quem.fresh })
    await settled()
    expect(await contatosDe(quem)).toMatchObject([{ telefone: quem.fresh.number }])
    const open = (await conversasDe(quem)).filter(({ status }) => status !== 'finalizada')
    expect(open).toMatchObject([{ id: kept, status: 'em_atendimento' }])
    expect(await textosDe(quem)).toEqual(['PARAR', 'atendente', 'oi', 'atendente', 'alguém aí?'])
    const shown = await conversa(kept)
    expect(shown).toMatchObject({ operadorId: app.admin.usuario.id, pediuParada: true, naoLidas: 2 })
    expect(shown.mensagens.filter(({ tipo }) => tipo === 'recebida').map(({ texto }) => texto)).toEqual([
      'atendente',
      'oi',
      'atendente',
      'alguém aí?',
    ])
    const eventsOf = (name: string) => received.filter(([event]) => event === name).map(([, data]) => data)
    await waitUntil(() => eventsOf('novaConversaHumana').length > 0)
    expect(eventsOf('conversaFinalizada')).toMatchObject([{ conversaId: ended }])
    expect(eventsOf('novaConversaHumana')).toMatchObject([{ conversa: { id: kept }, atualizada: true }])
    await dizer(kept, 'agora sim, Malu')
    expect(await saiu('agora sim, Malu')).toMatchObject({ to: quem.fresh.number })
  })

  it('ends at the newest number when notices arrive in reverse order', async () => {
    const quem = pessoa('Nina')
    const third = thirdOf(quem)
    const id = await naFila(quem)
    const at = nowSeconds()
    await quem.says(third, 'terceiro número')
    await quem.moves({ from: quem.fresh, to: third, at })
    await quem.moves({ from: quem.old, to: quem.fresh, at: at - 100 })
    await settled()
    await dizer(id, 'qual número, Nina?')
    expect(await saiu('qual número, Nina?')).toMatchObject({ to: third.number })
    expect(await contatosDe(quem)).toMatchObject([{ telefone: third.number }])
  })

  it('keeps the last number when an earlier notice repeats late, whatever its time', async () => {
    const quem = pessoa('Ivo')
    const last = thirdOf(quem)
    const id = await naFila(quem)
    const at = nowSeconds()
    const first = { from: quem.old, to: quem.fresh, at: at - 200 }
    await quem.moves(first)
    await quem.moves({ from: quem.fresh, to: last, at: at - 100 })
    await settled()
    for (const late of [at - 200, at - 100, at]) await quem.moves({ ...first, at: late })
    await quem.moves({ from: { number: quem.old.number }, to: { number: quem.fresh.number }, at: at + 1 })
    await quem.moves({ from: { userId: quem.old.userId }, to: { userId: quem.fresh.userId }, at: at + 1 })
    await settled()
    await dizer(id, 'onde você está, Ivo?')
    expect(await saiu('onde você está, Ivo?')).toMatchObject({ to: last.number })
    expect(await contatosDe(quem)).toMatchObject([{ telefone: last.number, endereco: last.number }])
  })

  it('keeps the last user id when an earlier notice without phones repeats late', async () => {
    const quem = pessoa('Leo')
    const [a, b, c] = [quem.old, quem.fresh, thirdOf(quem)].map(({ userId }) => ({ userId }))
    if (a === undefined || b === undefined || c === undefined) throw new Error('three ids expected')
    const id = await naFila(quem, a)
    await quem.moves({ from: a, to: b })
    await quem.moves({ from: b, to: c })
    await quem.moves({ from: a, to: b, at: nowSeconds() + 60 })
    await settled()
    await dizer(id, 'ainda é você, Leo?')
    expect(await saiu('ainda é você, Leo?')).toMatchObject({ recipient: c.userId })
    expect(await contatosDe(quem)).toHaveLength(1)
  })

  it('follows two notices of one second in the order of arrival', async () => {
    const [onward, back] = [pessoa('Mel'), pessoa('Noa')]
    const last = thirdOf(onward)
    const at = nowSeconds()
    const [onwardId, backId] = [await naFila(onward), await naFila(back)]
    await onward.moves({ from: onward.old, to: onward.fresh, at })
    await onward.moves({ from: onward.fresh, to: last, at })
    await back.moves({ from: back.old, to: back.fresh, at })
    await back.moves({ from: back.fresh, to: back.old, at })
    await settled()
    await dizer(onwardId, 'seguiu, Mel?')
    await dizer(backId, 'voltou, Noa?')
    expect(await saiu('seguiu, Mel?')).toMatchObject({ to: last.number })
    expect(await saiu('voltou, Noa?')).toMatchObject({ to: back.old.number })
    expect(await contatosDe(onward)).toMatchObject([{ telefone: last.number }])
    expect(await contatosDe(back)).toMatchObject([{ telefone: back.old.number }])
  })

  it('keeps a notice until the customer’s first message arrives', async () => {
    const quem = pessoa('Olga')
    await quem.moves({ from: quem.old, to: quem.fresh })
    await waitUntil(async () => (await app.sql('select 1 from oficial_chegadas')).length === 1)
    await quem.says(quem.old, 'primeira, atrasada', { at: nowSeconds() - 60 })
    await settled()
    await quem.says(quem.fresh, 'segunda')
    await settled()
    expect(await contatosDe(quem)).toMatchObject([{ telefone: quem.fresh.number }])
    expect(await textosDe(quem)).toEqual(['primeira, atrasada', 'segunda'])
  })

  it('never joins the earlier owner of a number with its new one', async () => {
    const [quem, earlier, later] = [pessoa('Paula'), pessoa('Quim'), pessoa('Rita')]
    await earlier.says(earlier.old, 'este número era meu')
    await quem.says(quem.old, 'oi')
    await settled()
    await quem.moves({ from: quem.old, to: { number: earlier.old.number, userId: quem.fresh.userId } })
    await settled()
    expect(await contatosDe(earlier)).toHaveLength(1)
    expect(await contatosDe(quem)).toMatchObject([{ telefone: earlier.old.number }])
    expect(await textosDe(quem)).toEqual(['oi'])
    // The number that was given up gets a new owner, whom Meta names with another id.
    const reused = { number: quem.old.number, userId: later.old.userId }
    await later.says(reused, 'comprei este número', { at: nowSeconds() + 1 })
    await settled()
    expect(await textosDe(later)).toEqual(['comprei este número'])
    expect(later.received(reused).length).toBeGreaterThan(0)
    // The repeated notice must not take the number back.
    await quem.moves({
      ...{ from: quem.old, to: { number: earlier.old.number, userId: quem.fresh.userId } },
      at: nowSeconds() - 30,
    })
    await settled()
    expect(await contatosDe(later)).toHaveLength(1)
  })

  it('moves every table that belongs to a contato', async () => {
    const tables = await app.sql(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'contato_id' order by 1`,
    )
    expect(tables.map(({ table_name: name }) => name)).toEqual([...CONTATO_TABLES].toSorted())
  })
})

describe('messages typed on the phone', () => {
  it('silences the bot when the echo has only the user id', async () => {
    const quem = pessoa('Vera')
    const hidden = { userId: quem.old.userId }
    await quem.says(quem.old, 'oi')
    await settled()
    const before = quem.received(quem.old).length
    await quem.isToldOnPhone(hidden, 'aqui é a dona')
    await quem.says(quem.old, '4')
    await quem.says(hidden, 'menu')
    await settled()
    expect(quem.received(quem.old)).toHaveLength(before)
    expect(await contatosDe(quem)).toHaveLength(1)
  })

  it('stays silent for a person whom only the owner has written to', async () => {
    const quem = pessoa('Xexéu')
    await quem.isToldOnPhone({ userId: quem.old.userId }, 'seu pedido chegou')
    await lido()
    await quem.says(quem.old, 'obrigado, quanto é?')
    await settled()
    expect(quem.received(quem.old)).toEqual([])
    expect(await contatosDe(quem)).toMatchObject([{ telefone: quem.old.number }])
  })
})

describe('contas and phones', () => {
  it('keeps the same person apart in two contas', async () => {
    const neighbour = await givenConta(app)
    meta.displayNumber = '+55 11 99000-0002'
    const theirs = await startMetaLoja({ ...app, request: neighbour.request }, meta)
    const quem = pessoa('Sara')
    const there = createMetaPerson({ meta, webhook: () => theirs.webhook(app), name: quem.name })
    await quem.says(quem.old, 'na primeira')
    await there.says(quem.old, 'na segunda')
    await there.moves({ from: quem.old, to: quem.fresh })
    await settled()
    const rows = await app.sql('select conta_id, telefone from contatos where nome = $1 order by telefone', [quem.name])
    expect(rows).toEqual([
      { conta_id: app.admin.contaId, telefone: quem.old.number },
      { conta_id: neighbour.contaId, telefone: quem.fresh.number },
    ])
    expect((await openConversas(neighbour, '?status=finalizada')).length).toBe(0)
  })

  it('never reads a user id as a phone', async () => {
    const [quem, dono] = [pessoa('Tito'), pessoa('Uirá')]
    const id = `BR.${dono.old.number}`
    const lookalike = { userId: id }
    await dono.says({ number: dono.old.number }, 'este é meu número')
    await quem.says(lookalike, 'meu código parece um número')
    // Some integrators report an id in the field of the phone.
    await quem.says({ number: id }, 'de novo')
    await settled()
    expect(await contatosDe(quem)).toMatchObject([{ telefone: '' }])
    expect(await contatosDe(dono)).toMatchObject([{ telefone: dono.old.number }])
    expect(quem.received(lookalike).every(({ to }) => to === undefined)).toBe(true)
    const titular = async (typed: string): Promise<unknown> =>
      Object((await app.request('GET', `/lgpd/titulares/${encodeURIComponent(typed)}`)).body['titular'])['nome']
    expect(await titular(dono.old.number)).toBe(dono.name)
    expect(await titular(id)).toBe(quem.name)
    expect((await app.request('DELETE', `/lgpd/titulares/${id}`)).status).toBe(200)
    expect(await contatosDe(dono)).toHaveLength(1)
  })
})
