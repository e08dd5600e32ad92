import { connectorOf } from '@balcao/contract/connectors'
import type { Situacao } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { plainArray, textArray } from '#db/arrays.ts'
import {
  type DayUse,
  sendExpiry,
  SITUATION_COLUMNS,
  situationsById,
  type SituationRow,
  storeMarks,
} from '#modules/conversas/index.ts'
import { mensagensToSend, type ConversaChange, type Decision, type NewMensagem } from './types.ts'

/**
 * Writes of the hot path: one statement per batch. The counter reads the row counts of the other parts, so the row
 * shared by a whole conta is locked last. A conta over its limit raises a cast error, so that the COMMIT can be
 * sent without waiting for the result.
 */
const WRITE_BATCH_SQL = `
with v as (
  insert into conversas (conta_id, id, contato_id, status, iniciada_em, ultima_atividade)
  select conta_id, id, contato_id, status, em, em
  from unnest($30::uuid[], $31::uuid[], $32::uuid[], $33::text[], $34::timestamptz[]) as i (conta_id, id, contato_id, status, em)
  returning 1
), m as (
  insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, midia, canal, id_externo, estado, simulada, criada_em)
  select conta_id, id, conversa_id, direcao, origem, texto, midia::jsonb, canal, id_externo, estado, simulada, criada_em
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
              $10::text[], $11::bool[], $12::timestamptz[])
    as i (conta_id, id, conversa_id, direcao, origem, texto, midia, canal, id_externo, estado, simulada, criada_em)
  returning 1
), s as (
  insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, vence_em, anterior)
  select conta_id, mensagem_id, contato_id, endereco, '{}', mensagem_id::text, vence_em, anterior
  from unnest($13::uuid[], $14::uuid[], $15::uuid[], $16::text[], $36::timestamptz[], $38::uuid[])
    as i (conta_id, mensagem_id, contato_id, endereco, vence_em, anterior)
  returning 1
), c as (
  update contatos c set estado = coalesce(i.estado::jsonb, c.estado), conversa_id = i.conversa_id, nome = i.nome,
    endereco = i.endereco, ultima_atividade = i.em, ultimo_texto = coalesce(i.texto, c.ultimo_texto),
    ultima_direcao = coalesce(i.direcao, c.ultima_direcao), janela_desde = greatest(c.janela_desde, i.escreveu),
    ultimo_id = greatest(c.ultimo_id, i.ultimo_id), ultima_saida = coalesce(i.ultima_saida, c.ultima_saida)
  from unnest($17::uuid[], $18::uuid[], $19::text[], $20::uuid[], $21::text[], $22::text[], $23::timestamptz[], $24::text[], $25::text[],
              $35::timestamptz[], $37::uuid[], $39::uuid[])
    as i (conta_id, id, estado, conversa_id, nome, endereco, em, texto, direcao, escreveu, ultimo_id, ultima_saida)
  where c.conta_id = i.conta_id and c.id = i.id
  returning 1
), u as (
  insert into uso_diario as u (conta_id, dia, usadas, total, recebidas)
  select i.conta_id, i.dia, i.enviadas, i.enviadas, i.recebidas
  from unnest($26::uuid[], $27::date[], $28::int[], $29::int[]) as i (conta_id, dia, enviadas, recebidas)
  join contas k on k.id = i.conta_id
  cross join (select count(*) from m) as a cross join (select count(*) from s) as b
  cross join (select count(*) from c) as d cross join (select count(*) from v) as e
  where i.enviadas = 0 or k.sem_limite or i.enviadas <= k.limite_mensagens_dia
  order by i.conta_id
  on conflict (conta_id, dia) do update set usadas = u.usadas + excluded.usadas, total = u.total + excluded.total,
    recebidas = u.recebidas + excluded.recebidas
  where excluded.usadas = 0 or exists (
    select 1 from contas k where k.id = u.conta_id
      and (k.sem_limite or u.usadas + excluded.usadas <= k.limite_mensagens_dia))
  returning u.conta_id, u.usadas
)
select u.conta_id, u.usadas, k.limite_mensagens_dia as limite, k.sem_limite, (
  select ('limite ' || string_agg(i.conta_id::text, ','))::int from unnest($26::uuid[]) as i (conta_id)
  where i.conta_id not in (select conta_id from u)
) as recusa
from unnest($26::uuid[]) as i (conta_id) left join u on u.conta_id = i.conta_id left join contas k on k.id = u.conta_id`

/** The batch exceeds the daily limit of these contas and must be rolled back. */
export class LimitReached extends Error {
  readonly contas: readonly string[]

  constructor(contas: readonly string[]) {
    super('daily limit reached')
    this.contas = contas
  }
}

/** By id, the conversas with people after the batch changed them. */
export type Situations = ReadonlyMap<string, Situacao>

export interface Written {
  readonly uses: readonly DayUse[]
  readonly situacoes: Situations
}

interface DayUseRow {
  conta_id: string
  usadas: number
  limite: number
  sem_limite: boolean
}

interface DailySum {
  readonly day: string
  sent: number
  received: number
}

/**
 * Writes conversas, messages, `saida`, states and counters, in statements that are sent without waiting for each
 * other. Rejects with `LimitReached` when the messages of a conta do not fit.
 */
export async function writeDecisions(tx: Tx, decisions: readonly Decision[]): Promise<Written> {
  const [uses, situacoes] = await Promise.all([writeBatch(tx, decisions), updateCurrentConversas(tx, decisions)])
  return { uses, situacoes }
}

async function writeBatch(tx: Tx, decisions: readonly Decision[]): Promise<DayUse[]> {
  const sends = decisions.map(toSends)
  const sums = sumPerConta(sends)
  // An act of an operador that writes nothing leaves the counter alone: its row is locked for the whole conta.
  const counted = [...sums].filter(([, { sent, received }]) => sent + received > 0)
  const contas = counted.map(([conta]) => conta).toSorted()
  const values = [
    ...mensagensColumns(decisions),
    ...saidaColumns(sends),
    ...contatosColumns(decisions),
    plainArray(contas),
    plainArray(contas.map((conta) => sums.get(conta)?.day ?? null)),
    plainArray(contas.map((conta) => sums.get(conta)?.sent ?? 0)),
    plainArray(contas.map((conta) => sums.get(conta)?.received ?? 0)),
    ...conversasColumns(decisions),
    textArray(decisions.map(customerWroteAt)),
    plainArray(sends.flatMap(expiriesOf)),
    plainArray(decisions.map(({ mensagens }) => mensagens.at(-1)?.id ?? null)),
    plainArray(sends.flatMap(predecessorsOf)),
    plainArray(sends.map(({ sent }) => sent.at(-1)?.id ?? null)),
  ]
  try {
    const { rows } = await tx.queryNamed<DayUseRow & Record<string, unknown>>('lote-gravar', WRITE_BATCH_SQL, values)
    return rows.map((row) => ({
      contaId: row.conta_id,
      dia: sums.get(row.conta_id)?.day ?? '',
      enviadas: sums.get(row.conta_id)?.sent ?? 0,
      usadas: row.usadas,
      limite: row.sem_limite ? null : row.limite,
    }))
  } catch (error) {
    const refused = error instanceof Error ? /"limite ([0-9a-f,-]+)"/.exec(error.message)?.[1] : undefined
    throw refused === undefined ? error : new LimitReached(refused.split(','))
  }
}

/** A decision with its messages that must be sent. */
interface Sends {
  readonly decision: Decision
  readonly sent: readonly NewMensagem[]
}

const toSends = (decision: Decision): Sends => ({ decision, sent: mensagensToSend(decision) })

function expiriesOf({ decision, sent }: Sends): string[] {
  if (sent.length === 0) return []
  const expiry = sendExpiry(decision.now, 'automatic').toISOString()
  return sent.map(() => expiry)
}

/** For each message to send, the one that leaves before it. */
function predecessorsOf({ decision, sent }: Sends): (string | null)[] {
  return sent.map((_, index) => sent[index - 1]?.id ?? decision.contato.lastSent)
}

function sumPerConta(sends: readonly Sends[]): Map<string, DailySum> {
  const sums = new Map<string, DailySum>()
  for (const { decision, sent } of sends) {
    const sum = sums.get(decision.contaId) ?? { day: decision.day, sent: 0, received: 0 }
    sum.sent += sent.length
    sum.received += decision.mensagens.filter(({ direcao }) => direcao === 'entrada').length
    sums.set(decision.contaId, sum)
  }
  return sums
}

function mensagensColumns(decisions: readonly Decision[]): string[] {
  const lines: { readonly decision: Decision; readonly mensagem: NewMensagem; readonly now: string }[] = []
  for (const decision of decisions) {
    const now = decision.now.toISOString()
    for (const mensagem of decision.mensagens) lines.push({ decision, mensagem, now })
  }
  return [
    plainArray(lines.map(({ decision }) => decision.contaId)),
    plainArray(lines.map(({ mensagem }) => mensagem.id)),
    plainArray(lines.map(({ decision }) => decision.conversaId)),
    plainArray(lines.map(({ mensagem }) => mensagem.direcao)),
    plainArray(lines.map(({ mensagem }) => mensagem.origem)),
    textArray(lines.map(({ mensagem }) => mensagem.texto)),
    textArray(lines.map(({ mensagem }) => (mensagem.midia === null ? null : JSON.stringify(mensagem.midia)))),
    plainArray(lines.map(({ decision }) => decision.channel)),
    textArray(lines.map(({ mensagem }) => mensagem.idExterno)),
    plainArray(lines.map(({ mensagem }) => mensagem.estado)),
    plainArray(lines.map(({ decision }) => decision.teste)),
    plainArray(lines.map(({ now }) => now)),
  ]
}

function saidaColumns(sends: readonly Sends[]): string[] {
  const lines = sends.flatMap(({ decision, sent }) => sent.map(({ id }) => ({ decision, id })))
  return [
    plainArray(lines.map(({ decision }) => decision.contaId)),
    plainArray(lines.map(({ id }) => id)),
    plainArray(lines.map(({ decision }) => decision.contato.id)),
    textArray(lines.map(({ decision }) => decision.address)),
  ]
}

/** Start of the reply window: the time of the customer's message, not of a late webhook. */
function customerWroteAt({ turn, now }: Decision): string | null {
  if (turn.tipo !== 'mensagem' || turn.message.deMim === true) return null
  if ((connectorOf(turn.channel)?.replyWindowHours ?? null) === null) return null
  return new Date(Math.min(turn.message.enviadaEm.getTime(), now.getTime())).toISOString()
}

function contatosColumns(decisions: readonly Decision[]): string[] {
  const last = decisions.map(({ mensagens }) => mensagens.at(-1))
  return [
    plainArray(decisions.map(({ contaId }) => contaId)),
    plainArray(decisions.map(({ contato }) => contato.id)),
    textArray(decisions.map(({ state }) => state)),
    plainArray(decisions.map(({ conversaId }) => conversaId)),
    textArray(decisions.map(({ name }) => name)),
    textArray(decisions.map(({ address }) => address)),
    plainArray(decisions.map(({ now }) => now.toISOString())),
    textArray(last.map((mensagem) => mensagem?.texto ?? null)),
    plainArray(last.map((mensagem) => mensagem?.direcao ?? null)),
  ]
}

function conversasColumns(decisions: readonly Decision[]): string[] {
  const fresh = decisions.filter(({ newConversa }) => newConversa !== null)
  return [
    plainArray(fresh.map(({ contaId }) => contaId)),
    plainArray(fresh.map(({ conversaId }) => conversaId)),
    plainArray(fresh.map(({ contato }) => contato.id)),
    plainArray(fresh.map(({ newConversa }) => newConversa?.status ?? null)),
    plainArray(fresh.map(({ now }) => now.toISOString())),
  ]
}

const UPDATE_CONVERSAS_SQL = `
update conversas v set
  status = coalesce(i.status, v.status), setor = coalesce(i.setor, v.setor), protocolo = coalesce(i.protocolo, v.protocolo),
  aguardando_desde = case when i.status = 'aguardando' then i.em else v.aguardando_desde end,
  finalizada_em = case when i.status = 'finalizada' then i.em else v.finalizada_em end,
  motivo_fim = coalesce(i.motivo_fim, v.motivo_fim),
  nao_lidas = case when i.lidas then 0 else v.nao_lidas + i.nao_lidas end, ultima_atividade = i.em,
  agente_meta = coalesce(i.agente_meta, v.agente_meta), revisao = v.revisao + 1
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::timestamptz[], $9::bool[],
  $10::bool[]) as i (conta_id, id, status, setor, protocolo, motivo_fim, nao_lidas, em, lidas, agente_meta)
where v.conta_id = i.conta_id and v.id = i.id returning ${SITUATION_COLUMNS}`

/**
 * Runs before the messages: a contato has one open conversa, so the expired one ends before the new one is
 * inserted.
 */
export function finishExpired(tx: Tx, decisions: readonly Decision[]): Promise<Situations> {
  const opened = decisions.filter(({ newConversa }) => newConversa !== null)
  return updateConversas(tx, opened, ({ changes, conversaId }) => changes.filter(({ id }) => id !== conversaId))
}

/** Runs after the messages, whose statement inserts the new conversas. */
function updateCurrentConversas(tx: Tx, decisions: readonly Decision[]): Promise<Situations> {
  return updateConversas(tx, decisions, ({ changes, conversaId }) => changes.filter(({ id }) => id === conversaId))
}

async function updateConversas(
  tx: Tx,
  decisions: readonly Decision[],
  changesOf: (decision: Decision) => readonly ConversaChange[],
): Promise<Situations> {
  const lines = decisions.flatMap((decision) => changesOf(decision).map((change) => ({ decision, change })))
  if (lines.length === 0) return new Map()
  const { rows } = await tx.queryNamed<SituationRow & Record<string, unknown>>(
    'conversas-mudar',
    UPDATE_CONVERSAS_SQL,
    [
      plainArray(lines.map(({ decision }) => decision.contaId)),
      plainArray(lines.map(({ change }) => change.id)),
      plainArray(lines.map(({ change }) => change.status)),
      textArray(lines.map(({ change }) => change.setor)),
      textArray(lines.map(({ change }) => change.protocolo)),
      plainArray(lines.map(({ change }) => change.motivoFim)),
      plainArray(lines.map(({ change }) => change.naoLidas)),
      plainArray(lines.map(({ decision }) => decision.now.toISOString())),
      plainArray(lines.map(({ change }) => change.lidas)),
      plainArray(lines.map(({ change }) => change.agenteMeta)),
    ],
  )
  return situationsById(rows)
}

/** Stores quotes and missed calls. Most messages have none. */
export async function writeMarks(tx: Tx, decisions: readonly Decision[]): Promise<void> {
  const marked = decisions.flatMap(({ contaId, mensagens }) =>
    mensagens.flatMap(({ id, extras }) => (extras === undefined ? [] : [{ contaId, id, extras }])),
  )
  if (marked.length > 0) await storeMarks(tx, marked)
}
