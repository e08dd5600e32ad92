import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MockInstance, afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { CONFIG_WRITERS } from '@balcao/contract/routes/config'
import { configRoute } from '@balcao/contract/routes/config'
import { loadConfig } from '#modules/configuracao/index.ts'
import { connected, once } from '#test/realtime/listen.ts'
import { createTestApp, type TestApp, type WholeAnswer, FIXED_DAY } from '#test/app.ts'
import {
  getConfig,
  givenConta,
  givenOperador,
  givenPerson,
  saveConfig,
  setComponentes,
  type TestPerson,
} from '#test/builders.ts'

let app: TestApp
let notified: MockInstance<TestApp['deps']['bots']['contextChanged']>
beforeAll(async () => {
  app = await createTestApp(FIXED_DAY)
  notified = vi.spyOn(app.deps.bots, 'contextChanged')
})
afterAll(() => app.close())

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations')
const CHAVE = 'AIzaCanario-da-chave-secreta-7788'
const OUTRA = 'AIzaCanario-da-outra-chave-9911'

// No response of any test may contain a full API key.
afterEach(() => {
  expect(app.responseTexts.filter((text) => /Canario/.test(text))).toEqual([])
})

function save({ token }: TestPerson, config: unknown): Promise<WholeAnswer> {
  return app.send('PUT', '/config', { token, body: config })
}

function comChave(config: VersionedConfig, gemini: string, ia = gemini): VersionedConfig {
  return { ...config, gemini: { apiKey: gemini }, ia: { ...config.ia, apiKey: ia } }
}

async function storedKey(contaId: string): Promise<string> {
  const { config } = await app.deps.db.transaction(contaId, (tx) => loadConfig(tx, app.deps, contaId))
  expect(config.ia.apiKey).toBe(config.gemini.apiKey)
  return config.gemini.apiKey
}

describe('GET and PUT /config', () => {
  it('returns the defaults as version 1 and reads a save back unchanged', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    expect(config).toMatchObject({
      versao: 1,
      whatsapp: { conector: 'simulador', clientId: '' },
      gemini: { apiKey: '' },
    })
    expect(config.menu.opcoes.map(({ numero }) => numero)).toEqual(['1', '2', '3', '4', '0'])

    const salvo = await save(pessoa, { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja-1' } })
    expect(salvo.status).toBe(200)
    const after = await getConfig(app, pessoa)
    expect(after).toEqual({ ...config, versao: 2, whatsapp: { ...config.whatsapp, clientId: 'loja-1' } })
    expect(salvo.body).toEqual({ sucesso: true, config: after })
    expect(notified).toHaveBeenCalledWith(pessoa.contaId)
  })

  it('fills the clientId of a new conta from the name of the company', async () => {
    const { request } = await givenConta(app, 'Ana', { empresa: 'Açaí da Ana & Cia.' })
    const { body } = await request('GET', '/config')
    expect(body).toMatchObject({ config: { whatsapp: { clientId: 'acai-da-ana-cia' } } })
  })

  it('saves under POST /bot/configuracao with an empty clientId', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    const menuPrincipal = 'Novo menu'
    const { status } = await app.send('POST', '/bot/configuracao', {
      token: pessoa.token,
      body: { configuracao: { ...config, menu: { ...config.menu, menuPrincipal } } },
    })
    expect(status).toBe(200)
    expect((await getConfig(app, pessoa)).menu.menuPrincipal).toBe(menuPrincipal)
  })

  it('names what the menu contradicts, and a setor that no operador serves', async () => {
    const dono = await givenConta(app)
    const avisos = async () => configRoute.response.parse((await dono.request('GET', '/config')).body).avisos
    expect(await avisos()).toEqual([])
    await saveConfig(dono, (config) => ({
      ...config,
      menu: {
        ...config.menu,
        menuPrincipal: 'Olá!\n1 - Preços\n7 - Entregas',
        opcoes: [
          { numero: '1', titulo: 'Produtos', tipo: 'mensagem', resposta: '' },
          { numero: '2', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' },
        ],
      },
    }))
    const found = async () => (await avisos())?.map(({ caminho, codigo }) => [caminho, codigo])
    const ofText = [
      ['menu.opcoes.0.titulo', 'opcaoRenomeada'],
      ['menu.menuPrincipal', 'opcaoNoTextoNaoExiste'],
      ['menu.opcoes.0.resposta', 'opcaoSemSaida'],
    ]
    expect(await found()).toEqual(ofText)
    const vera = await givenOperador(app, dono, { nome: 'Vera', setores: ['suporte'] })
    expect(await found()).toEqual([...ofText, ['menu.opcoes.1.setor', 'setorSemPessoas']])
    await app.sql(`update usuarios set setores = '["vendas"]' where id = $1`, [vera.usuario.id])
    expect(await found()).toEqual(ofText)
  })

  it('reads promptIA as training prompt, never stores it, and keeps omitted fields', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    await save(pessoa, { ...config, menu: { ...config.menu, expiraEmMinutos: 5, juntarMensagens: 'nunca' } })
    const { expiraEmMinutos: _sem, juntarMensagens: _semJuntar, ...menu } = config.menu
    const { status } = await save(pessoa, {
      ...config,
      versao: undefined,
      menu,
      ia: { ...config.ia, promptTreinamento: '' },
      promptIA: 'Você é a Lia',
    })
    expect(status).toBe(200)
    const after = await getConfig(app, pessoa)
    expect(after.ia.promptTreinamento).toBe('Você é a Lia')
    expect(after.menu).toMatchObject({ expiraEmMinutos: 5, juntarMensagens: 'nunca' })
    const { rows } = await app.database.owner.query('select dados from configuracoes where conta_id = $1', [
      pessoa.contaId,
    ])
    expect(JSON.stringify(rows)).not.toContain('promptIA')
  })
})

describe('API key in /config', () => {
  it('returns the key masked, keeps a masked value and clears an empty one', async () => {
    const pessoa = await givenPerson(app)
    const salvo = await save(pessoa, comChave(await getConfig(app, pessoa), CHAVE))
    expect(salvo.status).toBe(200)
    const config = await getConfig(app, pessoa)
    expect([config.gemini.apiKey, config.ia.apiKey]).toEqual(['••••••••7788', '••••••••7788'])
    await save(pessoa, config)
    expect(await storedKey(pessoa.contaId)).toBe(CHAVE)
    const data = await app.database.owner.query('select dados::text from configuracoes where conta_id = $1', [
      pessoa.contaId,
    ])
    expect(JSON.stringify(data.rows)).not.toContain('Canario')

    await save(pessoa, comChave(await getConfig(app, pessoa), ''))
    expect(await storedKey(pessoa.contaId)).toBe('')
    expect((await getConfig(app, pessoa)).gemini.apiKey).toBe('')
  })

  it('stores one key, whichever of its two fields changed', async () => {
    const pessoa = await givenPerson(app)
    await save(pessoa, comChave(await getConfig(app, pessoa), '', CHAVE))
    expect(await storedKey(pessoa.contaId)).toBe(CHAVE)
    await save(pessoa, comChave(await getConfig(app, pessoa), OUTRA, '••••••••7788'))
    expect(await storedKey(pessoa.contaId)).toBe(OUTRA)
    await save(pessoa, comChave(await getConfig(app, pessoa), '••••••••9911', CHAVE))
    expect(await storedKey(pessoa.contaId)).toBe(CHAVE)
  })

  it('shows no characters of a short key', async () => {
    const pessoa = await givenPerson(app)
    await save(pessoa, comChave(await getConfig(app, pessoa), 'abc12'))
    expect((await getConfig(app, pessoa)).gemini.apiKey).toBe('••••••••')
  })

  it('seals, masks and keeps the key of each provider, and clears it in older versions', async () => {
    const pessoa = await givenPerson(app)
    const provedores = ['openai', 'anthropic', 'compativel'] as const
    const stored = async () => {
      const { config } = await app.deps.db.transaction(pessoa.contaId, (tx) => loadConfig(tx, app.deps, pessoa.contaId))
      return config.ia.chaves
    }
    const rows = async () =>
      (
        await app.sql('select dados::text as dados from configuracoes where conta_id = $1 order by versao', [
          pessoa.contaId,
        ])
      ).map(({ dados }) => String(dados))
    const withKeys = async (chaves: VersionedConfig['ia']['chaves']): Promise<WholeAnswer> => {
      const config = await getConfig(app, pessoa)
      return save(pessoa, { ...config, ia: { ...config.ia, chaves } })
    }
    const chaves = { openai: `sk-${CHAVE}`, anthropic: `sk-ant-${CHAVE}`, compativel: `own-${CHAVE}` }
    expect((await withKeys(chaves)).status).toBe(200)
    expect((await getConfig(app, pessoa)).ia.chaves).toEqual({
      ...{ openai: '••••••••7788', anthropic: '••••••••7788', compativel: '••••••••7788' },
    })
    // A save with the masked values changes nothing.
    await save(pessoa, await getConfig(app, pessoa))
    expect(await stored()).toEqual(chaves)
    expect((await rows()).join()).not.toContain('Canario')
    expect((await rows()).findLast((dados) => dados !== 'null')).toMatch(/"openai": "selado:/)

    const { chaves: masked } = (await getConfig(app, pessoa)).ia
    await withKeys({ ...masked, anthropic: '' })
    expect(await stored()).toEqual({ ...chaves, anthropic: '' })
    expect((await rows()).slice(0, -1).filter((dados) => dados.includes('selado:'))).toEqual([])
    for (const provedor of provedores) await withKeys({ ...(await stored()), [provedor]: '' })
    expect(await stored()).toEqual({ openai: '', anthropic: '', compativel: '' })
    const acts = await app.sql(
      `select detalhe from auditoria where conta_id = $1 and acao = 'chaveIaAlterada' order by id`,
      [pessoa.contaId],
    )
    expect(acts.map(({ detalhe }) => detalhe)).toEqual([
      ...['OpenAI: trocada', 'Anthropic: trocada', 'provedor próprio: trocada', 'Anthropic: apagada'],
      ...['OpenAI: apagada', 'provedor próprio: apagada'],
    ])
  })

  it('requires a key while the AI is on', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    const { status, body } = await save(pessoa, { ...config, ia: { ...config.ia, ativa: true } })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      erro: 'API Key é obrigatória quando a IA está ativada',
      detalhes: [{ caminho: 'ia.apiKey' }],
    })
    const comIa = comChave({ ...config, ia: { ...config.ia, ativa: true } }, CHAVE)
    expect((await save(pessoa, comIa)).status).toBe(200)
    expect((await save(pessoa, comChave(await getConfig(app, pessoa), ''))).status).toBe(400)
    expect(await storedKey(pessoa.contaId)).toBe(CHAVE)
  })
})

/** Sealed keys by version. An empty text is a version without a key. */
async function sealedKeys(contaId: string): Promise<string[]> {
  const rows = await app.sql(
    `select dados #>> '{gemini,apiKey}' as key from configuracoes where conta_id = $1 order by versao`,
    [contaId],
  )
  return rows.map(({ key }) => String(key))
}

describe('API key of earlier versions', () => {
  const restore = (pessoa: TestPerson, version: number): Promise<WholeAnswer> =>
    app.send('POST', `/config/versoes/${version}/restaurar`, { token: pessoa.token })

  it('restores a version with the key in force, also when it was cleared', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    const comIa = { ...config, ia: { ...config.ia, ativa: true, temperaturaResposta: 0.11 } }
    await save(pessoa, comChave(comIa, CHAVE))
    await save(pessoa, { ...comChave(config, OUTRA), versao: 2 })
    expect((await restore(pessoa, 2)).status).toBe(200)
    expect(await storedKey(pessoa.contaId)).toBe(OUTRA)
    expect((await getConfig(app, pessoa)).ia).toMatchObject({ ativa: true, temperaturaResposta: 0.11 })

    await save(pessoa, { ...comChave(config, ''), versao: 4 })
    expect((await restore(pessoa, 2)).status).toBe(200)
    expect(await storedKey(pessoa.contaId)).toBe('')
    expect((await getConfig(app, pessoa)).ia).toMatchObject({ ativa: false, temperaturaResposta: 0.11 })
  })

  it('empties a changed or cleared key in all earlier versions', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    await save(pessoa, comChave(config, CHAVE))
    await save(pessoa, { ...(await getConfig(app, pessoa)), whatsapp: { ...config.whatsapp, clientId: 'dois' } })
    expect((await sealedKeys(pessoa.contaId)).map((key) => key !== '')).toEqual([false, true, true])
    await save(pessoa, comChave(await getConfig(app, pessoa), OUTRA))
    expect((await sealedKeys(pessoa.contaId)).map((key) => key !== '')).toEqual([false, false, false, true])
    await save(pessoa, comChave(await getConfig(app, pessoa), ''))
    expect(await sealedKeys(pessoa.contaId)).toEqual(['', '', '', '', ''])
  })

  it('empties keys of versions from before the migration, except the version in force', async () => {
    const pessoa = await givenPerson(app)
    await save(pessoa, comChave(await getConfig(app, pessoa), CHAVE))
    await app.sql(
      `update configuracoes a set dados = b.dados from configuracoes b
        where a.conta_id = $1 and b.conta_id = $1 and b.versao = 2`,
      [pessoa.contaId],
    )
    await app.sql(await readFile(join(MIGRATIONS, '0083_chaves_antigas.sql'), 'utf8'))
    expect((await sealedKeys(pessoa.contaId)).map((key) => key !== '')).toEqual([false, true])
    expect(await storedKey(pessoa.contaId)).toBe(CHAVE)
  })
})

describe('PUT /config with concurrent saves', () => {
  it('rejects a stale version with 409 and accepts a save without a version', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    expect((await save(pessoa, config)).status).toBe(200)
    const { status, body } = await save(pessoa, config)
    expect([status, body['codigo'], body['versao']]).toEqual([409, 'versaoDesatualizada', 2])
    expect((await save(pessoa, { ...config, versao: undefined })).status).toBe(200)
    expect((await getConfig(app, pessoa)).versao).toBe(3)
  })

  it('accepts one of ten parallel saves with a version, and all ten without', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    const together = await Promise.all(Array.from({ length: 10 }, () => save(pessoa, config)))
    expect(together.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ])
    const soltos = await Promise.all(Array.from({ length: 10 }, () => save(pessoa, { ...config, versao: undefined })))
    expect(soltos.every(({ status }) => status === 200)).toBe(true)
    expect((await getConfig(app, pessoa)).versao).toBe(12)
  })
})

describe('permissions of PUT /config', () => {
  it('keeps sections without permission and rejects a session that may write none', async () => {
    const dono = await givenPerson(app)
    const config = await getConfig(app, dono)
    const other: VersionedConfig = {
      ...comChave(config, OUTRA),
      whatsapp: { ...config.whatsapp, clientId: 'novo' },
      menu: { ...config.menu, menuPrincipal: 'novo' },
      atendimento: { ...config.atendimento, avaliacao: { ativa: false } },
    }
    const { contaId } = dono
    const pessoa = await givenPerson(app, { contaId })
    const permitAll = () => setComponentes(app, contaId, [])
    await setComponentes(app, contaId, ['configuracaoGeral', 'iaChatbot', 'atendimentoHumano'])
    expect((await save(pessoa, other)).status).toBe(200)
    await permitAll()
    expect(await getConfig(app, dono)).toEqual({
      ...config,
      versao: 2,
      menu: { ...config.menu, menuPrincipal: 'novo' },
    })

    await setComponentes(app, contaId, ['configuracaoGeral', 'mensagensMenus', 'atendimentoHumano'])
    expect((await save(pessoa, { ...other, versao: 2, whatsapp: config.whatsapp })).status).toBe(200)
    expect(await storedKey(contaId)).toBe(OUTRA)

    await setComponentes(app, contaId, CONFIG_WRITERS)
    expect((await save(pessoa, other)).status).toBe(403)
    await permitAll()
    const operador = await givenPerson(app, { contaId, tipo: 'operador' })
    expect((await save(operador, other)).status).toBe(403)
    expect((await app.send('GET', '/config', { token: operador.token })).status).toBe(200)
    expect((await getConfig(app, dono)).versao).toBe(3)
  })

  it('enforces the menu cap and missing AI of a plan but keeps existing values', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    await save(pessoa, comChave({ ...config, ia: { ...config.ia, ativa: true } }, CHAVE))
    await app.database.owner.query('update contas set ia_permitida = false, opcoes_menu_maximo = 4 where id = $1', [
      pessoa.contaId,
    ])
    const current = await getConfig(app, pessoa)
    expect(current.ia.ativa).toBe(false)
    expect((await save(pessoa, { ...current, whatsapp: { ...current.whatsapp, clientId: 'x' } })).status).toBe(200)

    const solto = { ...current, versao: undefined }
    const ia = await save(pessoa, { ...solto, ia: { ...current.ia, ativa: true } })
    expect([ia.status, ia.body['codigo']]).toEqual([403, 'limitePlano'])
    const opcao = { numero: '9', titulo: 'Mais uma', tipo: 'mensagem', resposta: 'oi' }
    const menu = await save(pessoa, { ...solto, menu: { ...current.menu, opcoes: [...current.menu.opcoes, opcao] } })
    expect([menu.status, menu.body['codigo'], menu.body['limite']]).toEqual([403, 'limitePlano', 4])
    const smallest = await save(pessoa, {
      ...solto,
      menu: { ...current.menu, opcoes: current.menu.opcoes.slice(0, 4) },
    })
    expect(smallest.status).toBe(200)
  })

  it('keeps the configurations of two accounts separate', async () => {
    const ana = await givenPerson(app)
    const bia = await givenPerson(app)
    await save(ana, {
      ...(await getConfig(app, ana)),
      whatsapp: { conector: 'simulador', clientId: 'da-ana', chromePath: '' },
    })
    expect(JSON.stringify(await getConfig(app, bia))).not.toContain('da-ana')
    const { status } = await app.send('POST', '/config/versoes/2/restaurar', { token: bia.token })
    expect(status).toBe(404)
  })
})

describe('PUT /config/setores', () => {
  const fresh = (nome: string, id: string): Record<string, unknown> => ({
    id,
    nome,
    cor: 'red',
    ativo: true,
    criadoEm: '',
  })

  it('derives ids from names, keeps them on a rename and adds a suffix on collision', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    const setores = [
      ...config.atendimento.setores.map((setor) => (setor.id === 'vendas' ? { ...setor, nome: 'Comercial' } : setor)),
      fresh('Pós Venda São João', 'qualquer'),
      fresh('Vendas', 'vendas_novo'),
      fresh('VENDAS', 'vendas'),
      fresh('🎉', 'festa'),
      { nome: 'Entregas' },
      { nome: 'entregas' },
    ]
    const { status } = await app.send('PUT', '/config/setores', {
      token: pessoa.token,
      body: { setores, versao: 1 },
    })
    expect(status).toBe(200)
    const after = (await getConfig(app, pessoa)).atendimento.setores
    expect(after.map(({ id, nome }) => [id, nome])).toEqual([
      ['vendas', 'Comercial'],
      ['suporte', 'Suporte'],
      ['financeiro', 'Financeiro'],
      ['geral', 'Geral'],
      ['pos_venda_sao_joao', 'Pós Venda São João'],
      ['vendas_2', 'Vendas'],
      ['vendas_3', 'VENDAS'],
      ['setor', '🎉'],
      ['entregas', 'Entregas'],
      ['entregas_2', 'entregas'],
    ])
    expect(after[4]?.criadoEm).toBe('2026-03-10T15:00:00.000Z')
    expect(after[8]).toMatchObject({ cor: 'blue', ativo: true, criadoEm: '2026-03-10T15:00:00.000Z' })
    const old = await app.send('PUT', '/config/setores', { token: pessoa.token, body: { setores, versao: 1 } })
    expect(old.status).toBe(409)
  })

  it('rejects a list without geral and an option with an unknown setor', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    const semGeral = config.atendimento.setores.filter(({ id }) => id !== 'geral')
    const lista = await app.send('PUT', '/config/setores', { token: pessoa.token, body: { setores: semGeral } })
    expect([lista.status, lista.body['codigo']]).toEqual([409, 'setorGeral'])

    const opcoes = config.menu.opcoes.map((opcao) => (opcao.tipo === 'humano' ? { ...opcao, setor: 'marte' } : opcao))
    const menu = await save(pessoa, { ...config, menu: { ...config.menu, opcoes } })
    expect(menu.status).toBe(400)
    expect(menu.body).toMatchObject({ codigo: 'setorDesconhecido', detalhes: [{ caminho: 'menu.opcoes.1.setor' }] })
    expect((await getConfig(app, pessoa)).versao).toBe(1)
  })

  it('moves options and open conversas of a removed setor to geral and notifies the panel', async () => {
    const pessoa = await givenPerson(app)
    const config = await getConfig(app, pessoa)
    const opcoes = config.menu.opcoes.map((opcao) => (opcao.tipo === 'humano' ? { ...opcao, setor: 'vendas' } : opcao))
    await save(pessoa, { ...config, menu: { ...config.menu, opcoes } })
    const { contaId } = pessoa
    const open = app.deps.ids.uuid()
    const closed = app.deps.ids.uuid()
    const contato = app.deps.ids.uuid()
    const { owner } = app.database
    await owner.query(`insert into contatos (conta_id, id, endereco) values ($1, $2, 'tel:1')`, [contaId, contato])
    await owner.query(
      `insert into conversas (conta_id, id, contato_id, status, setor)
       values ($1, $2, $4, 'aguardando', 'vendas'), ($1, $3, $4, 'finalizada', 'vendas')`,
      [contaId, open, closed, contato],
    )
    const socket = app.openSocket(pessoa.token)
    await connected(socket)
    const moved = once(socket, 'conversaTransferida')
    const setores = config.atendimento.setores.filter(({ id }) => id !== 'vendas')
    const { status } = await app.send('PUT', '/config/setores', { token: pessoa.token, body: { setores } })
    expect(status).toBe(200)
    expect(await moved).toMatchObject({ userId: contaId, conversaId: open, novoSetor: 'geral' })
    const after = await getConfig(app, pessoa)
    expect(after.menu.opcoes.find(({ tipo }) => tipo === 'humano')?.setor).toBe('geral')
    const { rows } = await owner.query('select status, setor from conversas where conta_id = $1 order by status', [
      contaId,
    ])
    expect(rows).toEqual([
      { status: 'aguardando', setor: 'geral' },
      { status: 'finalizada', setor: 'vendas' },
    ])
  })
})

describe('/config/versoes', () => {
  it('lists versions newest first in pages and restores one as a new version', async () => {
    const pessoa = await givenPerson(app, { nome: 'Rita' })
    const first = await getConfig(app, pessoa)
    const setores = first.atendimento.setores.filter(({ id }) => id !== 'suporte')
    await save(pessoa, { ...first, whatsapp: { ...first.whatsapp, clientId: 'dois' } })
    await app.send('PUT', '/config/setores', { token: pessoa.token, body: { setores } })

    const { body } = await app.send('POST', '/config/versoes/1/restaurar', { token: pessoa.token })
    expect(body).toEqual({ sucesso: true, config: { ...first, versao: 4 } })
    expect(await getConfig(app, pessoa)).toEqual({ ...first, versao: 4 })

    const todas = await app.send('GET', '/config/versoes', { token: pessoa.token })
    const criadaEm = '2026-03-10T15:00:00.000Z'
    expect(todas.body['versoes']).toEqual([
      { versao: 4, autor: 'Rita', criadaEm, atual: true, guardada: true },
      { versao: 3, autor: 'Rita', criadaEm, atual: false, guardada: true },
      { versao: 2, autor: 'Rita', criadaEm, atual: false, guardada: true },
      { versao: 1, autor: 'Rita', criadaEm, atual: false, guardada: true },
    ])
    const uma = await app.send('GET', '/config/versoes?limite=1', { token: pessoa.token })
    const other = await app.send('GET', `/config/versoes?limite=1&cursor=${String(uma.body['proximoCursor'])}`, {
      token: pessoa.token,
    })
    expect(other.body['versoes']).toMatchObject([{ versao: 3, atual: false }])
    expect((await app.send('GET', '/config/versoes?cursor=x', { token: pessoa.token })).status).toBe(400)
    expect((await app.send('POST', '/config/versoes/99/restaurar', { token: pessoa.token })).status).toBe(404)
    expect((await app.send('POST', '/config/versoes/0/restaurar', { token: pessoa.token })).status).toBe(400)
  })

  it('restores a version only over the version the client knows', async () => {
    const pessoa = await givenPerson(app)
    const restore = (n: number, body?: unknown) =>
      app.send('POST', `/config/versoes/${n}/restaurar`, { token: pessoa.token, body })
    const first = await getConfig(app, pessoa)
    const com = (clientId: string) => ({ ...first.whatsapp, clientId })
    await save(pessoa, { ...first, whatsapp: com('dois') })
    expect((await restore(1, { versao: 2 })).status).toBe(200)
    // Another person saves before 'Desfazer' is pressed. That save must stay.
    await save(pessoa, { ...first, versao: 3, whatsapp: com('da-outra') })
    expect(await restore(2, { versao: 3 })).toMatchObject({
      status: 409,
      body: {
        codigo: 'versaoDesatualizada',
        versao: 4,
        erro: 'A configuração foi alterada em outra janela. Recarregue antes de salvar.',
      },
    })
    expect((await getConfig(app, pessoa)).whatsapp.clientId).toBe('da-outra')
    expect((await restore(2, { versao: 'x' })).status).toBe(400)
    expect((await restore(2)).status).toBe(200)
    expect(await getConfig(app, pessoa)).toMatchObject({ versao: 5, whatsapp: { clientId: 'dois' } })
  })
})
