import * as z from 'zod/mini'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { plainArray, textArray } from '#db/arrays.ts'
import { type MensagemMarks, QUOTA_CTE, QUOTA_SELECT, type QuotaRow } from '#modules/conversas/index.ts'
import type { Tx } from '#db/transaction.ts'
import type { SentModelo } from '@balcao/connector/port'
import { servedConversaSchema, SERVED_COLUMNS, isUuid, JANELA_UNTIL } from '#modules/atendimento/repository.ts'

const lockedConversaSchema = z.extend(servedConversaSchema, {
  ordem: z.number(),
  repetida: z.nullable(z.string()),
  repetida_de: z.nullable(z.string()),
  janela_ate: z.nullable(z.date()),
})
export type LockedConversa = Omit<z.output<typeof lockedConversaSchema>, 'ordem'>

/** `order by` prevents a deadlock between two batches. */
const LOCK_CONTATOS = `
select c.id from contatos c where c.conta_id = $1 and c.id = any (array(
  select v.contato_id from conversas v where v.conta_id = $1 and v.id = any ($2::uuid[]) and v.protocolo is not null
)) order by c.id for no key update`

const READ_LOCKED = `
select p.ordem::int as ordem, ${SERVED_COLUMNS}, r.id as repetida, r.operador_id as repetida_de, ${JANELA_UNTIL}
from unnest($2::uuid[], $3::text[]) with ordinality as p (id, id_temporario, ordem)
join conversas v on v.conta_id = $1 and v.id = p.id and v.protocolo is not null
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
left join lateral (
  select m.id, m.operador_id from mensagens m
  where m.conta_id = v.conta_id and m.conversa_id = v.id and m.id_temporario = p.id_temporario limit 1
) r on true`

export interface LockRequest {
  readonly conversaId: string
  readonly idTemporario?: string | null | undefined
}

/**
 * Locks the contatos of these conversas, in the order that customer messages also use, and reads their current
 * state. `repetida` is the mensagem stored under this `idTemporario`, `repetida_de` its operador. Returns null at
 * the position of a conversa that is unknown, of another conta or of the bot.
 */
export async function lockConversas(
  tx: Tx,
  contaId: string,
  requests: readonly LockRequest[],
): Promise<(LockedConversa | null)[]> {
  const nulo = '00000000-0000-0000-0000-000000000000'
  const ids = plainArray(requests.map(({ conversaId }) => (isUuid(conversaId) ? conversaId : nulo)))
  // Both statements are sent together. The second runs after the first has its locks, so it reads the committed
  // changes of earlier holders.
  const [, { rows }] = await Promise.all([
    tx.queryNamed('conversas-travar', LOCK_CONTATOS, [contaId, ids]),
    tx.queryNamed('conversas-conferir', READ_LOCKED, [
      contaId,
      ids,
      textArray(requests.map(({ idTemporario }) => idTemporario ?? null)),
    ]),
  ])
  const found = new Map(rows.map((row) => lockedConversaSchema.parse(row)).map((parsed) => [parsed.ordem, parsed]))
  return requests.map((_, index) => found.get(index + 1) ?? null)
}

export async function lockConversa(
  tx: Tx,
  contaId: string,
  id: string,
  idTemporario: string | null,
): Promise<LockedConversa | null> {
  const [travada] = await lockConversas(tx, contaId, [{ conversaId: id, idTemporario }])
  return travada ?? null
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
 * limit. `$3` is the number to count, 0 if none counts. The channel is that of the last mensagem of each conversa.
 * A test conversa writes no `saida` row.
 */
const INSERT_SENDS = `
with ${QUOTA_CTE}, n as (
  select * from unnest($4::uuid[], $5::uuid[], $6::text[], $7::jsonb[], $8::jsonb[], $9::uuid[], $10::text[], $11::text[],
    $12::timestamptz[], $13::bool[], $14::uuid[], $15::text[], $16::jsonb[])
  as n (id, conversa_id, texto, midia, modelo, operador_id, operador, id_temporario, em, teste, contato_id, endereco, extras)
  where $3::int = 0 or exists (select 1 from u)
), m as (
  insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, midia, canal, estado, operador_id, operador,
    id_temporario, simulada, criada_em, modelo, extras)
  select $1, n.id, n.conversa_id, 'saida', 'operador', n.texto, n.midia, coalesce((
      select u.canal from mensagens u where u.conta_id = $1 and u.conversa_id = n.conversa_id order by u.id desc limit 1
    ), 'simulador'), 'enviada', n.operador_id, n.operador, n.id_temporario, n.teste, n.em, n.modelo, n.extras from n
), s as (
  insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
  select $1, n.id, n.contato_id, n.endereco, '{}', n.id::text from n where not n.teste
), v as (
  update conversas v set nao_lidas = 0, ultima_atividade = n.em, primeira_resposta_em = coalesce(v.primeira_resposta_em, n.em)
  from n where v.conta_id = $1 and v.id = n.conversa_id
) ${QUOTA_SELECT}`

const toJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/**
 * Inserts at most one mensagem per conversa. `contam` of them count against the daily limit. If they exceed it,
 * `usadas` is null and no row is written.
 */
export async function insertOperadorMensagens(
  tx: Tx,
  contaId: string,
  created: readonly OperadorMensagem[],
  { agora, contam }: { readonly agora: Date; readonly contam: number },
): Promise<QuotaRow> {
  const { rows } = await tx.queryNamed<QuotaRow & Record<string, unknown>>('operador-enviar', INSERT_SENDS, [
    contaId,
    agora.toISOString(),
    contam,
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
  ])
  const [count] = rows
  if (count === undefined) throw new Error('conta not found while sending')
  return count
}
