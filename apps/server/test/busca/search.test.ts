import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { buscarMensagensRoute } from '@balcao/contract/routes/atendimento-busca'
import { indexRound } from '#modules/busca/index.ts'
import { allOfTerms, readTerms } from '#modules/busca/terms.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  sendAsCustomer,
} from '#test/builders.ts'

let app: TestApp
let dona: TestUser
let vera: TestUser
let vizinha: TestUser
let conversaId = ''
let financeiro = ''

const ANA = '5511977000001'
const ana = (texto: string) => sendAsCustomer(dona, ANA, { nome: 'Ana Conceição', texto })
const search = async (quem: TestUser, q: string, more = '') => {
  // A search longer than 2 s is refused with the advice to try again, and a busy machine needs longer.
  const answer = await waitUntil(async () => {
    const tried = await quem.request('GET', `/atendimento/busca?q=${encodeURIComponent(q)}${more}`)
    return tried.status === 503 ? null : tried
  })
  expect(answer, `search of "${q}"`).toMatchObject({ status: 200 })
  return buscarMensagensRoute.response.parse(answer.body)
}
const texts = async (quem: TestUser, q: string): Promise<string[]> =>
  (await search(quem, q)).resultados.map(({ trecho }) => trecho)
const indexAll = (): Promise<boolean> => indexRound(app.deps, () => false)
const indexed = async (): Promise<number> =>
  Number((await app.sql('select count(*) as n from busca_mensagens where conta_id = $1', [dona.contaId]))[0]?.['n'])

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  vizinha = await givenConta(app, 'Vizinha')
  vera = await givenOperador(app, dona, { nome: 'Vera', setores: ['vendas'] })
  await connectBot(dona)
  conversaId = await givenWaitingCustomer(dona, ANA)
  for (const texto of ['Quero duas TORTAS de limão', 'a entrega é no sábado', 'e um pão de açúcar']) await ana(texto)
  financeiro = await givenWaitingCustomer(dona, '5511977000002')
  await customerSays(dona, '5511977000002', 'o boleto da torta venceu')
  await dona.request('POST', `/atendimento/conversas/${financeiro}/transferir`, { setor: 'financeiro' })
  await customerSays(dona, '5511977000003', 'torta só para o bot')
  await dona.request('POST', `/atendimento/conversas/${conversaId}/notas`, { texto: 'Prefere torta sem açúcar' })
  await app.idle()
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => app.close())

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['torta', ['Prefere torta sem açúcar', 'o boleto da torta venceu', 'Quero duas TORTAS de limão']],
  ['limao TORTA', ['Quero duas TORTAS de limão']],
  ['sabados', ['a entrega é no sábado']],
  ['entre', ['a entrega é no sábado']],
  ['torta banana', []],
  ['!!', []],
]

describe('GET /atendimento/busca', () => {
  it('finds the same before and after the task read the messages', async () => {
    // The task of the server runs 20 s after its start, which a busy machine reaches before this test.
    await app.sql('delete from busca_mensagens')
    await app.sql('delete from busca_contas')
    for (const [q, found] of CASES) expect([q, await texts(dona, q)]).toEqual([q, found])
    await indexAll()
    expect(await indexed()).toBeGreaterThan(5)
    for (const [q, found] of CASES) expect([q, await texts(dona, q)]).toEqual([q, found])
    await ana('mais tortas')
    expect((await texts(dona, 'torta'))[0]).toBe('mais tortas')
  })

  it('names message, conversa, customer, time and author', async () => {
    const [nota] = (await search(dona, 'prefere')).resultados
    expect(nota).toMatchObject({ conversaId, origem: 'nota', cliente: 'Ana Conceição' })
    const [one] = (await search(dona, 'limao')).resultados
    const [row] = await app.sql(
      `select id, to_char(criada_em at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as criada_em from mensagens where texto like $1`,
      ['%limão'],
    )
    expect(one).toEqual({
      ...{ conversaId, mensagemId: row?.['id'], cliente: 'Ana Conceição', trecho: 'Quero duas TORTAS de limão' },
      ...{ timestamp: row?.['criada_em'], origem: 'cliente', marcas: [[21, 26]] },
    })
  })

  it('returns the last message of a conversa for the name of its customer', async () => {
    expect(await texts(dona, 'conceicao ana')).toEqual(['mais tortas'])
  })

  it('pages without a gap or a repetition', async () => {
    const all = (await search(dona, 'torta')).resultados
    const paged = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await search(dona, 'torta', `&limite=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(page.resultados.length).toBeLessThanOrEqual(1)
      paged.push(...page.resultados)
      cursor = page.proximoCursor
    }
    expect(paged).toEqual(all)
    expect(all).toHaveLength(4)
    expect((await dona.request('GET', '/atendimento/busca?q=torta&cursor=x')).status).toBe(400)
    expect((await dona.request('GET', '/atendimento/busca?q=a')).status).toBe(400)
  })

  it('shows an operador only conversas of the own setores, and another conta nothing', async () => {
    const found = async (quem: TestUser): Promise<boolean> => (await texts(quem, 'boleto')).length > 0
    expect([await found(dona), await found(vera), await found(vizinha)]).toEqual([true, false, false])
    expect((await texts(vera, 'torta')).length).toBe(3)
    await app.sql(`update conversas set setor = 'vendas' where id = $1`, [financeiro])
    expect(await found(vera)).toBe(true)
    expect(await texts(vizinha, 'torta')).toEqual([])
  })

  it('finds an edited message by its new words', async () => {
    await app.sql(`update mensagens set extras = '{"edicao": "a retirada é no domingo"}' where texto like '%sábado'`)
    expect(await texts(dona, 'domingo')).toEqual(['a retirada é no domingo'])
    await ana('ok')
    await indexAll()
    expect(await texts(dona, 'domingo')).toEqual(['a retirada é no domingo'])
  })

  it('deletes the words with the customer', async () => {
    await indexAll()
    const words = async (): Promise<number> =>
      (await app.sql(`select from busca_mensagens where vetor::text like '%boleto%'`)).length
    expect(await words()).toBe(1)
    await app.sql(
      `delete from contatos where (conta_id, id) = (select conta_id, contato_id from conversas where id = $1)`,
      [financeiro],
    )
    expect(await words()).toBe(0)
    expect(await texts(dona, 'boleto')).toEqual([])
  })
})

it('finds words around a sign of any kind, before and after the task read them, and in names', async () => {
  const PURO = '5511977000013'
  await sendAsCustomer(dona, PURO, { nome: 'Café_100%_Nobre', texto: 'atendente' })
  await sendAsCustomer(dona, PURO, { nome: 'Café_100%_Nobre', texto: 'é 100%_puro_mesmo?' })
  await app.idle()
  const found = ['puro', '100 mesmo', '100%_puro', 'nobre_puro']
  for (const q of found) expect([q, await texts(dona, q)]).toEqual([q, ['é 100%_puro_mesmo?']])
  await indexAll()
  for (const q of [...found, 'purro']) expect([q, await texts(dona, q)]).toEqual([q, ['é 100%_puro_mesmo?']])
  for (const q of ['nobre', 'nobre%café', 'Café_'])
    expect([q, (await texts(dona, q))[0]]).toEqual([q, 'é 100%_puro_mesmo?'])
  for (const q of ['pu_o', 'p%o', '%_nobre_x']) expect([q, await texts(dona, q)]).toEqual([q, []])
})

it('has words and queries for texts of any kind', async () => {
  const { contaId } = dona
  const kept = ['Política de TROCAS', 'Política de entregas', 'trocas_e_devoluções']
  const found = async (query: string): Promise<unknown[]> => {
    const words = await app.deps.db.read(contaId, async (tx) => allOfTerms(contaId, await readTerms(tx, dona, query)))
    const rows = await app.sql(
      'select t.texto from unnest($2::text[]) t (texto) where busca_vetor($1, texto) @@ $3::tsquery',
      [...[contaId, kept, words]],
    )
    return rows.map(({ texto }) => texto)
  }
  expect(await found('troca')).toEqual([kept[0], kept[2]])
  expect(await found('TROCA politica')).toEqual([kept[0]])
  expect(await found('devolucao troc')).toEqual([])
})

describe('typing errors', () => {
  it.each([
    ['limoa', ['Quero duas TORTAS de limão']],
    ['limoao torta', ['Quero duas TORTAS de limão']],
    ['tota prefre', ['Prefere torta sem açúcar']],
    ['conceisao', ['ok']],
    ['limx0', []],
    ['limoaoa', []],
  ])('finds %j by the similar words of messages, names and notas', async (q, found) => {
    await indexAll()
    expect(await texts(dona, q)).toEqual(found)
  })

  it('keeps a word exact that some text has', async () => {
    await ana('um torto')
    await indexAll()
    expect(await texts(dona, 'torto')).toEqual(['um torto'])
  })

  it('never corrects with words of another conta', async () => {
    await connectBot(vizinha)
    const other = await givenWaitingCustomer(vizinha, '5511977000009')
    await customerSays(vizinha, '5511977000009', 'quero jabuticaba')
    await app.idle()
    await indexAll()
    expect(await texts(vizinha, 'jabutcaba')).toEqual(['quero jabuticaba'])
    expect(other).not.toBe('')
    const terms = await app.deps.db.read(dona.contaId, (tx) => readTerms(tx, vizinha, 'jabutcaba'))
    expect(terms.map(({ corrections }) => corrections)).toEqual([[]])
  })

  it('deletes words of erased texts from the vocabulary in the next check', async () => {
    const stored = async (): Promise<number> =>
      (await app.sql(`select from busca_palavras where conta_id = $1 and palavra = 'jabuticaba'`, [vizinha.contaId]))
        .length
    expect(await stored()).toBe(1)
    await app.sql('delete from contatos where conta_id = $1', [vizinha.contaId])
    await app.sql(`update busca_contas set completa_em = now() - interval '8 days'`)
    await indexAll()
    expect(await stored()).toBe(0)
    expect(await texts(dona, 'limoa')).toEqual(['Quero duas TORTAS de limão'])
  })
})

describe('time of a search', () => {
  it('ends together for all statements, 2 s after the begin', async () => {
    await app.sql('alter function busca_semelhantes rename to busca_semelhantes_rapida')
    await app.sql(
      `create function busca_semelhantes(conta uuid, procurada text, erros integer)
       returns table (palavra text, vezes integer) language sql as $$ select ''::text, 0 from pg_sleep(1.2) $$`,
    )
    const begun = performance.now()
    const answer = await dona.request('GET', '/atendimento/busca?q=zqwvkaa%20zqwvkbb%20zqwvkcc')
    const ms = performance.now() - begun
    await app.sql('drop function busca_semelhantes')
    await app.sql('alter function busca_semelhantes_rapida rename to busca_semelhantes')
    expect(answer).toMatchObject({ status: 503, body: { codigo: 'servidorOcupado' } })
    expect(ms).toBeLessThan(3_000)
    expect(await texts(dona, 'limoa')).toEqual(['Quero duas TORTAS de limão'])
  })
})

describe('words in the name and in the text', () => {
  const MARIA = '5511977000011'
  const both = ['bolo', 'cenoura bolo'].map((words) => `maria ${words}`)

  it('finds messages of the customer with the other words, before and after the task read them', async () => {
    await sendAsCustomer(dona, MARIA, { nome: 'Maria Bonita', texto: 'atendente' })
    await sendAsCustomer(dona, MARIA, { nome: 'Maria Bonita', texto: 'um bolo de cenoura' })
    await sendAsCustomer(dona, MARIA, { nome: 'Maria Bonita', texto: 'obrigada' })
    await ana('bolo de laranja')
    await app.idle()
    for (const q of both) expect([q, await texts(dona, q)]).toEqual([q, ['um bolo de cenoura']])
    await indexAll()
    for (const q of [...both, 'bonita bolu']) expect([q, await texts(dona, q)]).toEqual([q, ['um bolo de cenoura']])
    expect(await texts(dona, 'maria laranja')).toEqual([])
    expect((await texts(dona, 'maria bonita'))[0]).toBe('obrigada')
  })

  it('reads the messages with rare words when many customers have the name', async () => {
    await app.sql(
      `insert into contatos (conta_id, id, nome, telefone, endereco, ultimo_id)
       select $1, ('00000000-0002-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Joaquina ' || n, n::text, n::text, null
       from generate_series(1, 150) n`,
      [dona.contaId],
    )
    await app.sql(
      `insert into conversas (conta_id, id, contato_id, status, setor, protocolo)
       select conta_id, id, id, 'finalizada', 'geral', 'P' || telefone from contatos where conta_id = $1 and nome like 'Joaquina%'`,
      [dona.contaId],
    )
    await app.sql(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       select conta_id, id, case when n <= 3 then id else $2::uuid end, 'entrada', 'cliente', 'rabanada ' || n, 'simulador',
         'entregue', now() from contatos, generate_series(1, 6) n
       where conta_id = $1 and id = ('00000000-0002-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
      [dona.contaId, conversaId],
    )
    await app.sql(`update busca_contas set completa_em = now() - interval '8 days'`)
    await indexAll()
    expect(await texts(dona, 'joaquina rabanada')).toEqual(['rabanada 3', 'rabanada 2', 'rabanada 1'])
    expect(await texts(dona, 'joaquima rabanda')).toEqual(['rabanada 3', 'rabanada 2', 'rabanada 1'])
  })

  it('reads the chats of the customers when the other words are frequent', async () => {
    const [maria] = await app.sql(
      `select v.id from conversas v join contatos c on c.id = v.contato_id where c.nome = 'Maria Bonita'`,
    )
    await app.sql(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(100000 + n), 12, '0'))::uuid, case when n % 2 = 0 then $2::uuid else $3::uuid end, 'entrada',
         'cliente', 'manteiga ' || n, 'simulador', 'entregue', now() from generate_series(1, 100) n`,
      [dona.contaId, maria?.['id'], conversaId],
    )
    await app.sql(`update busca_contas set completa_em = now() - interval '8 days'`)
    await indexAll()
    const found = (await search(dona, 'maria manteiga', '&limite=20')).resultados.map(({ trecho }) => trecho)
    expect(found).toEqual(Array.from({ length: 20 }, (_, n) => `manteiga ${100 - 2 * n}`))
    expect(await texts(vera, 'maria manteiga')).toHaveLength(40)
  })
})

describe('the task', () => {
  it('reads many older messages in batches and finds them during and after it', async () => {
    const [outra] = await app.sql(`select id from conversas where id = $1`, [conversaId])
    await app.sql('delete from busca_contas')
    await app.sql(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, 'entrada', 'cliente', 'historico ' || n, 'simulador', 'entregue', now()
       from generate_series(1, 5000) n on conflict do nothing`,
      [dona.contaId, outra?.['id']],
    )
    expect(await texts(dona, 'historico 7')).toContain('historico 7')
    // The task of the server may read the same messages at this moment.
    const readAll = async (): Promise<unknown> => {
      await indexAll()
      return app.sql('select desde, completa_em is null as open from busca_contas where conta_id = $1', [dona.contaId])
    }
    await expect.poll(readAll).toEqual([{ desde: null, open: false }])
    expect(await texts(dona, 'historico 7')).toContain('historico 7')
    expect(await indexed()).toBeGreaterThan(5000)
    expect((await search(dona, 'historico', '&limite=100')).resultados).toHaveLength(100)
  })

  it('reads long texts of one conta without stopping the event loop, and the new message of another meanwhile', async () => {
    const [hostile, quiet] = [await givenConta(app, 'Longa'), await givenConta(app, 'Curta')]
    for (const user of [hostile, quiet]) {
      await connectBot(user)
      await givenWaitingCustomer(user, '5511977000077')
    }
    await app.idle()
    await indexAll()
    await app.sql(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       select conta_id, uuidv7(), id, 'entrada', 'cliente', repeat('한 ', 32768), 'simulador', 'entregue', now()
       from conversas, generate_series(1, 300) where conta_id = $1 and protocolo is not null`,
      [hostile.contaId],
    )
    await sendAsCustomer(quiet, '5511977000077', { nome: 'Rita', texto: 'cadê a jabuticaba' })
    await app.idle()
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    await indexAll()
    delay.disable()
    expect(delay.max / 1e6).toBeLessThan(200)
    const countOf = async ({ contaId }: TestUser, word: string): Promise<number> =>
      (await app.sql(`select from busca_mensagens where conta_id = $1 and vetor::text like $2`, [contaId, `%${word}'`]))
        .length
    expect(await countOf(hostile, '한')).toBe(300)
    expect(await countOf(quiet, 'jabuticaba')).toBe(1)
  })

  it('skips a message that cannot be stored, and reads those around it and other contas', async () => {
    const other = await givenConta(app, 'Depois')
    await connectBot(other)
    await givenWaitingCustomer(other, '5511977000078')
    await indexAll()
    for (const texto of ['antes da ruim', 'a ruim', 'depois da ruim']) await ana(texto)
    await sendAsCustomer(other, '5511977000078', { nome: 'Rita', texto: 'outra loja' })
    await app.idle()
    await app.sql(
      `alter table busca_mensagens add constraint ruim check (not vetor::text like '%ruim%' or vetor::text ~ 'ante|depoi')`,
    )
    await indexAll()
    const read = await app.sql(
      `select m.texto from busca_mensagens b join mensagens m on m.id = b.mensagem_id
       where m.texto like '%ruim' or m.texto = 'outra loja' order by m.texto`,
    )
    expect(read.map(({ texto }) => texto)).toEqual(['antes da ruim', 'depois da ruim', 'outra loja'])
    await app.sql('alter table busca_mensagens drop constraint ruim')
    await ana('outro assunto')
    await app.idle()
    await indexAll()
    expect(await texts(dona, 'ruim')).toEqual(['depois da ruim', 'a ruim', 'antes da ruim'])
    expect(await app.sql(`select from busca_mensagens where vetor::text like '%ruim%'`)).toHaveLength(3)
  })

  it('finds missing messages in the check of all messages', async () => {
    await app.sql(
      `delete from busca_mensagens where mensagem_id = ('00000000-0000-7000-8000-' || lpad(to_hex(9), 12, '0'))::uuid`,
    )
    expect(await texts(dona, 'historico 9')).not.toContain('historico 9')
    await app.sql(`update busca_contas set completa_em = now() - interval '8 days'`)
    await indexAll()
    expect(await texts(dona, 'historico 9')).toContain('historico 9')
  })

  it('answers during its first round with the messages that it could read in time, and pages on', async () => {
    const [outra] = await app.sql(`select id from conversas where id = $1`, [conversaId])
    await app.sql('delete from busca_contas')
    await app.sql('delete from busca_mensagens')
    await app.sql(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       select $1, ('00000000-0001-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, 'entrada', 'cliente',
         case when n % 10000 = 1 then 'raridade ' || n else 'muito comum' end, 'simulador', 'entregue', now()
       from generate_series(1, 30000) n`,
      [dona.contaId, outra?.['id']],
    )
    let now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 400))
    const pages: string[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await search(dona, 'raridade', cursor === '' ? '' : `&cursor=${cursor}`)
      pages.push(page.resultados.map(({ trecho }) => trecho))
      cursor = page.proximoCursor
    }
    expect(pages.flat()).toEqual(['raridade 20001', 'raridade 10001', 'raridade 1'])
    expect(pages.length).toBeGreaterThan(1)
  })
})

describe('notas', () => {
  const CAIXA = '5511977000079'
  const notasOf = async (quem: TestUser, q: string): Promise<string[]> => {
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await search(quem, q, cursor === '' ? '' : `&cursor=${cursor}`)
      found.push(...page.resultados.filter(({ origem }) => origem === 'nota').map(({ trecho }) => trecho.slice(0, 12)))
      cursor = page.proximoCursor
    }
    return found
  }
  let loja: TestUser
  let leitora: TestUser
  let caixa = ''

  beforeAll(async () => {
    loja = await givenConta(app, 'Notas')
    leitora = await givenOperador(app, loja, { nome: 'Lia', setores: ['vendas'] })
    await connectBot(loja)
    caixa = await givenWaitingCustomer(loja, CAIXA)
    await app.idle()
    await indexAll()
    // Notas of a version without their index, which the task has passed.
    await app.sql(
      `insert into notas (conta_id, id, conversa_id, texto, autor_id, autor, criada_em)
       select $1, ('00000000-0002-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2,
         case when n in (1, 4000) then 'raranota ' || n || ' ' else '' end || repeat('áçã ', case when n <= 4000 then 250 else 1 end),
         $1, 'Dona', now() from generate_series(1, 6500) n`,
      [loja.contaId, caixa],
    )
    await app.sql('update busca_contas set notas_rodada = null where conta_id = $1', [loja.contaId])
  })

  it('are found on later pages before the task read them, and by the index afterwards', async () => {
    await loja.request('POST', `/atendimento/conversas/${caixa}/notas`, { texto: 'raranota nova' })
    await customerSays(loja, CAIXA, 'oi de novo')
    await app.idle()
    expect(await notasOf(loja, 'raranota')).toEqual(['raranota nov', 'raranota 400', 'raranota 1 á'])
    await indexAll()
    const page = await search(loja, 'raranota')
    expect([page.resultados.length, page.proximoCursor]).toEqual([3, null])
  })

  it('are found by words of the text and of the name, by readers of the setor only', async () => {
    await app.sql(`update conversas set setor = 'financeiro' where id = $1`, [caixa])
    const nome = 'Zuleica'
    await app.sql(`update contatos set nome = $2 where conta_id = $1`, [loja.contaId, nome])
    expect(await notasOf(loja, 'zuleica raranota nova')).toEqual(['raranota nov'])
    expect(await notasOf(leitora, 'raranota')).toEqual([])
    await app.sql(`update conversas set setor = 'vendas' where id = $1`, [caixa])
    expect(await notasOf(leitora, 'raranota')).toHaveLength(3)
    expect(await notasOf(vizinha, 'raranota')).toEqual([])
  })

  it('are found among many long ones in time', async () => {
    await app.sql(
      `insert into notas (conta_id, id, conversa_id, texto, autor_id, autor, criada_em)
       select $1, ('00000000-0001-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, repeat('áçã ', 1000), $1, 'Dona', now()
       from generate_series(1, 10000) n`,
      [loja.contaId, caixa],
    )
    await app.sql(
      `insert into busca_notas select conta_id, id, array_to_tsvector(array[right(conta_id::text, 6) || 'aca'])
       from notas where conta_id = $1 on conflict do nothing`,
      [loja.contaId],
    )
    expect(await notasOf(loja, 'raranota')).toHaveLength(3)
  })

  it('lose their words with the customer', async () => {
    const words = () => app.sql('select from busca_notas where conta_id = $1', [loja.contaId])
    expect(await words()).toHaveLength(16_501)
    await app.sql('delete from contatos where conta_id = $1', [loja.contaId])
    expect(await words()).toEqual([])
  })
})

it('reads the conta first that waited longest, so a large one does not hold up others', async () => {
  const [large, small] = [await givenConta(app, 'Grande'), await givenConta(app, 'Pequena')]
  const readBatches = async (count: number): Promise<void> => {
    for (let batch = 0; batch < count; batch += 1) {
      let reads = 0
      await indexRound(app.deps, () => (reads += 1) > 1)
    }
  }
  const [conversas, CLIENTE] = [new Map<string, string>(), '5511977009901']
  for (const shop of [large, small]) {
    await connectBot(shop)
    conversas.set(shop.contaId, await givenWaitingCustomer(shop, CLIENTE))
  }
  await app.idle()
  await indexAll()
  await app.sql(
    `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
     select $1, ('ffffff00-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, 'entrada', 'cliente', 'fila ' || n,
       'simulador', 'recebida', now() from generate_series(1, 12000) n`,
    [large.contaId, conversas.get(large.contaId)],
  )
  await customerSays(small, CLIENTE, 'minha vez')
  await app.idle()
  await readBatches(4)
  const counted = await app.sql(
    `select conta_id, count(*)::int as n from busca_mensagens where conta_id = any ($1::uuid[]) group by 1`,
    [[large.contaId, small.contaId]],
  )
  const [{ total } = { total: 0 }] = await app.sql('select count(*)::int as total from mensagens where conta_id = $1', [
    small.contaId,
  ])
  const indexedOf = (contaId: string) => counted.find((row) => row['conta_id'] === contaId)?.['n']
  expect(indexedOf(small.contaId)).toBe(total)
  expect(indexedOf(large.contaId)).toBeLessThan(12_000)
})

it('reads the new texts of all contas before older ones', async () => {
  const [older, newer] = [await givenConta(app, 'Antiga'), await givenConta(app, 'Nova')]
  for (const shop of [older, newer]) {
    await connectBot(shop)
    await givenWaitingCustomer(shop, '5511977009902')
  }
  await app.idle()
  await indexAll()
  await app.sql('delete from busca_contas where conta_id = $1', [older.contaId])
  await customerSays(newer, '5511977009902', 'recado novo')
  await app.idle()
  const found: unknown[] = []
  const sleep = async (): Promise<void> => {
    const sql = `select 1 as lida from busca_mensagens where conta_id = $1 and vetor::text like '%recado%'`
    found.push(await app.sql(sql, [newer.contaId]))
  }
  await indexRound({ ...app.deps, sleep }, () => false)
  expect(found[0]).toEqual([{ lida: 1 }])
})
