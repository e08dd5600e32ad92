import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { Contato } from '@balcao/contract/entities/contato'
import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { limitSearch } from '#http/page.ts'
import { isUuid } from '#lib/text.ts'
import {
  bindTo,
  type BindValue,
  etiquetasSql,
  readableSql,
  type AnyReader,
  SERVER_READER,
} from '#modules/conversas/index.ts'
import { likePattern, searchTerms } from './search-terms.ts'

const contatoRowSchema = z.object({
  id: z.string(),
  chave: z.string(),
  nome: z.string(),
  telefone: z.string(),
  nome_usuario: z.string(),
  etiquetas: z.array(z.string()),
  observacao: z.string(),
  criado_em: z.date(),
  ultima_atividade: z.date(),
  aberta_id: z.nullable(z.string()),
  pediu_parada: z.boolean(),
})

const selectContatos = (source: string, reader: AnyReader, bind: BindValue): string => `
select c.id, c.chave, c.nome, c.telefone, c.nome_usuario, c.observacao, c.criado_em, c.ultima_atividade,
  (c.estado ->> 'paradoEm') is not null as pediu_parada, ${etiquetasSql('c.conta_id', 'c.id')} as etiquetas, (
    select v.id from conversas v where v.conta_id = c.conta_id and v.contato_id = c.id and v.protocolo is not null
      and v.status <> 'finalizada' and ${readableSql(reader, 'v', bind)} limit 1
  ) as aberta_id
from ${source}`

function toContato(row: z.output<typeof contatoRowSchema>): Contato {
  const { id, nome, telefone, etiquetas, observacao } = row
  return {
    ...{ id, nome, telefone, etiquetas, observacao },
    ...(row.nome_usuario === '' ? {} : { nomeUsuario: row.nome_usuario }),
    criadoEm: row.criado_em.toISOString(),
    ultimaAtividade: row.ultima_atividade.toISOString(),
    ...(row.aberta_id === null ? {} : { conversaAbertaId: row.aberta_id }),
    ...(row.pediu_parada ? { pediuParada: true } : {}),
  }
}

/** Throws `naoEncontrado`. */
export async function readContato(tx: Tx, contaId: string, id: string, reader: ConversaReader): Promise<Contato> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const values: unknown[] = [contaId, id]
  const sql = `${selectContatos('contatos c', reader, bindTo(values))} where c.conta_id = $1 and c.id = $2`
  const [row] = await tx.rows(contatoRowSchema, sql, values)
  if (row === undefined) throw new AppError('naoEncontrado')
  return toContato(row)
}

export type PublishedContato = ServerEventPayloads['contatoMudou']['contato']

/** The contatos as events carry them: not every receiver may see the open conversa. */
export async function readPublishedContatos(
  tx: Tx,
  contaId: string,
  ids: readonly string[],
): Promise<PublishedContato[]> {
  if (ids.length === 0) return []
  const values: unknown[] = [contaId, plainArray(ids)]
  const sql = `${selectContatos('contatos c', SERVER_READER, bindTo(values))}
    where c.conta_id = $1 and c.id = any ($2::uuid[])`
  return (await tx.rows(contatoRowSchema, sql, values)).map((row) => withoutConversa(toContato(row)))
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

const writeCursor = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url')

function readCursor(cursor: string): Position {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new AppError('dadosInvalidos')
  }
}

/** Etiquetas with fewer contatos are read whole and sorted. The pages of others are filtered in the order of the list. */
const RARE_ETIQUETA = 500

async function isRare(tx: Tx, contaId: string, etiqueta: string): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from contatos_etiquetas where conta_id = $1 and etiqueta_id = $2 limit $3',
    [contaId, etiqueta, RARE_ETIQUETA],
  )
  return rows.length < RARE_ETIQUETA
}

const SLOW_SEARCH = 'A busca demorou demais. Escreva mais do nome ou o telefone inteiro.'

/** Returns a page ordered by name. PostgreSQL reads only the index `contatos_chave`, until the page is full. */
export async function listContatos(
  tx: Tx,
  contaId: string,
  { busca = '', etiqueta, limite, cursor, reader }: ContatoFilter,
): Promise<{ contatos: Contato[]; proximoCursor: string | null }> {
  if (etiqueta !== undefined && !isUuid(etiqueta)) return { contatos: [], proximoCursor: null }
  const rare = etiqueta !== undefined && (await isRare(tx, contaId, etiqueta))
  const values: unknown[] = [contaId]
  const bind = bindTo(values)
  const conditions = searchTerms(busca).map((term) => `c.busca like ${bind(likePattern(term))}`)
  if (cursor !== undefined) {
    const [chave, id] = readCursor(cursor)
    conditions.push(`(c.chave, c.id) > (${bind(chave)} collate "C", ${bind(id)}::uuid)`)
  }
  if (etiqueta !== undefined && !rare) conditions.push(hasEtiqueta(bind(etiqueta)))
  const source = rare ? contatosOfEtiqueta(bind(etiqueta)) : 'contatos c'
  const where = ['c.conta_id = $1', ...conditions].join(' and ')
  const order = 'order by c.chave, c.id'
  const page = `(select c.id from ${source} where ${where} ${order} limit ${bind(limite + 1)}) p
    cross join lateral (select * from contatos c where c.conta_id = $1 and c.id = p.id offset 0) c`
  const sql = `${selectContatos(page, reader, bind)} ${order}`
  const rows = await limitSearch(tx, SLOW_SEARCH, () => tx.rows(contatoRowSchema, sql, values))
  const last = rows[limite - 1]
  return {
    contatos: rows.slice(0, limite).map(toContato),
    proximoCursor: rows.length > limite && last !== undefined ? writeCursor([last.chave, last.id]) : null,
  }
}

const contatosOfEtiqueta = (id: string): string => `(
  select contato_id from contatos_etiquetas where conta_id = $1 and etiqueta_id = ${id}::uuid
) t cross join lateral (select * from contatos c where c.conta_id = $1 and c.id = t.contato_id offset 0) c`

/**
 * PostgreSQL reads the contatos of the etiqueta once into a hash table. Without `coalesce` the planner would turn `in`
 * into a join that reads the etiquetas of each contato.
 */
const hasEtiqueta = (id: string): string => `coalesce(c.id in (
  select t.contato_id from contatos_etiquetas t where t.conta_id = $1 and t.etiqueta_id = ${id}::uuid), false)`

/** People write down at most so many contatos. Customers who write are always stored. */
const CONTATOS_MAX = 200_000

/** Throws `limitePlano` if the conta would have more contatos than allowed. */
export async function requireRoom(tx: Tx, contaId: string, added: number): Promise<void> {
  const sql = `select count(*)::int as n from (select from contatos where conta_id = $1 limit ${CONTATOS_MAX}) c`
  const [{ n: usado } = { n: 0 }] = await tx.rows(z.object({ n: z.int() }), sql, [contaId])
  if (usado + added <= CONTATOS_MAX) return
  const erro = `Uma conta pode ter até ${CONTATOS_MAX.toLocaleString('pt-BR')} contatos.`
  throw new AppError('limitePlano', { erro, usado, limite: CONTATOS_MAX })
}
