import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const conversaDe = async (id: string, query?: string) =>
  (await shop.dona.list(query)).find((conversa) => conversa.id === id)

describe('POST /atendimento/conversas/:id/transferir', () => {
  it('releases the conversa to the new setor and keeps its waiting time', async () => {
    const { dona, rui } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    await dona.act(id, 'mensagem', { mensagem: 'um momento' })
    const before = await conversaDe(id)
    const { status, body } = await dona.act(id, 'transferir', { setor: 'suporte' })
    expect(status).toBe(200)
    expect(body['conversa']).toMatchObject({ id, status: 'aguardando', setor: 'suporte' })
    expect(Object(body['conversa'])).not.toHaveProperty('operadorId')
    expect(await conversaDe(id)).toMatchObject({
      status: 'aguardando',
      aguardandoDesde: before?.aguardandoDesde,
      ultimaAtividade: before?.ultimaAtividade,
    })
    const counted = await waitUntil(() => rui.events.find(({ evento }) => evento === 'conversaTransferida') ?? null)
    expect(counted.dados).toMatchObject({ conversaId: id, novoSetor: 'suporte' })
    await shop.customerSays(telefone, 'menu')
    expect((await rui.act(id, 'assumir')).body['conversa']).toMatchObject({ operador: 'Rui', setor: 'suporte' })
    expect((await shop.textsOnPhone(telefone)).at(-1)).toBe('um momento')
  })

  it('refuses an unknown or invalid setor and changes nothing', async () => {
    const { id } = await shop.newWaitingCustomer()
    const before = await conversaDe(id)
    expect(await shop.dona.act(id, 'transferir', { setor: 'lua' })).toMatchObject({
      status: 400,
      body: { codigo: 'setorDesconhecido' },
    })
    for (const body of [{}, { setor: '' }, { setor: 7 }]) {
      expect((await shop.dona.act(id, 'transferir', body)).status).toBe(400)
    }
    expect(await conversaDe(id)).toEqual(before)
  })
})

describe('POST /atendimento/conversas/:id/devolver', () => {
  it('ends the conversa without a goodbye and shows the menu', async () => {
    const { dona, app } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    await dona.act(id, 'assumir')
    const { status, body } = await dona.act(id, 'devolver')
    expect([status, Object(body['conversa']).status]).toEqual([200, 'finalizada'])
    expect(await conversaDe(id)).toBeUndefined()
    expect(await conversaDe(id, 'status=finalizada')).toMatchObject({ id, operador: 'Dona' })
    expect(await app.sql(`select motivo_fim from conversas where id = '${id}'`)).toEqual([{ motivo_fim: 'devolvida' }])
    await waitUntil(() =>
      dona.events.some(({ evento, dados }) => evento === 'conversaFinalizada' && dados.conversaId === id),
    )
    const menu = await waitUntil(async () => (await shop.textsOnPhone(telefone)).at(-1) ?? null)
    expect(menu).toContain('*1*')
    const said = (await shop.textsOnPhone(telefone)).length
    await shop.customerSays(telefone, '4')
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).length > said)
    expect((await shop.textsOnPhone(telefone)).at(-1)).not.toContain('*1*')
    expect((await dona.act(id, 'devolver')).body['codigo']).toBe('conversaFinalizada')
  })

  it('works in maintenance without sending a text', async () => {
    const { dona, app } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const said = await shop.textsOnPhone(telefone)
    const conta = `(select conta_id from conversas where id = '${id}')`
    await app.sql(`update contas set manutencao = true where id = ${conta}`)
    app.deps.bots.contextChanged(dona.contaId)
    expect((await dona.act(id, 'devolver')).status).toBe(200)
    await app.sql(`update contas set manutencao = false where id = ${conta}`)
    app.deps.bots.contextChanged(dona.contaId)
    await app.idle()
    expect(await shop.textsOnPhone(telefone)).toEqual(said)
    await shop.customerSays(telefone, '4')
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).length > said.length)
  })
})

describe('PUT /atendimento/setores/:id', () => {
  it('sends the menu’s option of a setor that is off to Geral and keeps its conversas', async () => {
    const { dona } = shop
    const { config } = (await dona.request('GET', '/config')).body
    const { menu } = Object(config)
    const opcoes = [{ numero: '1', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' }]
    const saved = await dona.request('PUT', '/config', { ...Object(config), menu: { ...menu, opcoes } })
    expect(saved.status).toBe(200)
    const setorOf = async (telefone: string): Promise<string | undefined> => {
      await shop.customerSays(telefone, 'oi')
      await shop.customerSays(telefone, '1')
      return waitUntil(
        async () => (await dona.list()).find(({ cliente }) => cliente.telefone === telefone)?.setor ?? null,
      )
    }
    const change = async (ativo: boolean): Promise<number> =>
      (await dona.request('PUT', '/atendimento/setores/vendas', { ativo })).status
    expect(await setorOf('5511912220001')).toBe('vendas')
    expect(await change(false)).toBe(200)
    expect(await setorOf('5511912220002')).toBe('geral')
    expect((await dona.list()).find(({ cliente }) => cliente.telefone === '5511912220001')?.setor).toBe('vendas')
    expect(await change(true)).toBe(200)
    expect(await setorOf('5511912220003')).toBe('vendas')
  })
})

describe('POST /atendimento/conversas/:id/assumir, simultaneous', () => {
  it('takes 16 conversas simultaneously right after a change of the configuration', async () => {
    const { dona, app } = shop
    const ids: string[] = []
    for (let n = 0; n < 16; n += 1) ids.push((await shop.newWaitingCustomer()).id)
    app.deps.bots.contextChanged(dona.contaId)
    const respostas = await Promise.all(ids.map((id) => dona.act(id, 'assumir')))
    expect(respostas.map(({ status }) => status)).toEqual(ids.map(() => 200))
  })
})

describe('routes of a conversa', () => {
  it('answers 404 for another conta and 403 without atendimentoHumano', async () => {
    const { dona, vizinha, app } = shop
    const { id } = await shop.newWaitingCustomer()
    const none = '01900000-0000-7000-8000-000000000002'
    const bodies = { mensagem: { mensagem: 'oi' }, transferir: { setor: 'geral' } } as const
    const acts = ['assumir', 'mensagem', 'transferir', 'devolver', 'finalizar', 'digitando'] as const
    for (const ato of acts) {
      const corpo = ato in bodies ? Object.entries(bodies).find(([name]) => name === ato)?.[1] : undefined
      const alheia = await vizinha.act(id, ato, corpo)
      expect([ato, alheia.status, alheia.body]).toEqual([ato, 404, (await vizinha.act(none, ato, corpo)).body])
    }
    for (const path of ['', '/mensagens', '/cliente', '/arquivos']) {
      const alheia = await vizinha.request('GET', `/atendimento/conversas/${id}${path}`)
      expect([path, alheia.status]).toEqual([path, 404])
      expect(alheia.body).toEqual((await vizinha.request('GET', `/atendimento/conversas/${none}${path}`)).body)
    }
    const semAtendimento = `jsonb_set(componentes_permitidos, '{atendimentoHumano}', 'false')`
    await app.sql(`update contas set componentes_permitidos = ${semAtendimento} where id = '${dona.contaId}'`)
    await app.deps.forgetSessions()
    for (const ato of acts) expect([ato, (await dona.act(id, ato)).status]).toEqual([ato, 403])
    for (const path of ['', `/${id}`, `/${id}/mensagens`, `/${id}/cliente`]) {
      expect((await dona.request('GET', `/atendimento/conversas${path}`)).status).toBe(403)
    }
    expect((await dona.request('POST', '/atendimento/teste-conversa', {})).status).toBe(403)
    expect((await dona.request('POST', `/atendimento/mensagens/${id}/reenviar`)).status).toBe(403)
  })
})
