import { foldAccents } from '@balcao/contract/text/fold-accents'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Log, TipoLog } from '@balcao/contract/entities/log'
import { estadoMensagemSchema, midiaSchema } from '@balcao/contract/entities/mensagem'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { PeriodoLog } from '@balcao/contract/routes/registros'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { limitSearch, type Page } from '#http/page.ts'
import { firstIdAt } from '#ids.ts'
import { ACCENTS } from '#lib/text.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { periodRange } from './rules.ts'

interface LogFilter {
  readonly tipo?: TipoLog | undefined
  readonly busca?: string | undefined
  readonly periodo?: PeriodoLog | undefined
}

const detailsSchema = z.union([z.string(), z.record(z.string(), z.unknown())])

export interface LogOfConta extends Log {
  readonly contaId: string
}

const INSERT_LOGS_SQL = `
insert into logs (conta_id, id, tipo, mensagem, detalhes, "timestamp")
select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[])`

export async function insertLogRows(tx: Tx, logs: readonly LogOfConta[]): Promise<void> {
  await tx.queryNamed('logs-inserir', INSERT_LOGS_SQL, [
    plainArray(logs.map(({ contaId }) => contaId)),
    plainArray(logs.map(({ id }) => id)),
    plainArray(logs.map(({ tipo }) => tipo)),
    textArray(logs.map(({ mensagem }) => mensagem)),
    textArray(logs.map(({ detalhes }) => (detalhes === undefined ? null : JSON.stringify(detalhes)))),
    plainArray(logs.map(({ timestamp }) => timestamp)),
  ])
}

/** Counts the lines from the id on, at most `max`. */
export async function countLogs(tx: Tx, contaId: string, from: string, max: number): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    'select count(*)::int as n from (select from logs where conta_id = $1 and id >= $2 limit $3) l',
    [contaId, from, max],
  )
  return rows[0]?.n ?? 0
}

const SLOW_SEARCH = 'A busca demorou demais. Escolha um período menor.'

export async function listLogs(
  tx: Tx,
  contaId: string,
  page: Page,
  { tipo, busca = '', periodo = 'todos' }: LogFilter,
  now: Date,
): Promise<Log[]> {
  const range = periodRange(periodo, now, await readTimeZone(tx, contaId))
  const query = logsQuery(tx, contaId, page, { tipo, busca, ...range })
  const lines = await (busca === '' ? query.execute() : limitSearch(tx, SLOW_SEARCH, () => query.execute()))
  return lines.map(({ id, tipo: doTipo, mensagem, detalhes, timestamp }) => ({
    id,
    tipo: doTipo,
    mensagem,
    ...(detalhes === null ? {} : { detalhes: detailsSchema.parse(detalhes) }),
    timestamp: timestamp.toISOString(),
  }))
}

interface LogRange extends Pick<LogFilter, 'tipo'> {
  readonly busca: string
  readonly desde: Date | null
  readonly ate: Date | null
}

/** Ids contain their time, so a period is a range of the primary key. */
export function logsQuery(tx: Tx, contaId: string, { limite, before }: Page, { tipo, busca, desde, ate }: LogRange) {
  let query = tx.kysely
    .selectFrom('logs')
    .select(['id', 'tipo', 'mensagem', 'detalhes', 'timestamp'])
    .where('contaId', '=', contaId)
    .orderBy('id', 'desc')
    .limit(limite + 1)
  if (before !== null) query = query.where('id', '<', before)
  if (tipo !== undefined) query = query.where('tipo', '=', tipo)
  if (desde !== null) query = query.where('id', '>=', firstIdAt(desde))
  if (ate !== null) query = query.where('id', '<', firstIdAt(ate))
  if (busca !== '') {
    const text = sql`translate(lower(mensagem || ' ' || coalesce(detalhes::text, '')), ${ACCENTS[0]}, ${ACCENTS[1]})`
    // `strpos` instead of `like`, so `%` and `_` match literally.
    query = query.where(sql<boolean>`strpos(${text}, ${foldAccents(busca)}) > 0`)
  }
  return query
}

/** A mensagem with a row in `saida` is reported as `pendente`. */
export async function listBotMensagens(tx: Tx, contaId: string, { limite, before }: Page): Promise<MensagemBot[]> {
  let query = tx.kysely
    .selectFrom('mensagens as m')
    .innerJoin('conversas as v', (join) => join.onRef('v.contaId', '=', 'm.contaId').onRef('v.id', '=', 'm.conversaId'))
    .innerJoin('contatos as c', (join) => join.onRef('c.contaId', '=', 'v.contaId').onRef('c.id', '=', 'v.contatoId'))
    .leftJoin('saida as s', (join) => join.onRef('s.contaId', '=', 'm.contaId').onRef('s.mensagemId', '=', 'm.id'))
    .select(['m.id', 'm.criadaEm', 'm.texto', 'm.direcao', 'm.origem', 'm.estado', 'm.midia', 'c.nome', 'c.telefone'])
    .select('s.mensagemId as naFila')
    .where('m.contaId', '=', contaId)
    .orderBy('m.id', 'desc')
    .limit(limite + 1)
  if (before !== null) query = query.where('m.id', '<', before)
  const lines = await query.execute()
  return lines.map((line) => {
    const estado = line.naFila === null ? estadoMensagemSchema.safeParse(line.estado).data : 'pendente'
    const midia = midiaSchema.safeParse(line.midia).data
    return {
      id: line.id,
      timestamp: line.criadaEm.toISOString(),
      conteudo: line.texto,
      contato: line.nome,
      telefone: line.telefone,
      direcao: line.direcao,
      origem: line.origem === 'telefone' ? 'celular' : line.origem,
      ...(estado === undefined ? {} : { estado }),
      ...(midia === undefined ? {} : { midia }),
    }
  })
}

const OLD_BATCH = 1_000

/** Deletes one batch. Returns the number of rows. */
export async function deleteOldLogs(tx: Tx, contaId: string, { id }: { readonly id: string }): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from logs where conta_id = $1 and id = any (array(
       select id from logs where conta_id = $1 and id < $2 order by id limit ${OLD_BATCH}))`,
    [contaId, id],
  )
  return rowCount ?? 0
}
