import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { LOGS_MANTIDOS, MENSAGENS_NO_CARTAO } from '@balcao/contract/constants'
import { type Conversa, motivoFimSchema, statusConversaSchema } from '@balcao/contract/entities/conversa'
import { linhaDaConversaSchema } from '@balcao/contract/entities/linha'
import { type Mensagem, midiaSchema } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import { instant } from '#db/statement/fields.ts'
import { lineOf } from '#db/statement/line.ts'
import { columns, contaId, rawSql, type Sql, sql, value } from '#db/statement/sql.ts'
import { inOrder, manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { mayReadRow, type AnyReader } from '#modules/leitores/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { mensagemColumns, mensagemFromRow, mensagemRowSchema } from '#modules/mensagens/index.ts'

export const conversaRowSchema = z.object({
  contaId: z.string(),
  id: z.string(),
  contatoId: z.string(),
  etiquetas: z.array(z.string()),
  revisao: z.int(),
  protocolo: z.string(),
  setor: z.nullable(z.string()),
  status: statusConversaSchema,
  nome: z.string(),
  telefone: z.string(),
  nomeUsuario: z.string(),
  ultimaAtividade: instant,
  iniciadaEm: instant,
  aguardandoDesde: z.nullable(instant),
  finalizadaEm: z.nullable(instant),
  motivoFim: z.nullable(motivoFimSchema),
  operadorId: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  naoLidas: z.int(),
  semRespostaDesde: z.nullable(instant),
  pediuParada: z.boolean(),
  teste: z.boolean(),
  agenteMeta: z.boolean(),
  nomeInformado: z.boolean(),
  ultimoTexto: z.nullable(z.string()),
  ultimaMidia: z.nullable(midiaSchema),
  ultimaEm: z.nullable(instant),
  nota: z.nullable(z.int()),
  linha: linhaDaConversaSchema,
})
export type ConversaRow = z.output<typeof conversaRowSchema>
type ViewedRow = Omit<ConversaRow, 'contaId'>

export const SUMMARY_CHARS = 500

/** In order of their names. Reads no other etiqueta. */
export const etiquetasSql = (contaId: string, contatoId: string): string => `array(
  select e.id from contatos_etiquetas ce
  cross join lateral (select * from etiquetas e where e.conta_id = ce.conta_id and e.id = ce.etiqueta_id offset 0) e
  where ce.conta_id = ${contaId} and ce.contato_id = ${contatoId} order by e.chave)`

/** Of a line `l`, or null, as JSON. A line that never changed has no row; its connector is that of its session. */
const lineJson = (id: string, sessionConnector: string) =>
  rawSql(`jsonb_build_object('id', ${id},
    'nome', coalesce(l.nome, 'Principal'), 'conector', coalesce(l.conector, ${sessionConnector}, 'simulador'))`)

/** The line of a row of conversas. */
export const linhaSql = (row: string) => sql`(
  select ${lineJson('w.id', '(select b.conector from linhas_bots b where b.linha_id = w.id)')}
  from (select ${lineOf(row)} as id) w left join linhas l on l.conta_id = ${rawSql(row)}.conta_id and l.id = w.id)`

/** As `linhaSql('v')`, for rows of one conta, whose lines are read once. */
const linhaOfConta = sql`coalesce((
  select jsonb_object_agg(b.linha_id, ${lineJson('b.linha_id', 'b.conector')})
  from linhas_bots b left join linhas l on l.conta_id = b.conta_id and l.id = b.linha_id
  where b.conta_id = ${contaId}) -> (${lineOf('v')})::text, ${linhaSql('v')})`

const VISITOR = 'web:'
/** A visitor of the site typed the name of `c`, and no person changed it. */
const claimedName = sql`c.nome <> '' and starts_with(c.endereco, '${rawSql(VISITOR)}') and not c.nome_do_painel`

interface NamedContato {
  readonly nome: string
  readonly endereco: string
  readonly nomeDoPainel: boolean
}

/** As `claimedName`. */
export function hasClaimedName({ nome, endereco, nomeDoPainel }: NamedContato): boolean {
  return nome !== '' && endereco.startsWith(VISITOR) && !nomeDoPainel
}

/** With `offset 0` the planner reads a contato per conversa, also when it has no statistics yet. */
const selectRows = <Values, Linha>(source: Sql<Values>, linha: Sql<Linha>) => sql`
select v.conta_id, v.id, v.contato_id, v.revisao, v.protocolo, v.setor, v.status, v.ultima_atividade, v.iniciada_em, v.aguardando_desde,
  v.finalizada_em, v.motivo_fim, v.operador_id, v.operador, v.nao_lidas, v.sem_resposta_desde, v.teste, v.agente_meta, c.nome, c.telefone, c.nome_usuario,
  (c.estado ->> 'paradoEm') is not null as pediu_parada, ${claimedName} as nome_informado, u.ultimo_texto, u.ultima_midia, u.ultima_em,
  case when v.status = 'finalizada' then (
    select a.nota from avaliacoes a where a.conta_id = v.conta_id and a.conversa_id = v.id
    order by a.criada_em desc, a.id desc limit 1) end as nota,
  ${rawSql(etiquetasSql('v.conta_id', 'v.contato_id'))} as etiquetas, ${linha} as linha
from ${source} v
cross join lateral (select * from contatos c where c.conta_id = v.conta_id and c.id = v.contato_id offset 0) c
left join lateral (
  select left(m.texto, ${rawSql(String(SUMMARY_CHARS))}) as ultimo_texto, m.midia as ultima_midia, m.criada_em as ultima_em
  from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id order by m.id desc limit 1
) u on true`

const selectConversas = <Values>(source: Sql<Values>) => selectRows(source, linhaSql('v'))
export const selectConversasOfConta = <Values>(source: Sql<Values>) => selectRows(source, linhaOfConta)

const PAGE_MAX_MENSAGENS = 1_000
const PAGE_MAX_BYTES = 2_000_000

/** The newest mensagens of each conversa, at most `linhas`, and further ones while those before them have less than `bytes`. */
const listLastMensagens = manyRows(
  'conversas-ultimas',
  z.extend(mensagemRowSchema, { antes: z.number() }),
  sql`
select m.* from ${columns('p', { contaId: 'uuid', id: 'uuid', linhas: 'int', bytes: 'int' })}
cross join lateral (
  select * from (
    select ${mensagemColumns}, sum(octet_length(m.texto)) over pagina - octet_length(m.texto) as antes
    from mensagens m where m.conta_id = p.conta_id and m.conversa_id = p.id
    window pagina as (order by m.id desc rows unbounded preceding) order by m.id desc limit p.linhas
  ) m where m.antes < p.bytes
) m order by m.id`,
  { prepared: true },
)

type MensagemRow = z.output<typeof mensagemRowSchema>

type ConversaRowRef = Pick<ConversaRow, 'contaId' | 'id'>

export async function toConversas(
  tx: Tx,
  rows: readonly ConversaRow[],
  mensagens = LOGS_MANTIDOS,
): Promise<Conversa[]> {
  if (rows.length === 0 || mensagens === 0) return rows.map((row) => toConversa(row, []))
  return withMensagens(rows, await shareLastMensagens(tx, rows, mensagens))
}

/**
 * All conversas of a conta share 1,000 mensagens and 2 MB equally; each has at least its newest one. A batch has
 * conversas of several contas.
 */
function shareLastMensagens(tx: Tx, refs: readonly ConversaRowRef[], max: number): Promise<MensagemRow[]> {
  const ofConta = new Map<string, number>()
  for (const { contaId } of refs) ofConta.set(contaId, (ofConta.get(contaId) ?? 0) + 1)
  const share = (whole: number, { contaId }: ConversaRowRef): number =>
    Math.max(1, Math.floor(whole / (ofConta.get(contaId) ?? 1)))
  const p = refs.map((ref) => ({
    ...{ contaId: ref.contaId, id: ref.id },
    linhas: Math.min(max, share(PAGE_MAX_MENSAGENS, ref)),
    bytes: share(PAGE_MAX_BYTES, ref),
  }))
  return listLastMensagens(tx, { p })
}

/** Each conversa gets as many as one that is read alone. */
function readLastMensagens(tx: Tx, refs: readonly ConversaRowRef[]): Promise<MensagemRow[]> {
  const whole = { linhas: LOGS_MANTIDOS, bytes: PAGE_MAX_BYTES }
  return listLastMensagens(tx, { p: refs.map(({ contaId, id }) => ({ contaId, id, ...whole })) })
}

function withMensagens(rows: readonly ConversaRow[], last: readonly MensagemRow[]): Conversa[] {
  const byConversa = new Map<string, Mensagem[]>(rows.map(({ id }) => [id, []]))
  const names = new Map(rows.map((row) => [row.id, nameOrPhone(row)]))
  for (const row of last) {
    byConversa.get(row.conversaId)?.push(mensagemFromRow(row, names.get(row.conversaId) ?? ''))
  }
  return rows.map((row) => toConversa(row, byConversa.get(row.id) ?? []))
}

const findConversaRow = oneRow(
  'conversa-uma',
  conversaRowSchema,
  sql`${selectConversas(sql`conversas`)}
where v.conta_id = ${contaId} and v.id = ${value('id', 'uuid')} and v.protocolo is not null`,
  { prepared: true },
)

/** Null also if only the bot served the conversa, or the reader may not read it. */
export async function findAttendedConversa(
  tx: Tx,
  contaId: string,
  id: string,
  reader: AnyReader,
): Promise<Conversa | null> {
  const ref = { contaId, id }
  const [row, last] = await inOrder([findConversaRow(tx, ref), readLastMensagens(tx, [ref])])
  if (row === null || !mayReadRow(reader, { ...row, linhaId: row.linha.id })) return null
  return withMensagens([row], last)[0] ?? null
}

const listConversaRows = manyRows(
  'conversas-algumas',
  conversaRowSchema,
  selectConversas(sql`(
  select v.* from ${columns('i', { contaId: 'uuid', id: 'uuid' })} cross join lateral (
    select * from conversas v where v.conta_id = i.conta_id and v.id = i.id and v.protocolo is not null offset 0
  ) v
)`),
  { prepared: true, planner: 'indexes' },
)

/**
 * Reads conversas of several contas as the list of the panel shows them, for the server itself, without those that only
 * the bot served.
 */
export async function readListedConversas(tx: Tx, i: readonly ConversaRowRef[]): Promise<Conversa[]> {
  // Both statements are sent in one round trip.
  const [rows, last] = await inOrder([listConversaRows(tx, { i }), shareLastMensagens(tx, i, MENSAGENS_NO_CARTAO)])
  return withMensagens(rows, last)
}

/**
 * Reads conversas of one conta as the server's answers to acts show them, in the order of `ids`. Null: unknown, or only
 * the bot served it.
 */
export async function findAttendedConversas(
  tx: Tx,
  contaId: string,
  ids: readonly string[],
): Promise<(Conversa | null)[]> {
  const refs = ids.map((id) => ({ contaId, id }))
  const [rows, last] = await inOrder([listConversaRows(tx, { i: refs }), readLastMensagens(tx, refs)])
  const byId = new Map(withMensagens(rows, last).map((conversa) => [conversa.id, conversa]))
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null)
}

const findOpenRow = oneRow(
  'conversa-aberta',
  conversaRowSchema,
  sql`${selectConversas(sql`conversas`)}
where v.conta_id = ${contaId} and v.contato_id = ${value('contatoId', 'uuid')} and v.status <> 'finalizada'
  and v.protocolo is not null`,
  { prepared: true },
)

export async function findOpenAttended(tx: Tx, contaId: string, contatoId: string): Promise<Conversa | null> {
  const row = await findOpenRow(tx, { contaId, contatoId })
  return row === null ? null : ((await toConversas(tx, [row]))[0] ?? null)
}

function endOf({ finalizadaEm, motivoFim, nota }: ViewedRow): Pick<Conversa, 'finalizadaEm' | 'motivoFim' | 'nota'> {
  if (finalizadaEm === null) return {}
  return { finalizadaEm, ...(motivoFim === null ? {} : { motivoFim }), ...(nota === null ? {} : { nota }) }
}

function lastOf({ ultimoTexto: texto, ultimaMidia: midia, ultimaEm: timestamp }: ViewedRow) {
  if (texto === null || timestamp === null) return {}
  const summary = summarizeMensagem({ texto, ...(midia === null ? {} : { midia }) })
  return { ultimaMensagem: { texto: summary, timestamp } }
}

export function toConversa(row: ViewedRow, mensagens: Mensagem[]): Conversa {
  const { id, revisao, contatoId, etiquetas, protocolo, status, telefone, nomeUsuario, ultimaAtividade } = row
  return {
    ...{ id, revisao, contatoId, linha: row.linha, etiquetas, protocolo, setor: row.setor ?? SETOR_GERAL, status },
    cliente: {
      ...{ nome: nameOrPhone(row), telefone },
      ...(nomeUsuario === '' ? {} : { nomeUsuario }),
      ...(row.nomeInformado ? { nomeInformado: true } : {}),
    },
    mensagens,
    ...lastOf(row),
    ultimaAtividade,
    iniciadoEm: row.iniciadaEm,
    aguardandoDesde: row.aguardandoDesde ?? row.iniciadaEm,
    naoLidas: row.naoLidas,
    ...(row.semRespostaDesde === null || status === 'finalizada' ? {} : { semRespostaDesde: row.semRespostaDesde }),
    ...(row.operadorId === null ? {} : { operadorId: row.operadorId }),
    ...(row.operador === null ? {} : { operador: row.operador }),
    ...endOf(row),
    ...(row.pediuParada ? { pediuParada: true } : {}),
    ...(row.agenteMeta ? { agenteMeta: true } : {}),
    teste: row.teste,
  }
}
