import * as z from 'zod/mini'
import type { SentModelo } from '@balcao/connector/port'
import { type Situacao, situacaoSchema } from '@balcao/contract/entities/conversa'
import { estadoMensagemSchema, type Mensagem, type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { isUuid } from '#lib/text.ts'
import type { LockedConversa } from './conversas.ts'
import { SEND_WITHIN_MS, sendExpiry } from './mensagem-marks.ts'
import { QUOTA_CTE, QUOTA_SELECT, type QuotaRow } from './daily-counters.ts'
import {
  MENSAGEM_COLUMNS,
  mensagemFromRow,
  type MensagemMarks,
  mensagemMarksSchema,
  type MensagemRow,
} from './mensagem-view.ts'
import { sentModeloSchema } from './outbox.ts'
import { situationSql } from './readers.ts'

const SELECT_MENSAGEM = `select ${MENSAGEM_COLUMNS} from mensagens m where m.conta_id = $1 and m.id = $2`

export async function findMensagem(
  tx: Tx,
  contaId: string,
  id: string,
  customerName: string,
): Promise<Mensagem | null> {
  const { rows } = await tx.queryNamed<MensagemRow & Record<string, unknown>>('mensagem-uma', SELECT_MENSAGEM, [
    contaId,
    id,
  ])
  const [row] = rows
  return row === undefined ? null : mensagemFromRow(row, customerName)
}

const resendableSchema = z.object({
  conversa_id: z.string(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  modelo: z.nullable(sentModeloSchema),
  extras: z.nullable(mensagemMarksSchema),
  direcao: z.enum(['entrada', 'saida']),
  estado: estadoMensagemSchema,
})

export async function findResendable(tx: Tx, contaId: string, id: string) {
  if (!isUuid(id)) return null
  const [line] = await tx.rows(
    resendableSchema,
    `select m.conversa_id, m.texto, m.midia, m.modelo, m.extras, m.direcao, m.estado
     from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     where m.conta_id = $1 and m.id = $2 and v.protocolo is not null`,
    [contaId, id],
  )
  return line ?? null
}

/** Queues the mensagem again under its original id, with a new expiry. */
export async function requeueMensagem(
  tx: Tx,
  contaId: string,
  { id, now }: { readonly id: string; readonly now: Date },
  { contato_id: contatoId, endereco, ultima_saida: before }: LockedConversa,
): Promise<void> {
  await tx.query(
    `with m as (update mensagens set estado = 'enviada', erro = null where conta_id = $1 and id = $2::uuid),
     c as (update contatos set ultima_saida = $2 where conta_id = $1 and id = $3)
     insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, vence_em, anterior)
     values ($1, $2, $3, $4, '{}', $2::text, $5, $6)`,
    [contaId, id, contatoId, endereco, sendExpiry(now, 'person'), before],
  )
}

/** A connected bot sends its messages within seconds, and one of them may be on its way. */
const WITHDRAW_SQL = `
with retiradas as (
  delete from saida s using mensagens m, conversas v
  where s.conta_id = $1 and s.contato_id = $2 and s.tentativas = 0 and s.tentada_por is null
    and m.conta_id = s.conta_id and m.id = s.mensagem_id and m.origem in ('bot', 'ia')
    and v.conta_id = m.conta_id and v.id = m.conversa_id and v.status = 'bot'
    and not exists (select 1 from bots b where b.conta_id = $1 and b.status = 'CONECTADO')
  returning s.mensagem_id
)
update mensagens m set estado = 'falhou', erro = $3 from retiradas r where m.conta_id = $1 and m.id = r.mensagem_id`

const WITHDRAWN_REASON = 'Uma pessoa assumiu a conversa antes do envio desta mensagem do bot.'

/**
 * Fails the messages of a conversa of the bot that wait for a connection and that no session tried. A person may retry
 * them. Call it under the lock of the contato, before a person takes the conversa over.
 */
export async function withdrawBotMensagens(tx: Tx, contaId: string, contatoId: string): Promise<void> {
  await tx.query(WITHDRAW_SQL, [contaId, contatoId, WITHDRAWN_REASON])
}

const PERSON_WROTE_SQL = `
select exists (
  select 1 from mensagens m where m.conta_id = i.conta_id and m.conversa_id = i.conversa_id and m.criada_em > i.depois
    and (m.origem = 'operador' or (m.origem = 'telefone' and m.extras ->> 'agenteMeta' is null))
) as escreveu
from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) with ordinality as i (conta_id, conversa_id, depois, n) order by i.n`

interface WriterQuestion {
  readonly contaId: string
  readonly conversaId: string
  readonly after: Date
}

/** Adds to each question whether an operador, or the owner on the phone, wrote in the conversa after this instant. */
export async function didPersonWrite<T extends WriterQuestion>(
  tx: Tx,
  asked: readonly T[],
): Promise<(T & { readonly wrote: boolean })[]> {
  const { rows } = await tx.query<{ escreveu: boolean }>(PERSON_WROTE_SQL, [
    plainArray(asked.map(({ contaId }) => contaId)),
    plainArray(asked.map(({ conversaId }) => conversaId)),
    plainArray(asked.map(({ after }) => after.toISOString())),
  ])
  return asked.map((question, index) => ({ ...question, wrote: rows[index]?.escreveu === true }))
}

export interface OperadorMensagem {
  readonly id: string
  readonly conversaId: string
  readonly texto: string
  readonly midia: Midia | null
  readonly modelo: SentModelo | null
  readonly extras: MensagemMarks | null
  readonly operadorId: string
  readonly operador: string
  readonly idTemporario: string | null
  readonly em: Date
  readonly locked: LockedConversa
}

/**
 * Updates the daily counter and inserts the mensagens in one statement: all of them, or none if they exceed the
 * limit. `$3` is the number to count, 0 if none counts. The channel is that of the last mensagem of each conversa, without
 * one the connector of the conta. A test conversa writes no `saida` row. A silence timer of the customer
 * starts, unless one runs.
 */
const INSERT_SENDS = `
with ${QUOTA_CTE}, n as (
  select * from unnest($4::uuid[], $5::uuid[], $6::text[], $7::jsonb[], $8::jsonb[], $9::uuid[], $10::text[], $11::text[],
    $12::timestamptz[], $13::bool[], $14::uuid[], $15::text[], $16::jsonb[], $18::uuid[])
  as n (id, conversa_id, texto, midia, modelo, operador_id, operador, id_temporario, em, teste, contato_id, endereco, extras,
    anterior)
  where $3::int = 0 or exists (select 1 from u)
), m as (
  insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, midia, canal, estado, operador_id, operador,
    id_temporario, simulada, criada_em, modelo, extras)
  select $1, n.id, n.conversa_id, 'saida', 'operador', n.texto, n.midia, coalesce((
      select u.canal from mensagens u where u.conta_id = $1 and u.conversa_id = n.conversa_id order by u.id desc limit 1
    ), (select b.conector from bots b where b.conta_id = $1), 'simulador'), 'enviada', n.operador_id, n.operador, n.id_temporario, n.teste, n.em, n.modelo, n.extras from n
), s as (
  insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, vence_em, anterior)
  select $1, n.id, n.contato_id, n.endereco, '{}', n.id::text, n.em + make_interval(secs => $17), n.anterior
  from n where not n.teste
), v as (
  update conversas v set nao_lidas = 0, ultima_atividade = n.em, agente_meta = false,
    primeira_resposta_em = coalesce(v.primeira_resposta_em, n.em)
  from n where v.conta_id = $1 and v.id = n.conversa_id
  returning v.id, ${situationSql('v.')} as situacao
), c as (
  update contatos c set ultimo_id = greatest(c.ultimo_id, n.id),
    ultima_saida = case when n.teste then c.ultima_saida else n.id end
  from n where c.conta_id = $1 and c.id = n.contato_id
), p as (
  insert into prazos (conta_id, conversa_id, tipo, vence_em)
  select $1, n.conversa_id, 'silencio', n.em + make_interval(mins => r.aviso_minutos)
  from n join regras_atendimento r on r.conta_id = $1 and r.aviso_minutos is not null
  on conflict do nothing
) select q.*, (select jsonb_object_agg(v.id, v.situacao) from v) as situacoes from (${QUOTA_SELECT}) q`

const situacoesSchema = z.record(z.string(), situacaoSchema)

export interface StoredMensagens {
  readonly count: QuotaRow
  /** By conversa, after the mensagem. */
  readonly situacoes: Readonly<Record<string, Situacao>>
}

const toJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/**
 * Inserts at most one mensagem per conversa. `counted` of them count against the daily limit. If they exceed it,
 * `usadas` is null and no row is written.
 */
export async function insertOperadorMensagens(
  tx: Tx,
  contaId: string,
  created: readonly OperadorMensagem[],
  { now, counted }: { readonly now: Date; readonly counted: number },
): Promise<StoredMensagens> {
  const { rows } = await tx.queryNamed<QuotaRow & Record<string, unknown>>('operador-enviar', INSERT_SENDS, [
    contaId,
    now.toISOString(),
    counted,
    plainArray(created.map(({ id }) => id)),
    plainArray(created.map(({ conversaId }) => conversaId)),
    textArray(created.map(({ texto }) => texto)),
    textArray(created.map(({ midia }) => toJson(midia))),
    textArray(created.map(({ modelo }) => toJson(modelo))),
    plainArray(created.map(({ operadorId }) => operadorId)),
    textArray(created.map(({ operador }) => operador)),
    textArray(created.map(({ idTemporario }) => idTemporario)),
    plainArray(created.map(({ em }) => em.toISOString())),
    plainArray(created.map(({ locked }) => locked.teste)),
    plainArray(created.map(({ locked }) => locked.contato_id)),
    textArray(created.map(({ locked }) => locked.endereco)),
    textArray(created.map(({ extras }) => toJson(extras))),
    SEND_WITHIN_MS.person / 1_000,
    plainArray(created.map(({ locked }) => locked.ultima_saida)),
  ])
  const [count] = rows
  if (count === undefined) throw new Error('conta not found while sending')
  return { count, situacoes: situacoesSchema.parse(count['situacoes'] ?? {}) }
}

export interface NewTestConversa {
  readonly contatoId: string
  readonly id: string
  readonly mensagemId: string
  readonly em: Date
  readonly setor: string
  readonly telefone: string
  readonly texto: string
  readonly protocolo: string
}

/** The row in `enderecos` lets the simulator play this contato too. */
const INSERT_TEST_CONVERSA = `
with c as (
  insert into contatos (conta_id, id, nome, telefone, endereco, conversa_id, ultima_atividade, ultimo_id)
  values ($1, $2, 'Cliente de teste', $3, $3, $4, $5, $8) returning 1
), e as (
  insert into enderecos (conta_id, endereco, contato_id) select $1, 'tel:' || $3, $2 from c on conflict do nothing
), v as (
  insert into conversas (conta_id, id, contato_id, status, setor, protocolo, teste, nao_lidas, iniciada_em, aguardando_desde,
    ultima_atividade)
  values ($1, $4, $2, 'aguardando', $6, $7, true, 1, $5, $5, $5)
)
insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, id_externo, estado, simulada, criada_em)
values ($1, $8::uuid, $4, 'entrada', 'cliente', $9, 'simulador', $8::text, 'entregue', true, $5)`

export async function insertTestConversa(tx: Tx, contaId: string, input: NewTestConversa): Promise<void> {
  const { contatoId, telefone, id, em, setor, protocolo, mensagemId, texto } = input
  await tx.query(INSERT_TEST_CONVERSA, [
    contaId,
    contatoId,
    telefone,
    id,
    em.toISOString(),
    setor,
    protocolo,
    mensagemId,
    texto,
  ])
}

const STORE_MARKS_SQL = `
update mensagens m set extras = i.extras::jsonb
from unnest($1::uuid[], $2::uuid[], $3::text[]) as i (conta_id, id, extras)
where m.conta_id = i.conta_id and m.id = i.id`

interface MarkedMensagem {
  readonly contaId: string
  readonly id: string
  readonly extras: MensagemMarks
}

/** Stores the marks of new mensagens in a separate statement. */
export async function storeMarks(tx: Tx, marked: readonly MarkedMensagem[]): Promise<void> {
  await tx.queryNamed('mensagens-marcar', STORE_MARKS_SQL, [
    plainArray(marked.map(({ contaId }) => contaId)),
    plainArray(marked.map(({ id }) => id)),
    textArray(marked.map(({ extras }) => JSON.stringify(extras))),
  ])
}
