import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiRoutes } from '@balcao/contract/routes/all'
import {
  foundTraces,
  dumpDatabase,
  readFolder,
  tracesOf,
  seedCustomer,
  type SeededCustomer,
} from './seeded-customer.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { chatOf, connectBot, givenConta, saveConfig, sendAsCustomer } from '#test/builders.ts'

let app: TestApp
let dona: TestUser
let neighbour: TestUser
let ana: SeededCustomer
let bia: SeededCustomer
let anaDaVizinha: SeededCustomer

const titular = (telefone: string): string => `/lgpd/titulares/${encodeURIComponent(telefone)}`

beforeAll(async () => {
  app = await createTestApp()
  dona = app.admin
  neighbour = await givenConta(app, 'Ana', { email: 'vizinha@balcao.test' })
  await connectBot(dona)
  await connectBot(neighbour)
  const quem = { telefone: '5511987650001', nome: 'Canária Amarela', marker: 'damasco-dourado' }
  ana = await seedCustomer(app, dona, quem)
  bia = await seedCustomer(app, dona, {
    telefone: '5511987650002',
    nome: 'Sabiá Laranjeira',
    marker: 'pitanga-madura',
  })
  anaDaVizinha = await seedCustomer(app, neighbour, { ...quem, marker: 'jabuticaba-preta' })
})
afterAll(() => app?.close())

it('finds a titular by any form of the phone, only in this conta', async () => {
  const written = ['5511987650001', '(11) 98765-0001', '11 8765-0001', '+55 11 98765 0001', '5511987650001@c.us']
  for (const escrita of written) {
    const { titular: summary } = apiRoutes.titular.response.parse((await dona.request('GET', titular(escrita))).body)
    expect(summary, escrita).toMatchObject({
      nome: ana.nome,
      telefone: ana.telefone,
      paradoDesde: null,
      emAtendimento: true,
      contagem: {
        conversas: 1,
        mensagens: ana.mensagemIds.length,
        midias: 1,
        avaliacoes: 1,
        registros: 3,
        respostasIa: 1,
        notas: 1,
      },
    })
  }
  for (const escrita of ['5511999999999', 'ninguém', '%%%', '123@lid']) {
    expect(await dona.request('GET', titular(escrita))).toMatchObject({
      status: 404,
      body: { codigo: 'naoEncontrado' },
    })
  }
})

it('exports all data of the customer and none of others', async () => {
  const { status, body } = await dona.request('GET', `${titular(ana.telefone)}/exportacao`)
  expect(status).toBe(200)
  const exportado = apiRoutes.exportarTitular.response.parse(body)
  expect(exportado.contato).toMatchObject({ id: ana.contatoId, enderecos: [`tel:${ana.telefone}`] })
  expect(exportado.contato).toMatchObject({ etiquetas: ['Fã'], observacao: `prefere ${ana.marker}` })
  expect(exportado.agendadas).toMatchObject([{ texto: `lembrete ${ana.marker}`, conversaId: ana.conversaId }])
  expect(exportado.notas).toMatchObject([{ texto: `já comprou ${ana.marker}`, conversaId: ana.conversaId }])
  expect(exportado.conversas.map(({ id }) => id)).toEqual([ana.conversaId])
  expect(exportado.mensagens.map(({ id }) => id)).toEqual(ana.mensagemIds)
  expect(exportado.midias).toMatchObject([
    { url: expect.stringContaining(`/api/midias/${ana.arquivo}?e=`), nomeOriginal: `contrato-${ana.marker}.docx` },
  ])
  expect(exportado.avaliacoes).toMatchObject([{ conversaId: ana.conversaId, nota: 5 }])
  expect(exportado.respostasIa).toMatchObject([{ dados: { pergunta: ana.marker } }])
  expect(exportado.registros).toHaveLength(3)
  const text = JSON.stringify(body)
  expect(foundTraces(text, [...tracesOf(bia), anaDaVizinha.marker, anaDaVizinha.contatoId])).toEqual([])
})

it('exports a customer with 9 MB of mensagens in pages without gaps or repeats', async () => {
  const telefone = '5511944443333'
  await app.sql(
    `with c as (insert into contatos (conta_id, id, telefone, endereco)
                values ($1, gen_random_uuid(), $2, 'tel:' || $2) returning id),
          v as (insert into conversas (conta_id, id, contato_id, status)
                select $1, gen_random_uuid(), id, 'finalizada' from c returning id),
          e as (insert into enderecos (conta_id, endereco, contato_id) select $1, 'tel:' || $2, id from c)
     insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
     select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, v.id, 'entrada', 'cliente',
       repeat('x', 6000), 'simulador', 'entregue', now() from v, generate_series(1, 1500) n`,
    [neighbour.contaId, telefone],
  )
  const ids: string[] = []
  let query = ''
  for (let pages = 1; pages <= 2; pages += 1) {
    const { status, body } = await neighbour.request('GET', `${titular(telefone)}/exportacao${query}`)
    expect([status, JSON.stringify(body).length < 7_000_000]).toEqual([200, true])
    const { mensagens, conversas, proximoCursor } = apiRoutes.exportarTitular.response.parse(body)
    expect(conversas).toHaveLength(pages === 1 ? 1 : 0)
    expect(proximoCursor === undefined).toBe(pages === 2)
    ids.push(...mensagens.map(({ id }) => id))
    query = `?cursor=${proximoCursor}`
  }
  expect(new Set(ids).size).toBe(1500)
  expect(ids).toHaveLength(1500)
  const acts = await app.sql(
    `select detalhe from auditoria where acao = 'dadosExportados' and conta_id = $1 order by id desc`,
    [neighbour.contaId],
  )
  expect(acts.map(({ detalhe }) => detalhe)).toEqual([
    'De um cliente, a pedido dele (continuação)',
    'De um cliente, a pedido dele',
  ])
})

describe('DELETE /lgpd/titulares/:telefone', () => {
  let antesDaBia: unknown
  let antesDaVizinha: unknown
  const exportar = async (pessoa: TestUser, telefone: string): Promise<unknown> => {
    const { geradoEm: _, ...rest } = (await pessoa.request('GET', `${titular(telefone)}/exportacao`)).body
    return rest
  }

  it('answers 409 during guardaLegal, like DELETE /conversas', async () => {
    const { body } = await dona.request('GET', '/lgpd/privacidade')
    const privacidade = Object(body['privacidade'])
    expect((await dona.request('PUT', '/lgpd/privacidade', { ...privacidade, guardaLegal: true })).status).toBe(200)
    for (const path of [titular(ana.telefone), '/conversas']) {
      expect(await dona.request('DELETE', path)).toMatchObject({
        status: 409,
        body: { erro: expect.stringContaining('guarda legal') },
      })
    }
    await dona.request('PUT', '/lgpd/privacidade', privacidade)
  })

  it('rolls back if the auditoria row cannot be inserted', async () => {
    await app.sql(`create function recusar() returns trigger language plpgsql as $$ begin raise 'full'; end $$`, [])
    await app.sql(
      `create trigger recusar before insert on auditoria for each row when (new.acao = 'dadosApagados')
       execute function recusar()`,
      [],
    )
    const before = await exportar(dona, ana.telefone)
    expect((await dona.request('DELETE', titular(ana.telefone))).status).toBe(500)
    await app.sql('drop trigger recusar on auditoria', [])
    expect(await exportar(dona, ana.telefone)).toEqual(before)
  })

  it('leaves no trace in tables or files and changes no other customer', async () => {
    antesDaBia = await exportar(dona, bia.telefone)
    antesDaVizinha = await exportar(neighbour, anaDaVizinha.telefone)
    const before = await dumpDatabase(app.sql, [neighbour.contaId])
    expect(foundTraces(before, tracesOf(ana))).toEqual(tracesOf(ana))

    const reply = await dona.request('DELETE', titular('11 8765-0001'))
    expect(reply).toMatchObject({ status: 200, body: { apagado: { mensagens: ana.mensagemIds.length, midias: 1 } } })

    expect(foundTraces(await dumpDatabase(app.sql, [neighbour.contaId]), tracesOf(ana))).toEqual([])
    expect(foundTraces(await readFolder(dirname(app.arquivosDir)), tracesOf(ana))).toEqual([])
    expect(await app.filesOnDisk(dona.contaId)).toEqual([bia.arquivo])
    for (const journal of ['oficial_chegadas', 'whatsapp_chegadas']) {
      const entries = await app.sql(`select id from ${journal} where conta_id = $1`, [dona.contaId])
      expect(entries, journal).toEqual([{ id: `chegada-${bia.marker}` }])
    }
    expect(await exportar(dona, bia.telefone)).toEqual(antesDaBia)
    expect(await exportar(neighbour, anaDaVizinha.telefone)).toEqual(antesDaVizinha)
    const address = app.deps.fileLinks.sign(dona.contaId, `/api/midias/${ana.arquivo}`)
    expect((await fetch(`${app.url}${address}`)).status).toBe(404)
  })

  it('removes the customer from all lists immediately', async () => {
    expect((await dona.request('GET', titular(ana.telefone))).status).toBe(404)
    expect(await chatOf(dona, ana.telefone)).toEqual([])
    for (const path of ['/bot/status', '/conversas', '/mensagens', '/logs', '/atendimento/conversas?status=todas']) {
      const { body } = await dona.request('GET', path)
      expect(foundTraces(JSON.stringify(body), tracesOf(ana)), path).toEqual([])
    }
    expect((await dona.request('GET', `/atendimento/conversas/${ana.conversaId}`)).status).toBe(404)
    expect((await dona.request('DELETE', titular(ana.telefone))).status).toBe(404)
  })

  it('records the erasure in the auditoria without identifying the customer', async () => {
    const acts = await app.sql(
      `select acao, quem_email, detalhe from auditoria where conta_id = $1 and acao like 'dados%' order by id`,
      [dona.contaId],
    )
    expect(new Set(acts.map(({ acao }) => acao))).toEqual(new Set(['dadosExportados', 'dadosApagados']))
    expect(acts.filter(({ acao }) => acao === 'dadosApagados')).toHaveLength(1)
    expect(acts.every(({ detalhe }) => detalhe === 'De um cliente, a pedido dele')).toBe(true)
  })

  it('treats a later message as a new customer', async () => {
    await sendAsCustomer(dona, ana.telefone, { nome: 'Nova Cliente', texto: 'oi' })
    await app.idle()
    const { titular: summary } = apiRoutes.titular.response.parse(
      (await dona.request('GET', titular(ana.telefone))).body,
    )
    expect(summary.nome).toBe('Nova Cliente')
    expect(summary.contagem.conversas).toBe(1)
    expect((await chatOf(dona, ana.telefone)).some(({ de }) => de === 'bot')).toBe(true)
  })
})

it('returns the registro de operacoes with the current configuration', async () => {
  const { body } = await dona.request('GET', '/lgpd/registro-operacoes')
  const { operacoes } = apiRoutes.registroOperacoes.response.parse(body)
  expect(operacoes.map(({ nome }) => nome)).toContain('Atender clientes por mensagem')
  expect(operacoes.every((operation) => Object.values(operation).every((value) => value !== ''))).toBe(true)
  const data = operacoes.map(({ dados }) => dados).join('\n')
  for (const kind of [
    'mensagens agendadas',
    'etiquetas',
    'notas internas',
    'Endereço do navegador no serviço de avisos',
  ]) {
    expect(data).toContain(kind)
  }
  expect(JSON.stringify(operacoes)).not.toContain('Gemini')
  expect(data).not.toContain('endereço de entrega')
  await saveConfig(dona, (config) => ({ ...config, loja: { ...config.loja, pedidos: true } }))
  const withOrders = JSON.stringify((await dona.request('GET', '/lgpd/registro-operacoes')).body)
  for (const kind of ['endereço de entrega', 'estado do pagamento', 'código do PIX']) expect(withOrders).toContain(kind)
  const { privacidade } = apiRoutes.privacidade.response.parse((await dona.request('GET', '/lgpd/privacidade')).body)
  await dona.request('PUT', '/lgpd/privacidade', { ...privacidade, retencaoDias: 30 })
  expect(JSON.stringify((await dona.request('GET', '/lgpd/registro-operacoes')).body)).toContain('30 dias depois')
  for (const lerMidia of [false, true]) {
    await saveConfig(dona, (config) => ({
      ...{ ...config, gemini: { apiKey: 'AIza-de-teste' } },
      ia: { ...config.ia, ativa: true, apiKey: 'AIza-de-teste', lerMidia, transcrever: lerMidia },
    }))
    const texts = JSON.stringify((await dona.request('GET', '/lgpd/registro-operacoes')).body)
    expect(texts).toContain('sem CPF, cartão, telefone nem e-mail')
    expect(texts.includes('Áudios que o cliente manda com a pergunta')).toBe(lerMidia)
    expect(texts).toContain('Google Gemini, fora do Brasil (Estados Unidos)')
    expect(texts.includes('Transcrever áudios de clientes')).toBe(lerMidia)
  }
  const chaves = { openai: '', anthropic: 'sk-de-teste', compativel: '' }
  await saveConfig(dona, (config) => ({ ...config, ia: { ...config.ia, provedor: 'anthropic', chaves } }))
  const other = JSON.stringify((await dona.request('GET', '/lgpd/registro-operacoes')).body)
  expect(other).toContain('Anthropic, fora do Brasil (Estados Unidos)')
  expect(other).not.toContain('Gemini')
})
