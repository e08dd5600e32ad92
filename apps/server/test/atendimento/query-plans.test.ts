import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { SentValue } from '#db/statement/sql.ts'
import { listStatements, type StatementRunner } from '#db/statement/statement.ts'
import { listChatFiles } from '#modules/atendimento/ficha.ts'
import { type ConversaFilter, listPage } from '#modules/atendimento/queries.ts'
import { listView, type ViewName } from '#modules/atendimento/views.ts'
import { type ContatoFilter, listContatos } from '#modules/contatos/repository.ts'
import { createTestApp, type TestApp, FIXED_DAY } from '#test/app.ts'
import { givenPerson, type TestPerson } from '#test/builders.ts'
import { explained } from '#test/explained.ts'

/** Query plans with 10,000 conversas and a chat of 2,000 mensagens: a page reads about as many rows as it shows. */

let app: TestApp
let pessoa: TestPerson
const LONGA = '01900000-0000-7000-8000-00000000aaaa'
const RARA = '01900000-0000-7000-8000-00000000bbbb'
const COMUM = '01900000-0000-7000-8000-00000000cccc'

beforeAll(async () => {
  app = await createTestApp(FIXED_DAY)
  pessoa = await givenPerson(app)
  const { owner } = app.database
  const { contaId } = pessoa
  await owner.query(
    `insert into contatos (conta_id, id, nome, telefone, endereco)
     select $1, gen_random_uuid(), 'Cliente ' || n, '55119' || lpad(n::text, 8, '0'), n::text from generate_series(1, 10000) n`,
    [contaId],
  )
  await owner.query(
    `insert into conversas (conta_id, id, contato_id, status, setor, protocolo, ultima_atividade, sem_resposta_desde)
     select $1, case when c.endereco = '1' then $2::uuid else gen_random_uuid() end, c.id,
       (array['aguardando', 'em_atendimento', 'aguardando', 'finalizada'])[c.endereco::int % 4 + 1],
       case when c.endereco::int % 100 = 0 then 'raro' else 'geral' end, '20260310-0001',
       '2026-03-10T10:00:00Z'::timestamptz + c.endereco::int * interval '1 second',
       case when c.endereco::int % 4 = 2 then '2026-03-10T10:00:00Z'::timestamptz + c.endereco::int * interval '1 second' end
     from contatos c where c.conta_id = $1`,
    [contaId, LONGA],
  )
  await owner.query(
    `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
     select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, 'entrada', 'cliente', 'texto ' || n || case when n % 20 = 0 then ' https://aurora.com.br' else '' end,
       'simulador', 'entregue', now() from generate_series(1, 2000) n`,
    [contaId, LONGA],
  )
  await owner.query(
    `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
     select $1, gen_random_uuid(), v.id, 'saida', 'bot', 'texto', 'simulador', 'enviada', now()
     from conversas v where v.conta_id = $1 and v.id <> $2`,
    [contaId, LONGA],
  )
  await owner.query(
    `insert into etiquetas (conta_id, id, nome, chave, cor) values ($1, $2, 'Rara', 'rara', 'red'), ($1, $3, 'Comum', 'comum', 'red')`,
    [contaId, RARA, COMUM],
  )
  await owner.query(
    `insert into contatos_etiquetas (conta_id, etiqueta_id, contato_id)
     select $1, case when endereco::int % 2 = 0 then $3::uuid else $2::uuid end, id from contatos
     where conta_id = $1 and (endereco::int % 2 = 0 or endereco::int % 101 = 0)`,
    [contaId, RARA, COMUM],
  )
  await owner.query('analyze')
}, 120_000)
afterAll(() => app.close())

interface No {
  readonly 'Node Type': string
  readonly 'Index Name'?: string | undefined
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number | undefined
  readonly Plans?: readonly No[] | undefined
}
const noSchema: z.ZodMiniType<No> = z.object({
  'Node Type': z.string(),
  'Index Name': z.optional(z.string()),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.optional(z.number()),
  get Plans() {
    return z.optional(z.array(noSchema))
  },
})
const planoSchema = z.tuple([z.object({ Plan: noSchema })])

interface Medida {
  readonly indices: string[]
  readonly varreduras: number
  /** Largest number of rows that one plan node read, including filtered rows. */
  readonly lidas: number
  /** The same without nodes that read an index alone. */
  readonly lidasDaTabela: number
}

function somar(no: No): Medida {
  const children = (no.Plans ?? []).map(somar)
  const index = no['Index Name']
  const proprias = (no['Actual Rows'] + (no['Rows Removed by Filter'] ?? 0)) * no['Actual Loops']
  return {
    indices: [...(index === undefined ? [] : [index]), ...children.flatMap(({ indices }) => indices)],
    varreduras: children.reduce((total, { varreduras }) => total + varreduras, no['Node Type'] === 'Seq Scan' ? 1 : 0),
    lidas: Math.max(proprias, ...children.map(({ lidas }) => lidas)),
    lidasDaTabela: Math.max(
      no['Node Type'] === 'Index Only Scan' ? 0 : proprias,
      ...children.map(({ lidasDaTabela }) => lidasDaTabela),
    ),
  }
}

/** Explains the query with the working role, row-level security and a generic plan. */
const explicar = (texto: string, valores: readonly SentValue[]): Promise<Medida> =>
  app.deps.db.read(
    pessoa.contaId,
    async (tx: Tx) => {
      const types = [...texto.matchAll(/\$(\d+)/g)].reduce((largest, [, n]) => Math.max(largest, Number(n)), 0)
      const literais = valores
        .slice(0, types)
        .map((value) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`))
      await tx.query(`prepare explicada as ${texto}`)
      const { rows } = await tx.query<{ 'QUERY PLAN': unknown }>(
        `explain (analyze, format json) execute explicada (${literais.join(', ')})`,
      )
      await tx.query('deallocate explicada')
      return somar(planoSchema.parse(rows[0]?.['QUERY PLAN'])[0].Plan)
    },
    { planner: 'indexes' },
  )

const LIMITE = 40
const DONO = { usuarioId: '', setores: [], linhas: [] }
const daLista = (filter: Partial<ConversaFilter> = {}): Promise<Medida> => {
  const measured = Promise.withResolvers<Medida>()
  const send: StatementRunner['send'] = async ({ text }, values) => {
    await explicar(text, values).then(measured.resolve, measured.reject)
    return { rows: [], count: 0 }
  }
  const page = { pagina: { limite: LIMITE, depoisDe: null }, reader: DONO, ...filter }
  return listPage({ send }, pessoa.contaId, page).then(() => measured.promise)
}
/** All statements of the first page of a view. */
async function daVisao(visao: ViewName): Promise<Medida[]> {
  const plans: unknown[] = []
  const { contaId, usuarioId } = pessoa
  const request = { contaId, usuarioId, reader: DONO, visao, limite: LIMITE, mensagens: 0, now: new Date() }
  await app.deps.db.read(contaId, (tx) => listView(explained(tx, plans), request), { planner: 'indexes' })
  return plans.map((plan) => somar(noSchema.parse(plan)))
}

const FUNDO = { limite: LIMITE, depoisDe: { em: '2026-03-10T10:30:00.000Z', id: LONGA } }

describe('list and chat queries with 10,000 conversas', () => {
  it.each([
    ['the first page', {}, 'conversas_atividade'],
    ['a later page', { pagina: FUNDO }, 'conversas_atividade'],
    ['the waiting conversas', { status: 'aguardando' }, 'conversas_atividade'],
    ['the finished conversas', { status: 'finalizada' }, 'conversas_atividade'],
    ['a setor', { setor: 'geral' }, 'conversas_setor'],
    ['a rare setor', { setor: 'raro' }, 'conversas_setor'],
    ['a later page of a rare setor', { setor: 'raro', pagina: FUNDO }, 'conversas_setor'],
  ] as const)('reads %s from an index, about one page of rows', async (_nome, filter, index) => {
    const { indices, varreduras, lidas } = await daLista(filter)
    expect(indices).toContain(index)
    expect(varreduras).toBe(0)
    // Two index scans of one page each, with one extra row to detect a next page.
    expect(lidas).toBeLessThanOrEqual(2 * (LIMITE + 1))
  })

  it.each([
    ['fila', 2],
    ['semResposta', 2],
    ['todas', 4],
    ['minhas', 1],
    ['mencoes', 1],
  ] as const)('reads the view %s from indexes, about one page of rows for each scan', async (visao, scans) => {
    const [pinned, page] = await daVisao(visao)
    expect([pinned?.varreduras, page?.varreduras]).toEqual([0, 0])
    expect(pinned?.lidas).toBe(0)
    expect(page?.lidas).toBeLessThanOrEqual(scans * (LIMITE + 1))
  })

  it('reads the contatos of a rare etiqueta and their conversas', async () => {
    const rare = await daLista({ etiqueta: { id: RARA, rare: true } })
    expect(rare.indices).toEqual(expect.arrayContaining(['contatos_etiquetas_pkey', 'conversas_contato']))
    expect([rare.varreduras, rare.lidas]).toEqual([0, 50])
  })

  it.each([
    ['a page', {}, 1],
    ['a page of all statuses', { status: 'todos' }, 2],
    ['a page of an operador', { operador: LONGA }, 1],
  ] as const)('reads %s of a common etiqueta from the index of the list alone', async (_title, filter, scans) => {
    const common = await daLista({ status: 'aguardando', etiqueta: { id: COMUM, rare: false }, ...filter })
    expect(common.varreduras).toBe(0)
    expect(common.indices.filter((index) => index === 'conversas_atividade')).toHaveLength(scans)
    expect(common.indices).toContain('contatos_etiquetas_pkey')
    // The contatos of the etiqueta once for each status, no conversa outside the page.
    expect(common.lidasDaTabela).toBeLessThanOrEqual(2 * (LIMITE + 1))
  })

  it.each([
    ['the first page', {}],
    ['a later page', { cursor: Buffer.from(JSON.stringify(['cliente 5', LONGA])).toString('base64url') }],
    ['the first page of a search', { busca: 'cliente 55119' }],
  ] satisfies [string, Partial<ContatoFilter>][])(
    'reads %s of contatos in the order of their index',
    async (_nome, filter) => {
      const plans: unknown[] = []
      const page = { limite: LIMITE, reader: DONO, ...filter }
      const read = (tx: Tx) => listContatos(explained(tx, plans), pessoa.contaId, page)
      expect((await app.deps.db.read(pessoa.contaId, read, { planner: 'indexes' })).contatos).toHaveLength(LIMITE)
      const { indices, lidas } = somar(noSchema.parse(plans.at(-1)))
      expect(indices).toContain('contatos_chave')
      expect(lidas).toBe(LIMITE + 1)
    },
  )

  it('reads one page of mensagens from the index, at the end and in the middle', async () => {
    const page = listStatements().find(({ name }) => name === 'conversa-mensagens')?.text ?? ''
    for (const antesDe of ['ffffffff-ffff-ffff-ffff-ffffffffffff', '01900000-0000-7000-8000-0000000003e8']) {
      const { indices, varreduras, lidas } = await explicar(page, [pessoa.contaId, LONGA, antesDe, 51])
      expect(indices).toContain('mensagens_conversa')
      expect([varreduras, lidas]).toEqual([0, 51])
    }
  })

  it('reads one page of files and links from their index', async () => {
    const plans: unknown[] = []
    const ref = { contaId: pessoa.contaId, id: LONGA, reader: DONO }
    const read = (tx: Tx) => listChatFiles(explained(tx, plans), ref, { limite: 30, before: null })
    expect((await app.deps.db.read(pessoa.contaId, read, { planner: 'indexes' })).itens).toHaveLength(30)
    const { indices, varreduras, lidas } = somar(noSchema.parse(plans.at(-1)))
    expect(indices).toContain('mensagens_arquivos_e_links')
    expect([varreduras, lidas]).toEqual([0, 31])
  })

  it('scans the activity index for a search until the page is full', async () => {
    const common = await daLista({ busca: 'cliente' })
    expect([common.varreduras, common.lidas <= 2 * (LIMITE + 1)]).toEqual([0, true])
    const ninguem = await daLista({ busca: 'ninguém se chama assim' })
    expect([ninguem.varreduras, ninguem.lidas]).toEqual([0, 5000])
    const search = new URLSearchParams({ busca: 'Cliente 9998', limite: '5', mensagens: '0' })
    const { status, body } = await app.send('GET', `/atendimento/conversas?${search.toString()}`, {
      token: pessoa.token,
    })
    expect([status, JSON.stringify(body['conversas'])]).toEqual([200, expect.stringContaining('5511900009998')])
  })
})
