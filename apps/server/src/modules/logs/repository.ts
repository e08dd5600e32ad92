import * as z from 'zod/mini'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { type Log, tipoLogSchema, type TipoLog } from '@balcao/contract/entities/log'
import { estadoMensagemSchema, midiaSchema } from '@balcao/contract/entities/mensagem'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { PeriodoLog } from '@balcao/contract/routes/registros'
import { instant } from '#db/statement/fields.ts'
import { lineOf } from '#db/statement/line.ts'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
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
  readonly linha?: string | undefined
}

/** Also a part of the statement that writes a batch of turns. */
export const insertLogsSql = sql`insert into logs (conta_id, id, linha_id, tipo, mensagem, detalhes, "timestamp")
      select conta_id, id, linha_id, tipo, mensagem, detalhes, "timestamp" from ${columns('logs', {
        contaId: 'uuid',
        id: 'uuid',
        linhaId: 'uuid?',
        tipo: 'text',
        mensagem: 'text',
        detalhes: 'jsonb?',
        timestamp: 'timestamptz',
      })}`

export const insertLogRows = noRows('logs-inserir', insertLogsSql, { prepared: true })

export const countLogs = oneValue(
  'logs: count',
  z.int(),
  sql`select count(*)::int as value from (
        select from logs where conta_id = ${contaId} and id >= ${value('from', 'uuid')} limit ${value('max', 'int')}) l`,
)

const before = value('before', 'uuid?')
const tipo = value('tipo', 'text?')
const from = value('from', 'uuid?')
const until = value('until', 'uuid?')
const busca = value('busca', 'text')
/** Null: of all lines. */
const linha = value('linha', 'uuid?')
const folded = sql`translate(lower(mensagem || ' ' || coalesce(detalhes::text, '')),
  '${rawSql(ACCENTS[0])}', '${rawSql(ACCENTS[1])}')`

/**
 * Newest first. Ids contain their time, so a period is a range of the primary key. `strpos` instead of `like`, so `%` and
 * `_` match literally.
 */
export const listLogRows = manyRows(
  'logs: list',
  z.object({
    id: z.string(),
    tipo: tipoLogSchema,
    mensagem: z.string(),
    detalhes: z.nullable(z.union([z.string(), z.record(z.string(), z.unknown())])),
    timestamp: instant,
  }),
  sql`select id, tipo, mensagem, detalhes, "timestamp" from logs
      where conta_id = ${contaId} and (${before} is null or id < ${before}) and (${tipo} is null or tipo = ${tipo})
        and (${from} is null or id >= ${from}) and (${until} is null or id < ${until}) and (${linha} is null or linha_id = ${linha})
        and (${busca} = '' or strpos(${folded}, ${busca}) > 0)
      order by id desc limit ${value('max', 'int')}`,
)

const SLOW_SEARCH = 'A busca demorou demais. Escolha um período menor.'

export async function listLogs(
  tx: Tx,
  contaId: string,
  { limite, before }: Page,
  { tipo, busca = '', periodo = 'todos', linha }: LogFilter,
  now: Date,
): Promise<Log[]> {
  const { desde, ate } = periodRange(periodo, now, await readTimeZone(tx, { contaId }))
  const range = { from: desde && firstIdAt(desde), until: ate && firstIdAt(ate) }
  const values = {
    contaId,
    linha: linha ?? null,
    before,
    tipo: tipo ?? null,
    ...range,
    busca: foldAccents(busca),
    max: limite + 1,
  }
  const list = () => listLogRows(tx, values)
  const lines = await (busca === '' ? list() : limitSearch(tx, SLOW_SEARCH, list))
  return lines.map(({ detalhes, ...line }) => ({ ...line, ...(detalhes === null ? {} : { detalhes }) }))
}

const listMensagens = manyRows(
  'logs: list mensagens',
  z.object({
    id: z.string(),
    timestamp: instant,
    conteudo: z.string(),
    direcao: z.enum(['entrada', 'saida']),
    origem: z.enum(['cliente', 'bot', 'ia', 'operador', 'telefone']),
    estado: z.string(),
    midia: z.unknown(),
    contato: z.string(),
    telefone: z.string(),
  }),
  sql`select m.id, m.criada_em as "timestamp", m.texto as conteudo, m.direcao, m.origem,
        case when s.mensagem_id is null then m.estado else 'pendente' end as estado, m.midia, c.nome as contato, c.telefone
      from mensagens m
      join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
      join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
      left join saida s on s.conta_id = m.conta_id and s.mensagem_id = m.id
      where m.conta_id = ${contaId} and (${before} is null or m.id < ${before})
        and (${linha} is null or ${lineOf('v')} = ${linha})
      order by m.id desc limit ${value('max', 'int')}`,
)

export async function listBotMensagens(
  tx: Tx,
  contaId: string,
  { limite, before }: Page,
  linha: string | null,
): Promise<MensagemBot[]> {
  const lines = await listMensagens(tx, { contaId, linha, before, max: limite + 1 })
  return lines.map(({ origem, estado: storedState, midia: storedMedia, ...line }) => {
    const estado = estadoMensagemSchema.safeParse(storedState).data
    const midia = midiaSchema.safeParse(storedMedia).data
    return {
      ...line,
      origem: origem === 'telefone' ? 'celular' : origem,
      ...(estado === undefined ? {} : { estado }),
      ...(midia === undefined ? {} : { midia }),
    }
  })
}

const OLD_BATCH = 1_000

export const deleteOldLogs = noRows(
  'logs: delete old',
  sql`delete from logs where conta_id = ${contaId} and id = any (array(
        select id from logs where conta_id = ${contaId} and id < ${value('id', 'uuid')}
        order by id limit ${rawSql(String(OLD_BATCH))}))`,
)

export interface Mention {
  /** Lines also mention a contato by the id of one of its conversas or mensagens. */
  readonly contatoId: string
  /** POSIX regular expressions. */
  readonly patterns: readonly string[]
  readonly parts: readonly string[]
}

const contatoId = value('contatoId', 'uuid')

const isMention = sql`
l.conta_id = ${contaId} and (
  (l.mensagem || ' ' || coalesce(l.detalhes::text, '')) ~ any (${value('patterns', 'text[]')})
  or exists (
    select 1 from unnest(${value('parts', 'text[]')}) as p (parte) where strpos(l.mensagem || ' ' || coalesce(l.detalhes::text, ''), p.parte) > 0
  ) or exists (
    select 1 from regexp_matches(
      l.mensagem || ' ' || coalesce(l.detalhes::text, ''), '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') as u (achado)
    where u.achado[1]::uuid = ${contatoId}
      or exists (select 1 from conversas v where v.conta_id = ${contaId} and v.id = u.achado[1]::uuid and v.contato_id = ${contatoId})
      or exists (
        select 1 from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
        where m.conta_id = ${contaId} and m.id = u.achado[1]::uuid and v.contato_id = ${contatoId})
  ))`

export const listMentions = manyRows(
  'logs: list mentions',
  z.object({ tipo: z.string(), mensagem: z.string(), detalhes: z.unknown(), timestamp: z.date() }),
  sql`select l.tipo, l.mensagem, l.detalhes, l.timestamp from logs l where ${isMention} order by l.id`,
)

export const deleteMentions = noRows('logs: delete mentions', sql`delete from logs l where ${isMention}`)
