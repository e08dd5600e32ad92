import * as z from 'zod/mini'
import { type Fonte, fonteSchema } from '@balcao/contract/entities/fonte'
import { instant } from '#db/statement/fields.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'

const rowSchema = z.object({
  id: z.string(),
  tipo: fonteSchema.shape.tipo,
  titulo: z.string(),
  url: z.nullable(z.string()),
  estado: fonteSchema.shape.estado,
  motivo: z.nullable(z.string()),
  trechos: z.int(),
  bytes: z.int(),
  lidaEm: z.nullable(instant),
  expiraEm: z.nullable(instant),
})
const fonteColumns = sql`f.id, f.tipo, f.titulo, f.url, f.estado, f.motivo, f.trechos, f.bytes::int as bytes, f.lida_em, f.expira_em`

function toFonte({ url, motivo, expiraEm, ...row }: z.output<typeof rowSchema>): Fonte {
  return {
    ...row,
    ...(url === null ? {} : { url }),
    ...(motivo === null ? {} : { motivo }),
    ...(expiraEm === null ? {} : { expiraEm }),
  }
}

const id = value('id', 'uuid')
const now = value('now', 'timestamptz')
const theOne = sql`f.conta_id = ${contaId} and f.id = ${id}`

/** Orders the limits of an account: two requests would both be the last one allowed. */
export const lockFontes = noRows(
  'fontes: lock',
  sql`select pg_advisory_xact_lock(hashtext('fontes'), hashtext(${contaId}::text))`,
)

export const countFontes = oneValue(
  'fontes: count',
  z.int(),
  sql`select count(*)::int as value from fontes where conta_id = ${contaId}`,
)

export const countOtherTrechos = oneValue(
  'fontes: count pieces of others',
  z.int(),
  sql`select coalesce(sum(trechos), 0)::int as value from fontes where conta_id = ${contaId} and id <> ${id}`,
)

const insertRow = oneRow(
  'fontes: insert',
  rowSchema,
  sql`insert into fontes as f (conta_id, id, tipo, titulo, arquivo, url, paginas, conteudo, estado, bytes, criada_em, expira_em, ler_em)
    values (${contaId}, ${id}, ${value('tipo', 'text')}, ${value('titulo', 'text')}, ${value('arquivo', 'text?')},
      ${value('url', 'text?')}, ${value('paginas', 'int?')}, ${value('conteudo', 'bytea?')}, 'lendo',
      ${value('bytes', 'bigint')}, ${now}, ${value('expiraEm', 'timestamptz?')}, ${now})
    returning ${fonteColumns}`,
)
export type NewFonte = Omit<Parameters<typeof insertRow>[1], 'contaId' | 'id' | 'now'>

export async function insertFonte(tx: Tx, input: Parameters<typeof insertRow>[1]): Promise<Fonte> {
  const row = await insertRow(tx, input)
  if (row === null) throw new Error('source not stored')
  return toFonte(row)
}

const listRows = manyRows(
  'fontes: list',
  rowSchema,
  sql`select ${fonteColumns} from fontes f
    where f.conta_id = ${contaId} and (${value('before', 'uuid?')} is null or f.id < ${value('before', 'uuid?')})
    order by f.id desc limit ${value('max', 'int')}`,
)

export async function listFontes(tx: Tx, account: string, { before, limite }: Page): Promise<Fonte[]> {
  return (await listRows(tx, { contaId: account, before, max: limite + 1 })).map(toFonte)
}

const findRow = oneRow('fontes: find', rowSchema, sql`select ${fonteColumns} from fontes f where ${theOne}`)

export async function findFonte(tx: Tx, key: FonteKey): Promise<Fonte | null> {
  const row = await findRow(tx, key)
  return row === null ? null : toFonte(row)
}

export interface FonteKey {
  readonly contaId: string
  readonly id: string
}

const askAgain = oneRow(
  'fontes: read again',
  rowSchema,
  sql`update fontes f set estado = 'lendo', motivo = null, ler_em = ${now}, leitura = null, tentativas = 0 where ${theOne}
    returning ${fonteColumns}`,
)

/** Also ends a running reading: its result is dropped. */
export async function askToRead(tx: Tx, key: FonteKey & { readonly now: Date }): Promise<Fonte | null> {
  const row = await askAgain(tx, key)
  return row === null ? null : toFonte(row)
}

const deleteRow = oneRow(
  'fontes: delete',
  rowSchema,
  sql`delete from fontes f where ${theOne} returning ${fonteColumns}`,
)

export async function deleteFonte(tx: Tx, key: FonteKey): Promise<Fonte | null> {
  const row = await deleteRow(tx, key)
  return row === null ? null : toFonte(row)
}

const claimedSchema = z.object({
  contaId: z.string(),
  id: z.string(),
  tipo: fonteSchema.shape.tipo,
  titulo: z.string(),
  arquivo: z.nullable(z.string()),
  url: z.nullable(z.string()),
  paginas: z.nullable(z.int()),
  conteudo: z.nullable(z.instanceof(Buffer)),
  tentativas: z.int(),
})
export type ClaimedFonte = z.output<typeof claimedSchema>

/** The oldest due source of any account, either a site or another one. `leitura` names this reading, `until` ends its lease. */
export const claimFonte = oneRow(
  'fontes: claim',
  claimedSchema,
  sql`update fontes f set ler_em = ${value('until', 'timestamptz')}, leitura = ${value('leitura', 'uuid')},
      tentativas = f.tentativas + 1
    from (
      select conta_id, id from fontes where ler_em <= ${now} and (tipo = 'site') = ${value('sites', 'bool')}
      order by ler_em limit 1 for update skip locked
    ) d where f.conta_id = d.conta_id and f.id = d.id
    returning f.conta_id, f.id, f.tipo, f.titulo, f.arquivo, f.url, f.paginas, f.conteudo, f.tentativas`,
)

const ofReading = sql`${theOne} and f.leitura = ${value('leitura', 'uuid')}`

/** 0: the source was deleted, or another reading has it. */
export const renewReading = noRows(
  'fontes: renew',
  sql`update fontes f set ler_em = ${value('until', 'timestamptz')} where ${ofReading}`,
)

/** A node that stops leaves the source to the next one. The attempt does not count. */
export const giveBackReading = noRows(
  'fontes: give back',
  sql`update fontes f set ler_em = ${now}, leitura = null, tentativas = greatest(0, f.tentativas - 1) where ${ofReading}`,
)

const finishRow = oneRow(
  'fontes: finish',
  rowSchema,
  sql`update fontes f set estado = 'pronta', motivo = null, ler_em = null, leitura = null, lida_em = ${now},
      titulo = ${value('titulo', 'text')}, trechos = ${value('trechos', 'int')}, bytes = ${value('bytes', 'bigint')},
      modelo_vetores = null, vetores_em = ${now}
    where ${ofReading} returning ${fonteColumns}`,
)

export async function finishReading(tx: Tx, done: Parameters<typeof finishRow>[1]): Promise<Fonte | null> {
  const row = await finishRow(tx, done)
  return row === null ? null : toFonte(row)
}

const failRow = oneRow(
  'fontes: fail',
  rowSchema,
  sql`update fontes f set estado = 'falhou', motivo = ${value('motivo', 'text')}, ler_em = null, leitura = null
    where ${ofReading} returning ${fonteColumns}`,
)

export async function failReading(tx: Tx, failed: Parameters<typeof failRow>[1]): Promise<Fonte | null> {
  const row = await failRow(tx, failed)
  return row === null ? null : toFonte(row)
}
