import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { Contato } from '@balcao/contract/entities/contato'
import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { instant } from '#db/statement/fields.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { limitSearch } from '#http/page.ts'
import { isUuid } from '#lib/text.ts'
import type { Deps } from '#deps.ts'
import { etiquetasSql } from '#modules/conversas/index.ts'
import { readable, readerValues, SERVER_READER } from '#modules/leitores/index.ts'
import { likePattern, searchTerms } from './search-terms.ts'

const contatoRowSchema = z.object({
  id: z.string(),
  chave: z.string(),
  nome: z.string(),
  telefone: z.string(),
  nomeUsuario: z.string(),
  etiquetas: z.array(z.string()),
  observacao: z.string(),
  criadoEm: instant,
  ultimaAtividade: instant,
  abertaId: z.nullable(z.string()),
  pediuParada: z.boolean(),
})

const contatoColumns = sql`
c.id, c.chave, c.nome, c.telefone, c.nome_usuario, c.observacao, c.criado_em, c.ultima_atividade,
  (c.estado ->> 'paradoEm') is not null as pediu_parada, ${rawSql(etiquetasSql('c.conta_id', 'c.id'))} as etiquetas, (
    select v.id from conversas v where v.conta_id = c.conta_id and v.contato_id = c.id and v.protocolo is not null
      and v.status <> 'finalizada' and ${readable('v')} limit 1
  ) as aberta_id`

const findContato = oneRow(
  'contatos: find',
  contatoRowSchema,
  sql`select ${contatoColumns} from contatos c where c.conta_id = ${contaId} and c.id = ${value('id', 'uuid')}`,
)

const findContatos = manyRows(
  'contatos: find several',
  contatoRowSchema,
  sql`select ${contatoColumns} from contatos c where c.conta_id = ${contaId} and c.id = any (${value('ids', 'uuid[]')})`,
)

function toContato({
  chave: _,
  nomeUsuario,
  abertaId,
  pediuParada,
  ...contato
}: z.output<typeof contatoRowSchema>): Contato {
  return {
    ...contato,
    ...(nomeUsuario === '' ? {} : { nomeUsuario }),
    ...(abertaId === null ? {} : { conversaAbertaId: abertaId }),
    ...(pediuParada ? { pediuParada } : {}),
  }
}

export async function readContato(tx: Tx, contaId: string, id: string, reader: ConversaReader): Promise<Contato> {
  const row = isUuid(id) ? await findContato(tx, { contaId, id, ...readerValues(reader) }) : null
  if (row === null) throw new AppError('naoEncontrado')
  return toContato(row)
}

type PublishedContato = ServerEventPayloads['contatoMudou']['contato']

/** Not every receiver may see the open conversa. */
async function readPublishedContatos(tx: Tx, contaId: string, ids: readonly string[]): Promise<PublishedContato[]> {
  if (ids.length === 0) return []
  const rows = await findContatos(tx, { contaId, ids, ...readerValues(SERVER_READER) })
  return rows.map((row) => withoutConversa(toContato(row)))
}

export function withoutConversa({ conversaAbertaId: _, ...contato }: Contato): PublishedContato {
  return contato
}

export interface ContatoFilter {
  readonly busca?: string | undefined
  readonly etiqueta?: string | undefined
  readonly limite: number
  readonly cursor?: string | undefined
  readonly reader: ConversaReader
}

const cursorSchema = z.tuple([z.string(), z.uuid()])
type Position = z.output<typeof cursorSchema>

const START: Position = ['', '00000000-0000-0000-0000-000000000000']

const writeCursor = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url')

function readCursor(cursor: string): Position {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new AppError('dadosInvalidos')
  }
}

/** Etiquetas with fewer contatos are read whole and sorted. */
const RARE_ETIQUETA = 500
const etiquetaId = value('etiqueta', 'uuid')
const anyEtiquetaId = value('etiqueta', 'uuid?')

const isRare = oneValue(
  'contatos: is rare etiqueta',
  z.boolean(),
  sql`select count(*) < ${rawSql(String(RARE_ETIQUETA))} as value from (
        select from contatos_etiquetas where conta_id = ${contaId} and etiqueta_id = ${etiquetaId}
        limit ${rawSql(String(RARE_ETIQUETA))}) t`,
  { planner: 'indexes' },
)

/**
 * The plan does not know the values. With a condition for a missing cursor it would read the list from its begin. Without
 * `coalesce` around the search it would expect few contatos, read all of them and sort.
 */
const inPage = sql`c.conta_id = ${contaId} and coalesce(c.busca like all (${value('patterns', 'text[]')}), false)
  and (c.chave, c.id) > (${value('chave', 'text')} collate "C", ${value('id', 'uuid')})`
const byName = sql`order by c.chave, c.id`
const pageLimit = sql`limit ${value('limit', 'int')}`
const contatosOfPage = sql`p cross join lateral (
  select * from contatos c where c.conta_id = ${contaId} and c.id = p.id offset 0) c`

/**
 * Reads only the index `contatos_chave`, until the page is full, and the etiqueta once into a hash table. Without
 * `coalesce` the planner would turn `in` into a join that reads the etiquetas of each contato.
 */
const listPage = manyRows(
  'contatos: list',
  contatoRowSchema,
  sql`
select ${contatoColumns} from (
  select c.id from contatos c where ${inPage} and (${anyEtiquetaId} is null or coalesce(c.id in (
    select t.contato_id from contatos_etiquetas t where t.conta_id = ${contaId} and t.etiqueta_id = ${anyEtiquetaId}), false))
  ${byName} ${pageLimit}
) ${contatosOfPage} ${byName}`,
  { planner: 'indexes' },
)

const listPageOfRare = manyRows(
  'contatos: list of rare etiqueta',
  contatoRowSchema,
  sql`
select ${contatoColumns} from (
  select c.id from (
    select contato_id from contatos_etiquetas where conta_id = ${contaId} and etiqueta_id = ${etiquetaId}
  ) t cross join lateral (select * from contatos c where c.conta_id = ${contaId} and c.id = t.contato_id offset 0) c
  where ${inPage} ${byName} ${pageLimit}
) ${contatosOfPage} ${byName}`,
  { planner: 'indexes' },
)

const SLOW_SEARCH = 'A busca demorou demais. Escreva mais do nome ou o telefone inteiro.'

export async function listContatos(
  tx: Tx,
  contaId: string,
  { busca = '', etiqueta, limite, cursor, reader }: ContatoFilter,
): Promise<{ contatos: Contato[]; proximoCursor: string | null }> {
  if (etiqueta !== undefined && !isUuid(etiqueta)) return { contatos: [], proximoCursor: null }
  const rare = etiqueta !== undefined && (await isRare(tx, { contaId, etiqueta }))
  const [chave, id] = cursor === undefined ? START : readCursor(cursor)
  const patterns = searchTerms(busca).map(likePattern)
  const page = { contaId, chave, id, patterns, limit: limite + 1, ...readerValues(reader) }
  const rows = await limitSearch(tx, SLOW_SEARCH, () =>
    rare ? listPageOfRare(tx, { ...page, etiqueta }) : listPage(tx, { ...page, etiqueta: etiqueta ?? null }),
  )
  const last = rows[limite - 1]
  return {
    contatos: rows.slice(0, limite).map(toContato),
    proximoCursor: rows.length > limite && last !== undefined ? writeCursor([last.chave, last.id]) : null,
  }
}

/** Customers who write are always stored. */
const CONTATOS_MAX = 200_000

const countContatos = oneValue(
  'contatos: count',
  z.int(),
  sql`select count(*)::int as value from (
        select from contatos where conta_id = ${contaId} limit ${rawSql(String(CONTATOS_MAX))}) c`,
)

/** Throws `limitePlano`. */
export async function requireRoom(tx: Tx, contaId: string, added: number): Promise<void> {
  const usado = await countContatos(tx, { contaId })
  if (usado + added <= CONTATOS_MAX) return
  const erro = `Uma conta pode ter até ${CONTATOS_MAX.toLocaleString('pt-BR')} contatos.`
  throw new AppError('limitePlano', { erro, usado, limite: CONTATOS_MAX })
}

/** Panels show a conversa with the name and the etiquetas of its contato. Further changes appear at the next read. */
export const ANNOUNCED_MAX = 100

export async function announceContatos(
  tx: Tx,
  { realtime }: Pick<Deps, 'realtime'>,
  contaId: string,
  changed: readonly { readonly id: string }[],
): Promise<void> {
  const ids = changed.slice(0, ANNOUNCED_MAX).map(({ id }) => id)
  const contatos = await readPublishedContatos(tx, contaId, ids)
  tx.afterCommit(() => {
    for (const contato of contatos) realtime.publish(contaId, 'contatoMudou', { userId: contaId, contato })
  })
}
