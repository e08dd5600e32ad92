import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '#test/bot/house.ts'
import { createAtendimentoApp, type AtendimentoApp } from './posto.ts'

let posto: AtendimentoApp
beforeAll(async () => {
  posto = await createAtendimentoApp()
})
afterAll(() => posto.close())

const conversaDe = async (id: string, query?: string) =>
  (await posto.dona.list(query)).find((conversa) => conversa.id === id)

describe('POST /atendimento/conversas/:id/transferir', () => {
  it('releases the conversa to the new setor and keeps its waiting time', async () => {
    const { dona, rui } = posto
    const { id, telefone } = await posto.newWaitingCustomer()
    await dona.act(id, 'mensagem', { mensagem: 'um momento' })
    const antes = await conversaDe(id)
    const { status, body } = await dona.act(id, 'transferir', { setor: 'suporte' })
    expect(status).toBe(200)
    expect(body['conversa']).toMatchObject({ id, status: 'aguardando', setor: 'suporte' })
    expect(Object(body['conversa'])).not.toHaveProperty('operadorId')
    expect(await conversaDe(id)).toMatchObject({
      status: 'aguardando',
      aguardandoDesde: antes?.aguardandoDesde,
      ultimaAtividade: antes?.ultimaAtividade,
    })
    const contada = await waitUntil(() => rui.events.find(({ evento }) => evento === 'conversaTransferida') ?? null)
    expect(contada.dados).toMatchObject({ conversaId: id, novoSetor: 'suporte' })
    await posto.customerSays(telefone, 'menu')
    expect((await rui.act(id, 'assumir')).body['conversa']).toMatchObject({ operador: 'Rui', setor: 'suporte' })
    expect((await posto.textsOnPhone(telefone)).at(-1)).toBe('um momento')
  })

  it('refuses an unknown or invalid setor and changes nothing', async () => {
    const { id } = await posto.newWaitingCustomer()
    const antes = await conversaDe(id)
    expect(await posto.dona.act(id, 'transferir', { setor: 'lua' })).toMatchObject({
      status: 400,
      body: { codigo: 'setorDesconhecido' },
    })
    for (const body of [{}, { setor: '' }, { setor: 7 }]) {
      expect((await posto.dona.act(id, 'transferir', body)).status).toBe(400)
    }
    expect(await conversaDe(id)).toEqual(antes)
  })
})

describe('POST /atendimento/conversas/:id/devolver', () => {
  it('ends the conversa without a goodbye and shows the menu', async () => {
    const { dona, app } = posto
    const { id, telefone } = await posto.newWaitingCustomer()
    await dona.act(id, 'assumir')
    const { status, body } = await dona.act(id, 'devolver')
    expect([status, Object(body['conversa']).status]).toEqual([200, 'finalizada'])
    expect(await conversaDe(id)).toBeUndefined()
    expect(await conversaDe(id, 'status=finalizada')).toMatchObject({ id, operador: 'Dona' })
    expect(await app.sql(`select motivo_fim from conversas where id = '${id}'`)).toEqual([{ motivo_fim: 'devolvida' }])
    await waitUntil(() =>
      dona.events.some(({ evento, dados }) => evento === 'conversaFinalizada' && dados.conversaId === id),
    )
    const menu = await waitUntil(async () => (await posto.textsOnPhone(telefone)).at(-1) ?? null)
    expect(menu).toContain('*1*')
    const ditas = (await posto.textsOnPhone(telefone)).length
    await posto.customerSays(telefone, '4')
    await waitUntil(async () => (await posto.textsOnPhone(telefone)).length > ditas)
    expect((await posto.textsOnPhone(telefone)).at(-1)).not.toContain('*1*')
    expect((await dona.act(id, 'devolver')).body['codigo']).toBe('conversaFinalizada')
  })

  it('works in maintenance without sending a text', async () => {
    const { dona, app } = posto
    const { id, telefone } = await posto.newWaitingCustomer()
    const ditas = await posto.textsOnPhone(telefone)
    const conta = `(select conta_id from conversas where id = '${id}')`
    await app.sql(`update contas set manutencao = true where id = ${conta}`)
    app.deps.bots.contextChanged(dona.contaId)
    expect((await dona.act(id, 'devolver')).status).toBe(200)
    await app.sql(`update contas set manutencao = false where id = ${conta}`)
    app.deps.bots.contextChanged(dona.contaId)
    await app.idle()
    expect(await posto.textsOnPhone(telefone)).toEqual(ditas)
    await posto.customerSays(telefone, '4')
    await waitUntil(async () => (await posto.textsOnPhone(telefone)).length > ditas.length)
  })
})

describe('POST /atendimento/conversas/:id/assumir, simultaneous', () => {
  it('takes 16 conversas simultaneously right after a change of the configuration', async () => {
    const { dona, app } = posto
    const ids: string[] = []
    for (let n = 0; n < 16; n += 1) ids.push((await posto.newWaitingCustomer()).id)
    app.deps.bots.contextChanged(dona.contaId)
    const respostas = await Promise.all(ids.map((id) => dona.act(id, 'assumir')))
    expect(respostas.map(({ status }) => status)).toEqual(ids.map(() => 200))
  })
})

describe('routes of a conversa', () => {
  it('answers 404 for another conta and 403 without atendimentoHumano', async () => {
    const { dona, vizinha, app } = posto
    const { id } = await posto.newWaitingCustomer()
    const nenhuma = '01900000-0000-7000-8000-000000000002'
    const corpos = { mensagem: { mensagem: 'oi' }, transferir: { setor: 'geral' } } as const
    const atos = ['assumir', 'mensagem', 'transferir', 'devolver', 'finalizar', 'digitando'] as const
    for (const ato of atos) {
      const corpo = ato in corpos ? Object.entries(corpos).find(([nome]) => nome === ato)?.[1] : undefined
      const alheia = await vizinha.act(id, ato, corpo)
      expect([ato, alheia.status, alheia.body]).toEqual([ato, 404, (await vizinha.act(nenhuma, ato, corpo)).body])
    }
    for (const caminho of ['', '/mensagens', '/cliente']) {
      const alheia = await vizinha.request('GET', `/atendimento/conversas/${id}${caminho}`)
      expect([caminho, alheia.status]).toEqual([caminho, 404])
      expect(alheia.body).toEqual((await vizinha.request('GET', `/atendimento/conversas/${nenhuma}${caminho}`)).body)
    }
    const semAtendimento = `jsonb_set(componentes_permitidos, '{atendimentoHumano}', 'false')`
    await app.sql(`update contas set componentes_permitidos = ${semAtendimento} where id = '${dona.contaId}'`)
    app.deps.forgetSessions()
    for (const ato of atos) expect([ato, (await dona.act(id, ato)).status]).toEqual([ato, 403])
    for (const caminho of ['', `/${id}`, `/${id}/mensagens`, `/${id}/cliente`]) {
      expect((await dona.request('GET', `/atendimento/conversas${caminho}`)).status).toBe(403)
    }
    expect((await dona.request('POST', '/atendimento/teste-conversa', {})).status).toBe(403)
    expect((await dona.request('POST', `/atendimento/mensagens/${id}/reenviar`)).status).toBe(403)
  })
})
