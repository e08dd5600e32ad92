import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type ConversaReader, mayReadConversa } from '@balcao/contract/conversa-access'
import type { RouteShape } from '@balcao/contract/define-route'
import { type ApiRouteName, apiRoutes } from '@balcao/contract/routes/all'
import { agendadasRoute } from '@balcao/contract/routes/atendimento-agendadas'
import { columns, sql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import { readable, readerValues } from '#modules/leitores/index.ts'
import { createTestApp, type TestApp, type TestUser, type WholeAnswer, waitUntil } from '#test/app.ts'
import {
  chatOf,
  connectBot,
  customerSays,
  formFile,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  openConversas,
  sendAsCustomer,
} from '#test/builders.ts'
import { addLine } from '#test/linhas/lines.ts'
import { pdf } from '#test/midias/sample-files.ts'

/**
 * The conversa is of `financeiro` on the first line. One operador serves only `vendas`, the other one only another line.
 * Each route that is open to operadores is in a table; a new route fails until it is added.
 */

const listReadable = manyRows(
  'test: list readable',
  z.object({ lida: z.boolean() }),
  sql`select ${readable('v')} is true as lida from ${columns('v', { contaId: 'uuid', linhaId: 'uuid?', setor: 'text?', status: 'text', operadorId: 'uuid?' })}`,
)

const TELEFONE = '5511977001122'
const NOME = `Cliente ${randomUUID()}`

let app: TestApp
let dona: TestUser
let vera: TestUser
let fabio: TestUser
let lia: TestUser
let id = ''
let mensagemId = ''

const transferir = (quem: TestUser, conversa: string, setor: string) =>
  quem.request('POST', `/atendimento/conversas/${conversa}/transferir`, { setor })
const sees = async (quem: TestUser, conversa: string, query = '?limite=200'): Promise<boolean> =>
  (await openConversas(quem, query)).some((one) => one.id === conversa)
/** A new customer who waits in this setor. */
async function waitingIn(setor: string, telefone: string): Promise<string> {
  const conversa = await givenWaitingCustomer(dona, telefone)
  if (setor !== 'geral') expect((await transferir(dona, conversa, setor)).status).toBe(200)
  return conversa
}

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  vera = await givenOperador(app, dona, { nome: 'Vera', setores: ['vendas'] })
  fabio = await givenOperador(app, dona, { nome: 'Fábio', setores: ['financeiro'] })
  lia = await givenOperador(app, dona, { nome: 'Lia', linhas: [(await addLine(dona, 'Filial')).id] })
  await connectBot(dona)
  await sendAsCustomer(dona, TELEFONE, { nome: NOME, texto: 'oi' })
  await sendAsCustomer(dona, TELEFONE, { nome: NOME, texto: 'atendente' })
  const conversa = (await openConversas(dona)).find(({ cliente }) => cliente.telefone === TELEFONE)
  id = conversa?.id ?? ''
  mensagemId = conversa?.mensagens.find(({ origem }) => origem === 'cliente')?.id ?? ''
  await transferir(dona, id, 'financeiro')
})
afterAll(() => app.close())

interface Target {
  readonly conversa: string
  readonly mensagem: string
}
type BuildBody = () => unknown

const NO_BODY: BuildBody = () => undefined
const file: BuildBody = () => {
  const form = new FormData()
  form.set('arquivo', formFile(pdf(), 'nota.pdf', 'application/pdf'))
  return form
}

/** Routes of one conversa, with a valid body. */
const OF_A_CONVERSA = {
  conversaHumana: NO_BODY,
  mensagensDaConversa: NO_BODY,
  arquivosDaConversa: NO_BODY,
  fichaDoCliente: NO_BODY,
  carrinho: NO_BODY,
  enviarMensagem: () => ({ mensagem: 'oi' }),
  enviarMidia: file,
  enviarModelo: () => ({ nome: 'pedido_pronto', idioma: 'pt_BR', valores: [] }),
  reenviarMensagem: NO_BODY,
  enviarProduto: () => ({ produtoId: id }),
  editarMensagem: () => ({ texto: 'oi' }),
  apagarMensagem: NO_BODY,
  encaminharMensagem: () => ({ conversaIds: [id] }),
  reagir: () => ({ emoji: '👍' }),
  digitando: NO_BODY,
  sugerirResposta: NO_BODY,
  leitura: () => ({ marcada: true }),
  lembrar: () => ({ em: null }),
  fixar: () => ({ fixada: true }),
  assumirConversa: NO_BODY,
  finalizarConversa: NO_BODY,
  transferirConversa: () => ({ setor: 'vendas' }),
  devolverConversa: NO_BODY,
  reabrirConversa: NO_BODY,
  soltarConversa: NO_BODY,
  desfazerConversa: NO_BODY,
  notas: NO_BODY,
  criarNota: () => ({ texto: 'quer nota fiscal' }),
  agendadas: NO_BODY,
  agendarMensagem: () => ({ mensagem: 'oi', enviarEm: new Date(Date.now() + 3_600_000).toISOString() }),
} as const satisfies Partial<Record<ApiRouteName, BuildBody>>

/** Routes that count or list conversas, or show customers. */
const OF_MANY_CONVERSAS = [
  'conversasHumanas',
  'contagens',
  'buscarMensagens',
  'busca',
  'estatisticasAtendimento',
  'revisoes',
  'avaliacoes',
  'relatorio',
  'botStatus',
] as const satisfies readonly ApiRouteName[]

/**
 * Routes of operadores without anything of a conversa. `testeAvaliacao` and `iniciarConversa` answer 409 for a served
 * contato of any setor: the operador names the phone. Contatos belong to no setor. The tests of scheduled messages
 * check the readers of `cancelarAgendada`, those of many acts the readers of `lote`, those of orders the readers of
 * `criarPedido`. Every operador sees and moves all orders.
 */
const OF_NO_CONVERSA = [
  ...(['setores', 'testeConversa', 'testeAvaliacao', 'respostasRapidas', 'salvarRespostasRapidas'] as const),
  ...(['iniciarConversa', 'atendentes', 'disponibilidade', 'mudarDisponibilidade', 'cancelarAgendada'] as const),
  ...(['avisos', 'lerAvisos', 'produtosDoAtendimento'] as const),
  ...(['pedidos', 'pedido', 'criarPedido', 'statusPedido', 'pagamentoPedido', 'pixPedido', 'cupomPedido'] as const),
  ...(['contatos', 'contato', 'criarContato', 'atualizarContato', 'contatosLote', 'lote'] as const),
  ...(['etiquetas', 'criarEtiqueta', 'atualizarEtiqueta', 'excluirEtiqueta'] as const),
  ...(['linhas', 'linha', 'statusDaLinha'] as const),
  ...(['modelosOficiais', 'config', 'versoesConfig', 'sistemaStatus', 'usuarioEstatisticas'] as const),
  ...([
    'eu',
    'salvarEu',
    'logout',
    'trocarSenha',
    'confirmar',
    'sessoes',
    'encerrarSessao',
    'encerrarOutrasSessoes',
  ] as const),
  ...(['iniciarTotp', 'confirmarTotp', 'removerTotp', 'novosCodigos'] as const),
  ...(['passkeys', 'opcoesNovaPasskey', 'criarPasskey', 'removerPasskey'] as const),
  ...(['chavePush', 'inscreverPush', 'inscricoesPush', 'cancelarPush', 'testarPush'] as const),
  ...(['preferenciasPush', 'salvarPreferenciasPush'] as const),
] as const

const isOpenToOperadores = ({ permission, deniesOperators }: RouteShape): boolean =>
  deniesOperators !== true &&
  (permission === 'logado' || [permission].flat().some((componente) => componente === 'atendimentoHumano'))

const callOne = (quem: TestUser, name: keyof typeof OF_A_CONVERSA, target: Target): Promise<WholeAnswer> => {
  const row: RouteShape = apiRoutes[name]
  const path = row.path
    .replace('/conversas/:id', `/conversas/${target.conversa}`)
    .replace(/\/:mensagemId|\/mensagens\/:id/, (part) => part.replace(/:\w+/, target.mensagem))
  return app.send(row.method, path, { token: quem.token, body: OF_A_CONVERSA[name]() })
}

const names = Object.keys(OF_A_CONVERSA).filter((name): name is keyof typeof OF_A_CONVERSA => name in OF_A_CONVERSA)

it('has every route of operadores in a table', () => {
  const open = Object.entries(apiRoutes).flatMap(([name, row]) => (isOpenToOperadores(row) ? [name] : []))
  expect(new Set([...names, ...OF_MANY_CONVERSAS, ...OF_NO_CONVERSA])).toEqual(new Set(open))
})

describe.each([
  { of: 'setor', other: () => vera },
  { of: 'line', other: () => lia },
])('an operador of another $of', ({ other }) => {
  it.each(names)('%s: answers for the conversa as for an unknown id', async (name) => {
    const unknown = { conversa: randomUUID(), mensagem: randomUUID() }
    const [mine, none] = [
      await callOne(other(), name, { conversa: id, mensagem: mensagemId }),
      await callOne(other(), name, unknown),
    ]
    expect([mine.status, mine.text]).toEqual([none.status, none.text])
    expect([mine.status, mine.body['codigo']]).toEqual([404, 'naoEncontrado'])
    expect(mine.text).not.toContain(TELEFONE)
  })

  it('leaves the conversa unchanged after every refused route', async () => {
    for (const name of names) await callOne(other(), name, { conversa: id, mensagem: mensagemId })
    const [conversa] = (await openConversas(dona, '?setor=financeiro')).filter((one) => one.id === id)
    expect(conversa).toMatchObject({ status: 'aguardando', setor: 'financeiro', naoLidas: 1 })
    expect(conversa).not.toHaveProperty('operadorId')
    expect(await app.filesOnDisk(dona.contaId)).toEqual([])
    const shop = (await chatOf(dona, TELEFONE)).filter(({ de }) => de === 'bot')
    expect(shop.map(({ texto }) => texto)).not.toContain('oi')
  })

  it.each(OF_MANY_CONVERSAS)('%s: shows nothing of the customer', async (name) => {
    const query = name === 'buscarMensagens' || name === 'busca' ? '?q=atendente' : ''
    const reply = await app.send('GET', `${apiRoutes[name].path}${query}`, { token: other().token })
    expect(reply.status).toBe(200)
    for (const canary of [id, mensagemId, NOME, TELEFONE]) expect(reply.text).not.toContain(canary)
  })

  it.each(['setor=financeiro', 'setor=financeiro&status=aguardando', `busca=${TELEFONE}`, 'status=todos&limite=200'])(
    'lists no conversa of others with ?%s',
    async (query) => {
      expect(await sees(fabio, id, `?${query}`)).toBe(true)
      expect(await sees(other(), id, `?${query}`)).toBe(false)
    },
  )
})

it('creates test conversas only in the setores of the operador', async () => {
  const test = (setor: string) =>
    app.send('POST', '/atendimento/teste-conversa', { token: vera.token, body: { setor } })
  const [foreign, unknown] = [await test('financeiro'), await test('lua')]
  expect([foreign.status, foreign.text]).toEqual([400, unknown.text])
  for (const setor of ['vendas', 'geral']) expect((await test(setor)).status).toBe(200)
})

describe('mayReadConversa', () => {
  it('allows Geral, no setor, own setores and the conversa being served, and all to the dono', async () => {
    const geral = await waitingIn('geral', '5511977002200')
    const vendas = await waitingIn('vendas', '5511977002201')
    const solta = await waitingIn('suporte', '5511977002202')
    await app.sql('update conversas set setor = null where id = $1', [solta])
    const everything = await givenOperador(app, dona, { nome: 'Tina' })
    for (const conversa of [geral, vendas, solta]) expect(await sees(vera, conversa)).toBe(true)
    for (const quem of [dona, everything, fabio]) expect(await sees(quem, id)).toBe(true)
    expect([await sees(fabio, geral), await sees(fabio, vendas)]).toEqual([true, false])
    for (const act of ['assumir', 'mensagem', 'finalizar']) {
      const reply = await vera.request('POST', `/atendimento/conversas/${vendas}/${act}`, { mensagem: 'pois não' })
      expect([act, reply.status]).toEqual([act, 200])
    }
  })

  it('equals its SQL condition for every reader and conversa', async () => {
    const { contaId } = dona
    const [eu, filial] = [randomUUID(), randomUUID()]
    const setoresOf = [[], ['vendas'], ['geral'], ['vendas', 'd\'água \\ "x"'], ['financeiro']]
    const readers: ConversaReader[] = setoresOf.flatMap((setores) =>
      [[], [contaId], [filial], [contaId, filial]].map((linhas) => ({ usuarioId: eu, setores, linhas })),
    )
    const conversas = [null, 'geral', 'vendas', 'financeiro', 'd\'água \\ "x"'].flatMap((setor) =>
      ['aguardando', 'em_atendimento', 'finalizada'].flatMap((status) =>
        [null, eu, randomUUID()].flatMap((operadorId) =>
          // Stored null is the first line.
          [null, filial].map((linhaId) => ({ contaId, linhaId, setor, status, operadorId })),
        ),
      ),
    )
    for (const reader of readers)
      for (const linha of [null, contaId, filial]) {
        const values = { v: conversas, ...readerValues(reader, linha) }
        const seen = await app.deps.db.read(contaId, (tx) => listReadable(tx, values))
        const expected = conversas.map((conversa) => {
          const linhaId = conversa.linhaId ?? contaId
          return mayReadConversa(reader, { ...conversa, linhaId }) && (linha === null || linha === linhaId)
        })
        expect(seen.map(({ lida }) => lida)).toEqual(expected)
      }
  })

  it('keeps a conversa open to the operador who serves it after a change of their setores', async () => {
    const olga = await givenOperador(app, dona, { nome: 'Olga', setores: ['vendas'] })
    const [served, waiting] = [await waitingIn('vendas', '5511977002203'), await waitingIn('vendas', '5511977002204')]
    await olga.request('POST', `/atendimento/conversas/${served}/assumir`)
    const { received } = await app.connect(olga)
    const change = { setores: ['suporte'] }
    expect((await dona.request('PUT', `/conta/operadores/${olga.usuario.id}`, change)).status).toBe(200)
    // The next request already follows the change.
    expect((await olga.request('GET', `/atendimento/conversas/${waiting}`)).status).toBe(404)
    expect([await sees(olga, served), await sees(olga, waiting)]).toEqual([true, false])
    await waitUntil(() => app.deps.realtime.hasRestricted(dona.contaId))
    await customerSays(dona, '5511977002204', 'de outro setor')
    await waitUntil(async () => {
      await customerSays(dona, '5511977002203', 'do meu cliente')
      return JSON.stringify(received).includes('do meu cliente')
    })
    expect(JSON.stringify(received)).not.toContain('de outro setor')
    expect((await olga.request('POST', `/atendimento/conversas/${served}/mensagem`, { mensagem: 'ok' })).status).toBe(
      200,
    )
    expect((await olga.request('POST', `/atendimento/conversas/${served}/finalizar`)).status).toBe(200)
    expect((await olga.request('GET', `/atendimento/conversas/${served}`)).status).toBe(404)
  })

  it('leaves an operador of a removed setor with Geral, from the next request on', async () => {
    await dona.request('POST', '/atendimento/setores', { nome: 'Trocas' })
    const caio = await givenOperador(app, dona, { nome: 'Caio', setores: ['trocas'] })
    const moved = await waitingIn('trocas', '5511977002205')
    expect([await sees(caio, moved), await sees(caio, id)]).toEqual([true, false])
    expect((await dona.request('DELETE', '/atendimento/setores/trocas')).status).toBe(200)
    expect([await sees(caio, moved), await sees(caio, id)]).toEqual([true, false])
    expect((await caio.request('GET', '/auth/eu')).body).toMatchObject({ usuario: { setores: ['geral'] } })
  })

  it('gives different lists and chats to two people who ask at the same instant', async () => {
    const lists = await Promise.all([dona, vera, fabio, dona, vera, fabio].map((quem) => sees(quem, id)))
    expect(lists).toEqual([true, false, true, true, false, true])
    const chats = await Promise.all(
      [dona, vera, dona, vera].map((quem) => quem.request('GET', `/atendimento/conversas/${id}/mensagens`)),
    )
    expect(chats.map(({ status }) => status)).toEqual([200, 404, 200, 404])
  })
})

describe('transfer to another setor', () => {
  it('opens the conversa to the new setor and closes it to the old one', async () => {
    const conversa = await waitingIn('vendas', '5511977003300')
    expect([await sees(vera, conversa), await sees(fabio, conversa)]).toEqual([true, false])
    const { status, body } = await transferir(vera, conversa, 'financeiro')
    // The answer of the act itself still shows the conversa.
    expect([status, body['conversa']]).toEqual([200, expect.objectContaining({ setor: 'financeiro' })])
    expect([await sees(vera, conversa), await sees(fabio, conversa)]).toEqual([false, true])
    expect((await transferir(vera, conversa, 'vendas')).status).toBe(404)
    expect((await transferir(fabio, conversa, 'vendas')).status).toBe(200)
    expect([await sees(vera, conversa), await sees(fabio, conversa)]).toEqual([true, false])
  })

  it.each([
    ['assumir', '5511977003301'],
    ['mensagem', '5511977003302'],
    ['finalizar', '5511977003303'],
    ['transferir', '5511977003304'],
  ])('answers 404 to %s that waited for the transfer', async (act, telefone) => {
    const conversa = await waitingIn('vendas', telefone)
    const lock = await app.database.owner.connect()
    await lock.query('begin')
    await lock.query('select 1 from contatos where id = (select contato_id from conversas where id = $1) for update', [
      conversa,
    ])
    const late = vera.request('POST', `/atendimento/conversas/${conversa}/${act}`, {
      mensagem: 'atrasada',
      setor: 'vendas',
    })
    await waitUntil(async () => {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await app.sql(waiting)).length > 0
    })
    await lock.query(`update conversas set setor = 'financeiro' where id = $1`, [conversa])
    await lock.query('commit')
    lock.release()
    expect(await late).toMatchObject({ status: 404, body: { codigo: 'naoEncontrado' } })
    const [current] = (await openConversas(dona, '?limite=200')).filter((one) => one.id === conversa)
    expect(current).toMatchObject({ status: 'aguardando', setor: 'financeiro' })
    expect(current?.mensagens.map(({ texto }) => texto)).not.toContain('atrasada')
  })
})

describe('a scheduled message of an operador', () => {
  const minutesAhead = (minutes: number): string =>
    new Date(app.deps.clock.now().getTime() + minutes * 60_000).toISOString()
  const act = (quem: TestUser, conversa: string, action: string, body?: object) =>
    quem.request('POST', `/atendimento/conversas/${conversa}/${action}`, body)
  const schedule = (quem: TestUser, conversa: string) =>
    act(quem, conversa, 'agendadas', {
      ...{ mensagem: 'Lembrete', enviarEm: minutesAhead(2), cancelarSeResponder: false },
    })
  const failsAt = (quem: TestUser, conversa: string): Promise<boolean> =>
    waitUntil(async () => {
      const { body } = await quem.request('GET', `/atendimento/conversas/${conversa}/agendadas`)
      const [one] = agendadasRoute.response.parse(body).agendadas
      return one?.estado === 'falhou' && one.motivo === 'autorSemAcesso'
    })

  it('neither leaves nor opens the conversa of another setor to its author', async () => {
    const conversa = await waitingIn('vendas', '5511977003401')
    expect((await act(vera, conversa, 'mensagem', { mensagem: 'Bom dia!' })).status).toBe(200)
    expect((await schedule(vera, conversa)).status).toBe(201)
    await transferir(vera, conversa, 'financeiro')
    await act(fabio, conversa, 'assumir')
    expect((await act(fabio, conversa, 'notas', { texto: 'deve três parcelas' })).status).toBe(201)
    expect((await act(fabio, conversa, 'finalizar')).status).toBe(200)

    const nina = await givenOperador(app, dona, { nome: 'Nina', setores: ['vendas'] })
    const kept = await waitingIn('vendas', '5511977003402')
    expect((await schedule(nina, kept)).status).toBe(201)
    const moved = await dona.request('PUT', `/conta/operadores/${nina.usuario.id}`, { setores: ['suporte'] })
    expect(moved.status).toBe(200)

    app.advance(3 * 60_000)
    await failsAt(fabio, conversa)
    await failsAt(vera, kept)
    for (const path of ['', '/mensagens', '/notas', '/agendadas']) {
      expect((await vera.request('GET', `/atendimento/conversas/${conversa}${path}`)).status).toBe(404)
      expect((await nina.request('GET', `/atendimento/conversas/${kept}${path}`)).status).toBe(404)
    }
    expect((await act(vera, conversa, 'reabrir')).status).toBe(404)
    const state = await app.sql('select status, setor, operador from conversas where id = any ($1) order by setor', [
      [conversa, kept],
    ])
    expect(state).toEqual([
      { status: 'finalizada', setor: 'financeiro', operador: 'Fábio' },
      { status: 'aguardando', setor: 'vendas', operador: null },
    ])
    expect(await app.sql(`select 1 from mensagens where texto = 'Lembrete'`)).toEqual([])
  })
})

describe('numbers of an operador', () => {
  it('counts only readable conversas in numbers of an operador', async () => {
    const loja = await givenConta(app)
    const duda = await givenOperador(app, loja, { nome: 'Duda', setores: ['vendas'] })
    await connectBot(loja)
    for (const [telefone, setor, nota] of [
      ['5511977004400', 'financeiro', 1],
      ['5511977004401', 'vendas', 5],
    ] as const) {
      const conversa = await givenWaitingCustomer(loja, telefone)
      await transferir(loja, conversa, setor)
      await loja.request('POST', `/atendimento/conversas/${conversa}/assumir`)
      await loja.request('POST', `/atendimento/conversas/${conversa}/finalizar`)
      await customerSays(loja, telefone, String(nota))
    }
    const back = await givenWaitingCustomer(loja, '5511977004400')
    await transferir(loja, back, 'vendas')
    const open = await givenWaitingCustomer(loja, '5511977004402')
    await transferir(loja, open, 'financeiro')
    const read = (quem: TestUser, path: string) => quem.request('GET', `/atendimento/${path}`)

    expect((await read(loja, 'estatisticas')).body).toMatchObject({ total: 2, aguardando: 2, finalizadasHoje: 2 })
    const stats = (await read(duda, 'estatisticas')).body
    expect(stats).toMatchObject({ total: 1, aguardando: 1, finalizadasHoje: 1 })
    expect(stats['porSetor']).toEqual([
      { setor: 'vendas', total: 1, aguardando: 1 },
      { setor: 'geral', total: 0, aguardando: 0 },
    ])
    expect((await read(loja, 'avaliacoes')).body).toMatchObject({ totalAvaliacoes: 2, notaMedia: 3 })
    expect((await read(duda, 'avaliacoes')).body).toMatchObject({
      totalAvaliacoes: 1,
      notaMedia: 5,
      ultimasAvaliacoes: [{ nota: 5, setor: 'vendas' }],
      porSetor: [{ setor: 'vendas', total: 1, notaMedia: 5 }],
      porOperador: [{ total: 1, notaMedia: 5 }],
    })
    expect((await read(loja, 'relatorio')).body).toMatchObject({
      total: { conversas: 4, finalizadas: 2, avaliacoes: 2 },
    })
    const report = (await read(duda, 'relatorio')).body
    expect(report).toMatchObject({
      total: { conversas: 2, finalizadas: 1, avaliacoes: 1, notaMedia: 5 },
      setores: [{ setor: 'vendas', conversas: 2 }],
    })
    expect((await read(loja, `conversas/${back}/cliente`)).body).toMatchObject({
      totalAnteriores: 1,
      avaliacoes: { total: 1, notaMedia: 1 },
    })
    expect((await read(duda, `conversas/${back}/cliente`)).body).toMatchObject({
      anteriores: [],
      totalAnteriores: 0,
      avaliacoes: { total: 0, notaMedia: null },
    })
  })
})
