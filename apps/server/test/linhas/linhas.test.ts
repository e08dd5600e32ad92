import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENVIO_PADRAO } from '@balcao/contract/constants'
import type { Linha } from '@balcao/contract/entities/linha'
import { linhaRoute, linhasRoute } from '@balcao/contract/routes/linhas'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { getConfig, givenConta, givenOperador, startBot } from '#test/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const list = async ({ request }: TestUser): Promise<Linha[]> =>
  linhasRoute.response.parse((await request('GET', '/linhas')).body).linhas

async function add({ request }: TestUser, nome: string, more: object = {}): Promise<Linha> {
  const { status, body } = await request('POST', '/linhas', { nome, conector: 'simulador', ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return linhaRoute.response.parse(body).linha
}

const change = ({ request }: TestUser, { id, versao }: Linha, fields: object) =>
  request('PUT', `/linhas/${id}`, { versao, ...fields })

describe('/linhas', () => {
  it('shows the line that every account has, and adds others after it by name', async () => {
    const dona = await givenConta(app)
    const [first, ...none] = await list(dona)
    expect(none).toEqual([])
    expect(first).toMatchObject({ id: dona.contaId, nome: 'Principal', principal: true, status: 'PARADO', versao: 1 })
    const oficina = await add(dona, '  Oficina ', { cor: 'green', setor: 'suporte' })
    expect(oficina).toMatchObject({ nome: 'Oficina', cor: 'green', setor: 'suporte', principal: false, ativa: true })
    await add(dona, 'Entregas')
    expect((await list(dona)).map(({ nome }) => nome)).toEqual(['Principal', 'Entregas', 'Oficina'])
  })

  it('refuses a name that is taken, an unknown setor or connector, and more lines than the account may have', async () => {
    const dona = await givenConta(app)
    const refusal = async (body: object): Promise<unknown> => {
      const answer = await dona.request('POST', '/linhas', { nome: 'Filial', conector: 'simulador', ...body })
      return [answer.status, answer.body['codigo']]
    }
    await add(dona, 'Filial')
    expect(await refusal({ nome: 'FILIAL' })).toEqual([409, 'linhaExiste'])
    expect(await refusal({ nome: 'principal' })).toEqual([409, 'linhaExiste'])
    expect(await refusal({ nome: 'B', setor: 'nenhum' })).toEqual([400, 'setorDesconhecido'])
    expect(await refusal({ nome: 'B', conector: 'fax' })).toEqual([400, 'dadosInvalidos'])
    expect(await refusal({ nome: ' ' })).toEqual([400, 'dadosInvalidos'])
    expect(await refusal({ nome: 'x'.repeat(41) })).toEqual([400, 'dadosInvalidos'])
    await add(dona, '<b>B</b>')
    expect(await refusal({ nome: 'C' })).toEqual([403, 'limiteLinhas'])
    expect((await list(dona)).length).toBe(3)
  })

  it('gives the account as many lines as its plan or the administrator says', async () => {
    const dona = await givenConta(app)
    const conta = `/admin/usuarios/${dona.usuario.id}`
    const planned = await app.request('PUT', `${conta}/plano`, { plano: 'gratuito' })
    expect(planned.body['usuario']).toMatchObject({ limiteLinhas: 1 })
    const refused = await dona.request('POST', '/linhas', { nome: 'Filial', conector: 'simulador' })
    expect(refused).toMatchObject({ status: 403, body: { codigo: 'limiteLinhas', usado: 1, limite: 1 } })
    const limit = (limiteLinhas: number) => app.request('POST', `${conta}/limite-linhas`, { limiteLinhas })
    expect((await limit(21)).status).toBe(400)
    expect((await limit(0)).status).toBe(400)
    expect((await limit(2)).body['usuario']).toMatchObject({ limiteLinhas: 2 })
    await add(dona, 'Filial')
    const own = await dona.request('GET', '/usuario/estatisticas')
    expect(own.body['usuario']).toMatchObject({ limiteLinhas: 2 })
  })

  it('changes the fields that are sent, and refuses an outdated version', async () => {
    const dona = await givenConta(app)
    const before = await add(dona, 'Filial')
    const saved = await change(dona, before, { nome: 'Loja 2', cor: 'red', ativa: false })
    expect(saved.body['linha']).toMatchObject({ nome: 'Loja 2', cor: 'red', ativa: false, setor: '', versao: 2 })
    expect((await change(dona, before, { nome: 'Loja 3' })).body).toMatchObject({ codigo: 'conflito', versao: 2 })
    expect((await dona.request('PUT', `/linhas/${before.id}`, { nome: 'Loja 3' })).status).toBe(400)
    const [first] = await list(dona)
    if (first === undefined) throw new Error('no line')
    expect((await change(dona, first, { ativa: false })).body['codigo']).toBe('linhaPrincipal')
    expect((await change(dona, first, { nome: 'Balcão' })).body['linha']).toMatchObject({ nome: 'Balcão', versao: 2 })
  })

  it('moves the main line: its connector is the one of the settings, and the other keeps its own', async () => {
    const dona = await givenConta(app)
    const filial = await add(dona, 'Filial', { conector: 'oficial' })
    expect((await change(dona, filial, { principal: true })).body['linha']).toMatchObject({ principal: true })
    expect((await getConfig(app, dona)).whatsapp.conector).toBe('oficial')
    expect((await list(dona)).map(({ nome, principal, conector }) => [nome, principal, conector])).toEqual([
      ['Filial', true, 'oficial'],
      ['Principal', false, 'simulador'],
    ])
    expect((await dona.request('DELETE', `/linhas/${filial.id}`)).body['codigo']).toBe('linhaPrincipal')
    const [main] = await list(dona)
    if (main === undefined) throw new Error('no line')
    await change(dona, main, { conector: 'simulador' })
    expect((await getConfig(app, dona)).whatsapp.conector).toBe('simulador')
  })

  it('keeps the connector while the line has a session', async () => {
    const dona = await givenConta(app)
    await startBot(dona)
    const [first] = await list(dona)
    if (first === undefined) throw new Error('no line')
    expect(first.status).toBe('CONECTADO')
    expect((await change(dona, first, { conector: 'oficial' })).body['codigo']).toBe('botRodando')
    expect((await change(dona, first, { conector: 'simulador', cor: 'pink' })).status).toBe(200)
  })

  it('deletes a line, keeps its name for the history and frees it for another one', async () => {
    const dona = await givenConta(app)
    const filial = await add(dona, 'Filial')
    expect((await dona.request('DELETE', `/linhas/${filial.id}`)).status).toBe(204)
    expect((await dona.request('GET', `/linhas/${filial.id}`)).status).toBe(404)
    expect((await dona.request('DELETE', `/linhas/${filial.id}`)).status).toBe(404)
    expect(await app.sql('select nome from linhas where id = $1', [filial.id])).toEqual([{ nome: 'Filial' }])
    await add(dona, 'Filial')
  })

  it('is closed to operadores but for reading, and to other accounts', async () => {
    const dona = await givenConta(app)
    const outra = await givenConta(app)
    const otto = await givenOperador(app, dona)
    const filial = await add(dona, 'Filial')
    expect((await list(otto)).length).toBe(2)
    expect((await otto.request('POST', '/linhas', { nome: 'B', conector: 'simulador' })).status).toBe(403)
    expect((await change(otto, filial, { nome: 'B' })).status).toBe(403)
    expect((await otto.request('DELETE', `/linhas/${filial.id}`)).status).toBe(403)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/config'],
      ['DELETE', ''],
    ] as const)
      expect((await outra.request(method, `/linhas/${filial.id}${path}`)).status).toBe(404)
    expect((await change(outra, filial, { nome: 'B' })).status).toBe(404)
    expect((await outra.request('GET', '/linhas/..%2f..')).status).toBe(404)
  })

  it('publishes each change to open panels', async () => {
    const dona = await givenConta(app)
    const { received } = await app.connect(dona)
    const names = () =>
      received.flatMap(([name, event]) => (name === 'linhaMudou' ? [Object(event['linha']).nome] : []))
    const filial = await add(dona, 'Filial')
    await expect.poll(names).toEqual(['Filial'])
    await change(dona, filial, { nome: 'Loja 2' })
    await expect.poll(names).toEqual(['Filial', 'Loja 2'])
  })

  it('adds no line while a node of a version without lines runs, and refuses such a node afterwards', async () => {
    const dona = await givenConta(app)
    const join = (id: string) =>
      app.sql(
        `insert into nos (id, nome, versao, node, iniciado_em, visto_em, memoria, cpu) values ($1, 'antigo', 'v1', 'v24', now(), now(), 0, 0)`,
        [id],
      )
    const old = crypto.randomUUID()
    await app.sql('delete from linhas where conta_id <> id')
    await join(old)
    const refused = await dona.request('POST', '/linhas', { nome: 'Filial', conector: 'simulador' })
    expect(refused).toMatchObject({ status: 409, body: { codigo: 'atualizacaoEmAndamento' } })
    await app.sql('delete from nos where id = $1', [old])
    await add(dona, 'Filial')
    await expect(join(crypto.randomUUID())).rejects.toThrow('use a versão atual do programa')
  })
})

describe('/linhas/:id/config', () => {
  it('follows the account until the line has its own menu, hours and AI, and is part of each saved version', async () => {
    const dona = await givenConta(app)
    const filial = await add(dona, 'Filial')
    const path = `/linhas/${filial.id}/config`
    const { versao, menu, atendimento } = await getConfig(app, dona)
    expect((await dona.request('GET', path)).body).toEqual({ menu: null, horario: null, iaAtiva: null, versao })
    const own = { ...menu, menuPrincipal: 'Oficina: 1 para falar', opcoes: menu.opcoes.slice(0, 1) }
    const saved = await dona.request('PUT', path, { menu: own, horario: atendimento.horario, iaAtiva: false, versao })
    expect(saved, JSON.stringify(saved.body)).toMatchObject({ status: 200, body: { menu: own, versao: versao + 1 } })
    expect((await getConfig(app, dona)).menu).toEqual(menu)
    expect((await dona.request('PUT', path, { menu: null, horario: null, iaAtiva: null, versao })).status).toBe(409)
    const cleared = { menu: null, horario: null, iaAtiva: null, versao: versao + 1 }
    expect((await dona.request('PUT', path, cleared)).status).toBe(200)
    const restored = await dona.request('POST', `/config/versoes/${versao + 1}/restaurar`, {})
    expect(restored.status).toBe(200)
    expect((await dona.request('GET', path)).body).toMatchObject({ menu: own, iaAtiva: false })
  })

  it('completes a menu of an older version, sent or stored', async () => {
    const dona = await givenConta(app)
    const filial = await add(dona, 'Filial')
    const path = `/linhas/${filial.id}/config`
    const { versao, menu } = await getConfig(app, dona)
    const { juntarMensagens: _juntar, interativo: _interativo, ...older } = menu
    const body = { menu: older, horario: null, iaAtiva: null, versao }
    expect((await dona.request('PUT', path, body)).body).toMatchObject({ menu: ENVIO_PADRAO })
    await app.sql(
      `update configuracoes set dados = dados #- '{menu,juntarMensagens}' #- '{menu,interativo}'
         #- array['linhas', $2, 'menu', 'juntarMensagens'] #- array['linhas', $2, 'menu', 'interativo']
       where conta_id = $1`,
      [dona.contaId, filial.id],
    )
    expect((await dona.request('GET', path)).body).toMatchObject({ menu: ENVIO_PADRAO })
    expect((await getConfig(app, dona)).menu).toMatchObject(ENVIO_PADRAO)
  })

  it('checks the sections as the settings are checked', async () => {
    const dona = await givenConta(app)
    const filial = await add(dona, 'Filial')
    const { versao, menu, atendimento } = await getConfig(app, dona)
    const save = async (sections: object): Promise<unknown> => {
      const body = { menu: null, horario: null, iaAtiva: null, versao, ...sections }
      const answer = await dona.request('PUT', `/linhas/${filial.id}/config`, body)
      return [answer.status, answer.body['codigo']]
    }
    expect(await save({ iaAtiva: true })).toEqual([400, 'dadosInvalidos'])
    expect(await save({ menu: { ...menu, opcoes: [] } })).toEqual([400, 'dadosInvalidos'])
    const toNowhere = [{ numero: '1', titulo: 'Falar', tipo: 'humano', resposta: '', setor: 'nenhum' }]
    expect(await save({ menu: { ...menu, opcoes: toNowhere } })).toEqual([400, 'setorDesconhecido'])
    expect(await save({ horario: { ...atendimento.horario, fuso: 'Lua/Cratera' } })).toEqual([400, 'dadosInvalidos'])
    expect(await save({ versao: undefined })).toEqual([400, 'dadosInvalidos'])
    expect((await getConfig(app, dona)).versao).toBe(versao)
  })

  it('leads the options of a removed setor to Geral', async () => {
    const dona = await givenConta(app)
    const filial = await add(dona, 'Filial')
    const { versao, menu, atendimento } = await getConfig(app, dona)
    const opcoes = [{ numero: '1', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' }]
    const path = `/linhas/${filial.id}/config`
    await dona.request('PUT', path, { menu: { ...menu, opcoes }, horario: null, iaAtiva: null, versao })
    const setores = atendimento.setores.filter(({ id }) => id !== 'vendas')
    expect((await dona.request('PUT', '/config/setores', { setores })).status).toBe(200)
    expect((await dona.request('GET', path)).body['menu']).toMatchObject({ opcoes: [{ setor: 'geral' }] })
  })
})
