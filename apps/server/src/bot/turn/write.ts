import * as z from 'zod/mini'
import { storedState } from '@balcao/engine/stored-state/parse'
import { storedLine } from '#db/statement/line.ts'
import type { Tx } from '#db/transaction.ts'
import { columns, sql } from '#db/statement/sql.ts'
import { inOrder, manyRows } from '#db/statement/statement.ts'
import { type ChangedRow, updateConversas } from '#modules/conversas/index.ts'
import { insertLogsSql } from '#modules/logs/index.ts'
import type { DayUse } from '#modules/emails/index.ts'
import { sendExpiry } from '#modules/mensagens/index.ts'
import { changedConsent, customerWroteAt, mensagensToSend, type ConversaChange, type Decision } from './types.ts'

const dayUseSchema = z.object({
  contaId: z.string(),
  usadas: z.int(),
  limite: z.int(),
  semLimite: z.boolean(),
  recusa: z.nullable(z.int()),
})

/**
 * Rows that the turns of a batch write. `nome` is set even when it stays: PostgreSQL parses the generated columns of
 * `contatos` again for each row, 70 µs, when an UPDATE sets none of their sources.
 */
const ROWS = sql`v as (
  insert into conversas (conta_id, id, contato_id, linha_id, status, iniciada_em, ultima_atividade)
  select conta_id, id, contato_id, linha_id, status, em, em from ${columns('conversas', {
    contaId: 'uuid',
    id: 'uuid',
    contatoId: 'uuid',
    linhaId: 'uuid?',
    status: 'text',
    em: 'timestamptz',
  })}
  returning 1
), m as (
  insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, midia, canal, id_externo, estado, simulada, criada_em,
    lacuna)
  select conta_id, id, conversa_id, direcao, origem, texto, midia, canal, id_externo, estado, simulada, criada_em, lacuna
  from ${columns('mensagens', {
    contaId: 'uuid',
    id: 'uuid',
    conversaId: 'uuid',
    direcao: 'text',
    origem: 'text',
    texto: 'text',
    midia: 'jsonb?',
    canal: 'text',
    idExterno: 'text?',
    estado: 'text',
    simulada: 'bool',
    criadaEm: 'timestamptz',
    lacuna: 'text?',
  })}
  returning 1
), s as (
  insert into saida (conta_id, mensagem_id, contato_id, linha_id, endereco, conteudo, id_externo, vence_em, anterior)
  select conta_id, mensagem_id, contato_id, linha_id, endereco, '{}', mensagem_id::text, vence_em, anterior
  from ${columns('sends', {
    contaId: 'uuid',
    mensagemId: 'uuid',
    contatoId: 'uuid',
    linhaId: 'uuid?',
    endereco: 'text',
    venceEm: 'timestamptz',
    anterior: 'uuid?',
  })}
  returning 1
), l as (
  ${insertLogsSql}
  returning 1
), i as (
  select * from ${columns('i', {
    contaId: 'uuid',
    id: 'uuid',
    linhaId: 'uuid?',
    estado: 'jsonb?',
    consent: 'jsonb?',
    conversaId: 'uuid?',
    nome: 'text',
    endereco: 'text',
    em: 'timestamptz',
    texto: 'text?',
    direcao: 'text?',
    escreveu: 'timestamptz?',
    ultimoId: 'uuid?',
    ultimaSaida: 'uuid?',
  })}
), c as (
  update contatos c set
    estado = case when i.linha_id is null then coalesce(i.estado, c.estado)
      when i.consent is null then c.estado else coalesce(c.estado, '{}') || i.consent end,
    conversa_id = case when i.linha_id is null then i.conversa_id else c.conversa_id end, nome = i.nome,
    endereco = case when i.linha_id is null then i.endereco else c.endereco end, ultima_atividade = i.em, ultimo_texto = coalesce(i.texto, c.ultimo_texto),
    ultima_direcao = coalesce(i.direcao, c.ultima_direcao),
    janela_desde = case when i.linha_id is null then greatest(c.janela_desde, i.escreveu) else c.janela_desde end,
    ultimo_id = greatest(c.ultimo_id, i.ultimo_id),
    ultima_saida = case when i.linha_id is null then coalesce(i.ultima_saida, c.ultima_saida) else c.ultima_saida end
  from i
  where c.conta_id = i.conta_id and c.id = i.id
  returning 1
)`

/**
 * Writes of the hot path: one statement per batch. The counter reads the row counts of the other parts, so the row
 * shared by a whole conta is locked last. A conta over its limit raises a cast error, so that the COMMIT can be
 * sent without waiting for the result.
 */
const batchSql = ({ dialogue, written }: typeof ANY_LINE) => sql`
with ${ROWS}${dialogue}, uso as (
  select * from ${columns('sums', { contaId: 'uuid', dia: 'date', enviadas: 'int', recebidas: 'int' })}
), u as (
  insert into uso_diario as u (conta_id, dia, usadas, total, recebidas)
  select i.conta_id, i.dia, i.enviadas, i.enviadas, i.recebidas
  from uso i
  join contas k on k.id = i.conta_id
  cross join (select count(*) from m) as a cross join (select count(*) from s) as b
  cross join (select count(*) from c) as d cross join (select count(*) from v) as e
  cross join (select count(*) from l) as f${written}
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
  select ('limite ' || string_agg(i.conta_id::text, ','))::int from uso i
  where i.conta_id not in (select conta_id from u)
) as recusa
from uso i left join u on u.conta_id = i.conta_id left join contas k on k.id = u.conta_id`

const FIRST_LINE = { dialogue: sql``, written: sql`` }
/** A dialogue is with the contato on the first line, in `dialogos` on a further one. */
const ANY_LINE = {
  dialogue: sql`, d as (
  insert into dialogos as d (conta_id, contato_id, linha_id, estado, conversa_id, endereco, ultima_atividade, janela_desde,
    ultima_saida)
  select conta_id, id, linha_id, estado, conversa_id, endereco, em, escreveu, ultima_saida from i where linha_id is not null
  on conflict (conta_id, contato_id, linha_id) do update set estado = coalesce(excluded.estado, d.estado),
    conversa_id = excluded.conversa_id, endereco = excluded.endereco, ultima_atividade = excluded.ultima_atividade,
    janela_desde = greatest(d.janela_desde, excluded.janela_desde),
    ultima_saida = coalesce(excluded.ultima_saida, d.ultima_saida)
  returning 1
)`,
  written: sql` cross join (select count(*) from d) as g`,
}
const WRITE_BATCH = {
  firstLine: manyRows('lote-gravar', dayUseSchema, batchSql(FIRST_LINE), { prepared: true }),
  anyLine: manyRows('lote-gravar-linhas', dayUseSchema, batchSql(ANY_LINE), { prepared: true }),
}

/** The batch exceeds the daily limit of these contas and must be rolled back. */
export class LimitReached extends Error {
  readonly contas: readonly string[]

  constructor(contas: readonly string[]) {
    super('daily limit reached')
    this.contas = contas
  }
}

export interface Written {
  readonly uses: readonly DayUse[]
  readonly changed: readonly ChangedRow[]
}

type BatchRows = Parameters<typeof WRITE_BATCH.anyLine>[1]

interface WriteOptions {
  readonly logs: BatchRows['logs']
  /** True: the changed row is returned with all that a card of the list shows. */
  readonly asCard: (decision: Decision) => boolean
}

/**
 * Writes conversas, messages, `saida`, states, log lines and counters, in statements that are sent without waiting for
 * each other. Rejects with `LimitReached` when the messages of a conta do not fit.
 */
export async function writeDecisions(
  tx: Tx,
  decisions: readonly Decision[],
  { logs, asCard }: WriteOptions,
): Promise<Written> {
  const [uses, changed] = await inOrder([
    writeRows(tx, decisions, logs),
    applyChanges(tx, decisions, asCard, ({ changes, conversaId }) => changes.filter(({ id }) => id === conversaId)),
  ])
  return { uses, changed }
}

async function writeRows(tx: Tx, decisions: readonly Decision[], logs: BatchRows['logs']): Promise<DayUse[]> {
  const i = decisions.map(contatoOf)
  const sums = new Map([...Map.groupBy(decisions, ({ contaId }) => contaId)].map(([id, of]) => [id, sumOf(id, of)]))
  // An act of an operador that writes nothing leaves the counter alone: its row is locked for the whole conta.
  const counted = [...sums.values()].filter(({ enviadas, recebidas }) => enviadas + recebidas > 0)
  try {
    const written = await WRITE_BATCH[i.some(({ linhaId }) => linhaId !== null) ? 'anyLine' : 'firstLine'](tx, {
      conversas: decisions.flatMap(newConversaOf),
      mensagens: decisions.flatMap(mensagensOf),
      sends: decisions.flatMap(sendsOf),
      ...{ i, logs },
      sums: counted.toSorted((one, other) => (one.contaId < other.contaId ? -1 : 1)),
    })
    return written.map(({ contaId, usadas, limite, semLimite }) => ({
      contaId,
      usadas,
      limite: semLimite ? null : limite,
      dia: sums.get(contaId)?.dia ?? '',
      enviadas: sums.get(contaId)?.enviadas ?? 0,
    }))
  } catch (error) {
    const refused = error instanceof Error ? /"limite ([0-9a-f,-]+)"/.exec(error.message)?.[1] : undefined
    throw refused === undefined ? error : new LimitReached(refused.split(','))
  }
}

function sumOf(contaId: string, decisions: readonly Decision[]) {
  return {
    contaId,
    dia: decisions[0]?.day ?? '',
    enviadas: decisions.flatMap(mensagensToSend).length,
    recebidas: decisions.flatMap(({ mensagens }) => mensagens).filter(({ direcao }) => direcao === 'entrada').length,
  }
}

function newConversaOf(decision: Decision) {
  const { contaId, conversaId, isNew, contato, now } = decision
  if (!isNew || conversaId === null) return []
  const linhaId = storedLine(decision)
  return [{ contaId, id: conversaId, status: 'bot', contatoId: contato.id, linhaId, em: now }]
}

function mensagensOf({ contaId, conversaId, channel, teste, mensagens, now }: Decision) {
  if (conversaId === null) return []
  const ofAll = { contaId, conversaId, canal: channel, simulada: teste, criadaEm: now }
  return mensagens.map((mensagem) => ({ ...mensagem, ...ofAll }))
}

function sendsOf(decision: Decision) {
  const { contaId, contato, address, now } = decision
  const venceEm = sendExpiry(now, 'automatic')
  const linhaId = storedLine(decision)
  return mensagensToSend(decision).map(({ id }, index, sent) => {
    const anterior = sent[index - 1]?.id ?? contato.lastSent
    return { contaId, mensagemId: id, contatoId: contato.id, linhaId, endereco: address, venceEm, anterior }
  })
}

function contatoOf(decision: Decision) {
  const { contaId, contato, state, conversaId, name, address, now, mensagens } = decision
  const last = mensagens.at(-1)
  return {
    contaId,
    id: contato.id,
    linhaId: storedLine(decision),
    estado: state === null ? null : storedState(state),
    consent: changedConsent(decision),
    conversaId,
    nome: name,
    endereco: address,
    em: now,
    texto: last?.texto ?? null,
    direcao: last?.direcao ?? null,
    escreveu: customerWroteAt(decision),
    ultimoId: last?.id ?? null,
    ultimaSaida: mensagensToSend(decision).at(-1)?.id ?? null,
  }
}

/**
 * Runs before the messages: a contato has one open conversa, so the expired one ends before the new one is
 * inserted.
 */
export function finishExpired(tx: Tx, decisions: readonly Decision[]): Promise<ChangedRow[]> {
  const opened = decisions.filter(({ isNew }) => isNew)
  return applyChanges(
    tx,
    opened,
    () => false,
    ({ changes, conversaId }) => changes.filter(({ id }) => id !== conversaId),
  )
}

async function applyChanges(
  tx: Tx,
  decisions: readonly Decision[],
  asCard: WriteOptions['asCard'],
  changesOf: (decision: Decision) => readonly ConversaChange[],
): Promise<ChangedRow[]> {
  const i = decisions.flatMap((decision) =>
    changesOf(decision).map((change) => ({
      ...{ ...change, contaId: decision.contaId, em: decision.now },
      card: asCard(decision),
    })),
  )
  return i.length === 0 ? [] : updateConversas(tx, { i })
}
