import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { contatosComBotList } from '@balcao/contract/routes/atendimento'
import { iniciarConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import { notasRoute } from '@balcao/contract/routes/notas'
import { type Answer, type TestUser, waitUntil } from '#test/app.ts'
import { givenOperador } from '#test/builders.ts'
import { type AtendimentoApp, type AtendimentoUser, createAtendimentoApp } from './atendimento-app.ts'

let shop: AtendimentoApp
let vera: TestUser
beforeAll(async () => {
  shop = await createAtendimentoApp()
  vera = await givenOperador(shop.app, ownerOf(shop), { nome: 'Vera', setores: ['vendas'] })
})
afterAll(() => shop.close())

let phones = 0
const newPhone = (): string => `5511913${String(100_000 + (phones += 1))}`

/** The owner as `givenOperador` takes it. */
function ownerOf({ app, dona }: AtendimentoApp): TestUser {
  return { ...app.admin, request: dona.request, contaId: dona.contaId }
}

type Requester = Pick<TestUser, 'request'>
const start = ({ request }: Requester, body: unknown): Promise<Answer> =>
  request('POST', '/atendimento/conversas', body)
const actAs = ({ request }: Requester, id: string, act: string, body?: unknown): Promise<Answer> =>
  request('POST', `/atendimento/conversas/${id}/${act}`, body)
const started = ({ body }: Answer): Conversa => iniciarConversaRoute.response.parse(body).conversa
const rowOf = async (id: string) => (await shop.app.sql('select * from conversas where id = $1', [id]))[0] ?? {}
const withBot = async ({ request }: Requester = shop.rui, query = '') =>
  contatosComBotList.response.parse((await request('GET', `/atendimento/conversas?status=bot${query}`)).body).conversas
const botEntryOf = async (telefone: string) =>
  waitUntil(async () => (await withBot()).find(({ cliente }) => cliente.telefone === telefone) ?? null)
const heard = ({ events }: AtendimentoUser, evento: string, id: string) =>
  waitUntil(
    () =>
      events.findLast((one) => {
        if (one.evento !== evento) return false
        const { conversa, conversaId } = { conversa: { id: '' }, conversaId: '', ...one.dados }
        return conversa.id === id || conversaId === id
      }) ?? null,
  )

describe('POST /atendimento/conversas', () => {
  it('opens a conversa with a new contato and delivers the message and the answer to the person', async () => {
    const { rui, dona } = shop
    const telefone = newPhone()
    const answer = await start(rui, { telefone: `+55 (11) ${telefone.slice(4)}`, nome: 'Lia', mensagem: 'Oi, Lia!' })
    expect(answer.status).toBe(201)
    const conversa = started(answer)
    expect(conversa).toMatchObject({
      ...{ status: 'em_atendimento', operador: 'Rui', setor: 'geral', naoLidas: 0 },
      cliente: { nome: 'Lia', telefone },
      mensagens: [{ texto: 'Oi, Lia!', origem: 'operador' }],
    })
    expect(conversa.protocolo).toMatch(/^\d{8}-\d{4}$/)
    expect(answer.body['mensagem']).toMatchObject({ texto: 'Oi, Lia!', estado: 'pendente' })
    expect(await heard(dona, 'novaConversaHumana', conversa.id)).toMatchObject({ dados: { atualizada: true } })
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).includes('Oi, Lia!'))
    await shop.customerSays(telefone, 'oi', 'Lia do Zap')
    await waitUntil(async () => (await rowOf(conversa.id))['nao_lidas'] === 1)
    const named = await shop.app.sql('select nome from contatos where telefone = $1', [telefone])
    expect(named).toEqual([{ nome: 'Lia' }])
    await shop.app.idle()
    expect(await shop.textsOnPhone(telefone)).toEqual(['Oi, Lia!'])
    // The customer did not wait, so the response times leave the conversa out.
    const report = (await dona.request('GET', '/atendimento/estatisticas')).body
    expect(report['tempoMedioRespostaMs']).toBeNull()
  })

  it('refuses an open conversa with its id and operador', async () => {
    const { rui, dona } = shop
    const telefone = newPhone()
    const { id, contatoId } = started(await start(rui, { telefone }))
    for (const body of [{ telefone }, { contatoId }]) {
      expect(await start(dona, { ...body, mensagem: 'oi' })).toMatchObject({
        status: 409,
        body: { codigo: 'conversaAberta', conversaId: id, operadorId: rui.id, operador: 'Rui' },
      })
    }
    const waiting = await shop.newWaitingCustomer()
    const refused = await start(rui, { telefone: waiting.telefone })
    expect(refused).toMatchObject({ status: 409, body: { codigo: 'conversaAberta', conversaId: waiting.id } })
    expect(refused.body).not.toHaveProperty('operador')
  })

  it('refuses an invalid phone, an unknown contato and a setor that the operador may not use', async () => {
    const { rui } = shop
    for (const telefone of ['', '1234', 'abc', '9'.repeat(20)]) {
      const { status, body } = await start(rui, { telefone })
      expect([telefone, status, body['codigo']]).toEqual([telefone, 400, 'dadosInvalidos'])
      expect(String(body['erro'])).toContain('DDD')
    }
    const contatoId = '01900000-0000-7000-8000-000000000002'
    for (const body of [{}, { contatoId, telefone: newPhone() }, { telefone: newPhone(), mensagem: ' ' }]) {
      expect((await start(rui, body)).status).toBe(400)
    }
    for (const id of [contatoId, 'nada']) expect((await start(rui, { contatoId: id })).status).toBe(404)
    const telefone = newPhone()
    for (const [who, setor] of [
      [rui, 'lua'],
      [vera, 'suporte'],
    ] as const) {
      expect((await start(who, { telefone, setor })).body['codigo']).toBe('setorDesconhecido')
    }
    expect(await shop.app.sql('select 1 from contatos where telefone = $1', [telefone])).toEqual([])
    expect(started(await start(vera, { telefone })).setor).toBe('vendas')
  })

  it('takes a customer from the bot in the same conversa, also after PARAR', async () => {
    const { rui, vizinha } = shop
    const telefone = newPhone()
    await shop.customerSays(telefone, 'oi')
    const entry = await botEntryOf(telefone)
    expect(entry).toMatchObject({ cliente: { nome: 'Bia', telefone }, etapa: 'menu' })
    expect(entry.ultimaMensagem?.texto).toContain('1')
    expect(await withBot(vera, `&busca=${telefone}`)).toHaveLength(1)
    expect(await withBot(vizinha)).toEqual([])
    const { contatoId } = entry
    expect((await start(vizinha, { contatoId })).status).toBe(404)
    const conversa = started(await start(rui, { contatoId }))
    expect(conversa.mensagens.length).toBeGreaterThan(1)
    expect((await withBot()).map((one) => one.contatoId)).not.toContain(contatoId)
    await shop.app.idle()
    const said = await shop.textsOnPhone(telefone)
    await shop.customerSays(telefone, 'menu')
    await shop.app.idle()
    expect(await shop.textsOnPhone(telefone)).toEqual(said)

    const stopped = newPhone()
    await shop.customerSays(stopped, 'oi')
    await shop.customerSays(stopped, 'parar')
    await waitUntil(async () => !(await withBot()).some(({ cliente }) => cliente.telefone === stopped))
    const reply = await start(rui, { telefone: stopped, mensagem: 'Seu pedido chegou.' })
    expect(started(reply)).toMatchObject({ pediuParada: true, status: 'em_atendimento' })
    await waitUntil(async () => (await shop.textsOnPhone(stopped)).at(-1) === 'Seu pedido chegou.')
  })

  it('starts another conversa after the visit to the bot expired', async () => {
    const telefone = newPhone()
    await shop.customerSays(telefone, 'oi')
    const { contatoId } = await botEntryOf(telefone)
    await shop.app.idle()
    await shop.app.sql(`update contatos set ultima_atividade = now() - interval '3 days' where id = $1`, [contatoId])
    expect((await withBot()).map((one) => one.contatoId)).not.toContain(contatoId)
    const conversa = started(await start(shop.rui, { contatoId }))
    expect(conversa.mensagens).toEqual([])
    const ends = await shop.app.sql(
      `select motivo_fim from conversas where contato_id = $1 and status = 'finalizada'`,
      [contatoId],
    )
    expect(ends).toEqual([{ motivo_fim: 'expirada' }])
  })
})

describe('POST /atendimento/conversas/:id/reabrir', () => {
  it('gives a finished conversa to the caller, with its protocolo, and drops the rating question', async () => {
    const { rui, dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    await dona.act(id, 'assumir')
    await dona.act(id, 'finalizar')
    const before = await rowOf(id)
    const reopened = await rui.act(id, 'reabrir')
    expect(reopened).toMatchObject({
      status: 200,
      body: { conversa: { id, status: 'em_atendimento', operador: 'Rui', protocolo: before['protocolo'] } },
    })
    expect(reopened.body['conversa']).not.toHaveProperty('finalizadaEm')
    expect(Number((await rowOf(id))['revisao'])).toBeGreaterThan(Number(before['revisao']))
    await heard(dona, 'conversaReaberta', id)
    await shop.customerSays(telefone, '5')
    await waitUntil(async () => (await rowOf(id))['nao_lidas'] === 1)
    expect(await shop.app.sql('select 1 from avaliacoes where conversa_id = $1', [id])).toEqual([])
    expect((await rui.act(id, 'reabrir')).body).toMatchObject({
      ...{ codigo: 'conversaAberta', conversaId: id, operador: 'Rui' },
    })
    await rui.act(id, 'finalizar')
    expect((await dona.list('status=finalizada&limite=200')).some((one) => one.id === id)).toBe(true)
  })

  it('refuses after 7 days, beside another open conversa, and for other readers', async () => {
    const { rui, vizinha, dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    await dona.act(id, 'transferir', { setor: 'suporte' })
    await dona.act(id, 'finalizar')
    for (const who of [vizinha, vera]) expect((await actAs(who, id, 'reabrir')).status).toBe(404)
    const endedDays = (days: number) =>
      shop.app.sql(`update conversas set finalizada_em = now() - make_interval(days => $2) where id = $1`, [id, days])
    await endedDays(8)
    expect(await rui.act(id, 'reabrir')).toMatchObject({ status: 409, body: { codigo: 'reabrirVencida' } })
    await endedDays(6)
    const other = started(await start(dona, { telefone }))
    expect(await rui.act(id, 'reabrir')).toMatchObject({
      status: 409,
      body: { codigo: 'conversaAberta', conversaId: other.id, operador: 'Dona' },
    })
    await dona.act(other.id, 'devolver')
    // The bot serves the contato now. Its conversa ends.
    await shop.customerSays(telefone, 'oi')
    await botEntryOf(telefone)
    expect((await rui.act(id, 'reabrir')).status).toBe(200)
    const open = await shop.app.sql(
      `select id from conversas where status <> 'finalizada' and contato_id = (select contato_id from conversas where id = $1)`,
      [id],
    )
    expect(open).toEqual([{ id }])
  })
})

describe('POST /atendimento/conversas/:id/soltar', () => {
  it('returns an answered conversa to the queue, waiting since now, only for its operador and the owner', async () => {
    const { rui, dona } = shop
    const { id } = await shop.newWaitingCustomer()
    await shop.app.sql(`update conversas set aguardando_desde = now() - interval '1 hour' where id = $1`, [id])
    expect(await rui.act(id, 'soltar')).toMatchObject({ status: 403, body: { codigo: 'semPermissao' } })
    await dona.act(id, 'mensagem', { mensagem: 'um momento' })
    expect(await rui.act(id, 'soltar')).toMatchObject({ status: 403, body: { codigo: 'semPermissao' } })
    await dona.act(id, 'transferir', { operadorId: rui.id })
    await rui.act(id, 'mensagem', { mensagem: 'já vejo' })
    const { status, body } = await rui.act(id, 'soltar')
    expect([status, Object(body['conversa']).status]).toEqual([200, 'aguardando'])
    expect(Object(body['conversa'])).not.toHaveProperty('operadorId')
    const since = Date.parse(Object(body['conversa']).aguardandoDesde)
    expect(Date.now() - since).toBeLessThan(60_000)
    const waits = { status: 'aguardando', aguardandoDesde: new Date(since).toISOString() }
    await waitUntil(async () => Object(await heard(dona, 'conversaTransferida', id)).dados.situacao.aguardandoDesde)
    expect((await heard(dona, 'conversaTransferida', id)).dados).toMatchObject({ situacao: waits })
    await rui.act(id, 'assumir')
    expect((await dona.act(id, 'soltar')).status).toBe(200)
    expect((await rui.act(id, 'assumir')).status).toBe(200)
  })

  it('continues the wait of a conversa in which its person wrote nothing', async () => {
    const { rui, dona } = shop
    const { id } = await shop.newWaitingCustomer()
    const [row] = await shop.app.sql(
      `update conversas set aguardando_desde = now() - interval '1 hour' where id = $1 returning aguardando_desde`,
      [id],
    )
    const since = new Date(Object(row).aguardando_desde).toISOString()
    for (const releases of [rui, dona]) {
      expect((await rui.act(id, 'assumir')).status).toBe(200)
      expect(await releases.act(id, 'soltar')).toMatchObject({
        status: 200,
        body: { conversa: { status: 'aguardando', aguardandoDesde: since } },
      })
    }
    const { dados } = Object(await heard(dona, 'conversaTransferida', id))
    expect(dados.situacao).toMatchObject({ status: 'aguardando' })
    expect(dados.situacao).not.toHaveProperty('aguardandoDesde')
  })
})

describe('POST /atendimento/conversas/:id/transferir to a person', () => {
  it('gives the conversa to the person, stores the motivo as a nota and names both in the event', async () => {
    const { rui, dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const veraId = vera.usuario.id
    const moved = await dona.act(id, 'transferir', { setor: 'vendas', operadorId: veraId, motivo: ' Quer desconto. ' })
    expect(moved).toMatchObject({
      status: 200,
      body: { conversa: { status: 'em_atendimento', setor: 'vendas', operadorId: veraId, operador: 'Vera' } },
    })
    const event = await heard(rui, 'conversaTransferida', id)
    expect(event.dados).toMatchObject({ novoSetor: 'vendas', operadorId: veraId, operador: 'Vera' })
    await heard(dona, 'notaConversa', id)
    const { notas } = notasRoute.response.parse((await vera.request('GET', `/atendimento/conversas/${id}/notas`)).body)
    expect(notas).toMatchObject([{ texto: 'Quer desconto.', autor: 'Dona' }])
    await shop.app.idle()
    expect(await shop.textsOnPhone(telefone)).not.toContain('Quer desconto.')
    expect((await actAs(vera, id, 'mensagem', { mensagem: 'Oi, sou a Vera' })).status).toBe(200)
  })

  it('refuses people outside the setor, inactive people and conversas of others', async () => {
    const { rui, dona, vizinha } = shop
    const { id } = await shop.newWaitingCustomer()
    const gone = await givenOperador(shop.app, ownerOf(shop), { nome: 'Gil' })
    await dona.request('DELETE', `/conta/operadores/${gone.usuario.id}`)
    const before = await rowOf(id)
    for (const body of [
      { setor: 'suporte', operadorId: vera.usuario.id },
      { operadorId: gone.usuario.id },
      { operadorId: vizinha.id },
    ]) {
      expect(await dona.act(id, 'transferir', { ...body, motivo: 'x' })).toMatchObject({
        status: 400,
        body: { codigo: 'operadorForaDoSetor' },
      })
    }
    for (const body of [{}, { motivo: 'x' }, { setor: 'geral', motivo: 'x'.repeat(501) }, { operadorId: 'nada' }]) {
      expect((await dona.act(id, 'transferir', body)).status).toBe(400)
    }
    expect(await rowOf(id)).toEqual(before)
    expect(await shop.app.sql('select 1 from notas where conversa_id = $1', [id])).toEqual([])
    await dona.act(id, 'assumir')
    expect(await rui.act(id, 'transferir', { operadorId: rui.id })).toMatchObject({
      status: 409,
      body: { codigo: 'conversaAssumida', operador: 'Dona' },
    })
  })
})
