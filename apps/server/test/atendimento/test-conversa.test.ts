import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const create = async (body: unknown = {}) => {
  const { status, body: reply } = await shop.dona.request('POST', '/atendimento/teste-conversa', body)
  expect(status).toBe(200)
  return Object(reply['conversa'])
}
const used = async (): Promise<unknown> =>
  (await shop.app.sql(`select sum(usadas)::int as usadas from uso_diario`))[0]?.['usadas'] ?? 0

describe('POST /atendimento/teste-conversa', () => {
  it('creates a waiting conversa with one mensagem in the given setor and publishes it', async () => {
    const conversa = await create({ setor: 'suporte' })
    expect(conversa).toMatchObject({ setor: 'suporte', status: 'aguardando', teste: true, naoLidas: 1 })
    expect(conversa.protocolo).toMatch(/^\d{8}-\d{4}$/)
    expect(conversa.mensagens).toMatchObject([{ tipo: 'recebida', origem: 'cliente', simulada: true }])
    expect(await shop.dona.list()).toContainEqual(conversa)
    const fresh = await waitUntil(
      () =>
        shop.rui.events.find(
          ({ evento, dados }) => evento === 'novaConversaHumana' && dados.conversa.id === conversa.id,
        ) ?? null,
    )
    expect(fresh.dados).toMatchObject({ conversa })
  })

  it('stores its mensagem as the last one of the contato, so a later one sorts after it', async () => {
    const { mensagens } = await create()
    const [first] = mensagens
    expect(await shop.app.sql(`select 1 as n from contatos where ultimo_id = '${first.id}'`)).toEqual([{ n: 1 }])
  })

  it('defaults to Vendas and refuses an unknown setor', async () => {
    expect(await create()).toMatchObject({ setor: 'vendas' })
    const before = (await shop.dona.list()).length
    const refusal = await shop.dona.request('POST', '/atendimento/teste-conversa', { setor: 'lua' })
    expect(refusal).toMatchObject({ status: 400, body: { codigo: 'setorDesconhecido' } })
    expect(await shop.dona.list()).toHaveLength(before)
  })

  it('works with the bot stopped, counts nothing and sends nothing', async () => {
    const { dona, app } = shop
    expect((await dona.request('POST', '/bot/parar')).status).toBe(200)
    const before = await used()
    const { id, cliente } = await create()
    const { status, body } = await dona.act(id, 'mensagem', { mensagem: 'posso ajudar?' })
    expect([status, Object(body['mensagem'])]).toMatchObject([200, { estado: 'enviada', simulada: true }])
    expect((await dona.act(id, 'digitando')).status).toBe(200)
    expect((await dona.act(id, 'finalizar')).status).toBe(200)
    expect(await app.sql('select * from saida')).toEqual([])
    expect(await used()).toBe(before)
    expect(cliente.nome).toBe('Cliente de teste')
  })

  it('accepts a reply after the daily limit is reached', async () => {
    const { dona, app } = shop
    const { id } = await create()
    await app.sql(`update contas set limite_mensagens_dia = 1 where id = '${dona.contaId}'`)
    await app.sql(`insert into uso_diario (conta_id, dia, usadas) select id, (now() at time zone fuso)::date, 1
      from contas where id = '${dona.contaId}' on conflict (conta_id, dia) do update set usadas = 1`)
    expect((await dona.act(id, 'mensagem', { mensagem: 'ainda respondo' })).status).toBe(200)
  })

  it('refuses the 61st test conversa of a conta within a minute', async () => {
    const { vizinha, app } = shop
    const createOne = async () => vizinha.request('POST', '/atendimento/teste-conversa', {})
    for (let n = 0; n < 60; n += 1) expect((await createOne()).status).toBe(200)
    expect(await createOne()).toMatchObject({ status: 429, body: { codigo: 'muitasTentativas' } })
    await create()
    app.advance(60_001)
    expect((await createOne()).status).toBe(200)
  })
})
