import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import { situacaoSchema } from '@balcao/contract/entities/conversa'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { isUuid } from '#lib/text.ts'
import { JANELA_UNTIL, SERVED_COLUMNS, servedConversaSchema } from './conversa-view.ts'
import {
  type ChangedConversa,
  changedConversaSchema,
  type EndedConversa,
  endedConversaSchema,
  mayReadRow,
  situationSql,
} from './readers.ts'

const lockedConversaSchema = z.extend(servedConversaSchema, {
  ordem: z.number(),
  repetida: z.nullable(z.string()),
  repetida_de: z.nullable(z.string()),
  janela_ate: z.nullable(z.date()),
  /** The greatest id of a message of the contato. */
  ultimo_id: z.nullable(z.string()),
  /** The last message promised to the contato. */
  ultima_saida: z.nullable(z.string()),
  situacao: situacaoSchema,
})
export type LockedConversa = Omit<z.output<typeof lockedConversaSchema>, 'ordem'>

const LOCK_CONTATOS = `
select c.id from contatos c where c.conta_id = $1 and c.id = any (array(
  select v.contato_id from conversas v where v.conta_id = $1 and v.id = any ($2::uuid[]) and v.protocolo is not null
)) order by c.id for no key update`

/** Locks the contatos of these conversas in id order, which prevents a deadlock between two batches. */
export async function lockContatosOf(tx: Tx, contaId: string, conversaIds: readonly string[]): Promise<void> {
  await tx.queryNamed('conversas-travar', LOCK_CONTATOS, [contaId, plainArray(conversaIds)])
}

const READ_LOCKED = `
select p.ordem::int as ordem, ${SERVED_COLUMNS}, r.id as repetida, r.operador_id as repetida_de, c.ultimo_id, c.ultima_saida,
  ${situationSql('v.')} as situacao, ${JANELA_UNTIL}
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
  readonly operador: ConversaReader
}

/**
 * Locks the contatos of these conversas, in the order that customer messages also use, and reads their current
 * state. `repetida` is the mensagem stored under this `idTemporario`, `repetida_de` its operador. Returns null at
 * the position of a conversa that is unknown, of another conta, of the bot, or closed to the operador.
 */
export async function lockConversas(
  tx: Tx,
  contaId: string,
  requests: readonly LockRequest[],
): Promise<(LockedConversa | null)[]> {
  const NO_ID = '00000000-0000-0000-0000-000000000000'
  const ids = requests.map(({ conversaId }) => (isUuid(conversaId) ? conversaId : NO_ID))
  // Both statements are sent together. The second runs after the first has its locks, so it reads the committed
  // changes of earlier holders.
  const [, { rows }] = await Promise.all([
    lockContatosOf(tx, contaId, ids),
    tx.queryNamed('conversas-conferir', READ_LOCKED, [
      contaId,
      plainArray(ids),
      textArray(requests.map(({ idTemporario }) => idTemporario ?? null)),
    ]),
  ])
  const found = new Map(rows.map((row) => lockedConversaSchema.parse(row)).map((parsed) => [parsed.ordem, parsed]))
  return requests.map(({ operador }, index) => {
    const locked = found.get(index + 1)
    return locked !== undefined && mayReadRow(operador, locked) ? locked : null
  })
}

export async function lockConversa(tx: Tx, contaId: string, request: LockRequest): Promise<LockedConversa | null> {
  const [locked] = await lockConversas(tx, contaId, [request])
  return locked ?? null
}

/**
 * Finishes up to `limit` conversas that only Meta's agent serves and that had no message since `before`. Locks the
 * contatos first, in id order, as every transaction that changes conversas does.
 */
export async function finishQuietAgents(
  tx: Tx,
  contaId: string,
  { before, em, limit }: { readonly before: Date; readonly em: Date; readonly limit: number },
): Promise<EndedConversa[]> {
  const quiet = `v.conta_id = $1 and v.status = 'em_atendimento' and v.agente_meta and v.operador_id is null
    and v.ultima_atividade < $2`
  const { rows: locked } = await tx.query<{ id: string }>(
    `select c.id from contatos c
     where c.conta_id = $1 and c.id in (select v.contato_id from conversas v where ${quiet} limit $3)
     order by c.id for no key update`,
    [contaId, before, limit],
  )
  return tx.rows(
    endedConversaSchema,
    `update conversas v set status = 'finalizada', finalizada_em = $3, motivo_fim = 'agenteMeta', agente_meta = false
     where ${quiet} and v.contato_id = any ($4::uuid[]) returning v.id, v.setor, v.operador_id, v.revisao`,
    [contaId, before, em, locked.map(({ id }) => id)],
  )
}

/**
 * Returns all conversas of an operador to the queue. Locks the contatos first, in id order, as every transaction
 * that changes conversas does.
 */
export async function returnConversas(tx: Tx, contaId: string, operadorId: string): Promise<ChangedConversa[]> {
  await tx.query(
    `select 1 from contatos c where c.conta_id = $1 and c.id in (
       select v.contato_id from conversas v
        where v.conta_id = $1 and v.operador_id = $2 and v.status = 'em_atendimento' and v.protocolo is not null)
      order by c.id for no key update`,
    [contaId, operadorId],
  )
  return tx.rows(
    changedConversaSchema,
    `update conversas set status = 'aguardando', operador_id = null, operador = null, assumida_em = null
     where conta_id = $1 and operador_id = $2 and status = 'em_atendimento' and protocolo is not null
     returning id, ${situationSql('')} as situacao`,
    [contaId, operadorId],
  )
}

interface RehearsalInput {
  readonly id: string
  readonly contatoId: string
  readonly em: Date
}

/**
 * Puts the contato into a finished test conversa, where a rating is expected. Locks the contato first, as every
 * transaction that changes its conversa does. Returns false and changes no row if the contato is waiting or being
 * served.
 */
export async function openRehearsal(tx: Tx, contaId: string, { id, contatoId, em }: RehearsalInput): Promise<boolean> {
  await tx.query('select 1 from contatos where conta_id = $1 and id = $2 for no key update', [contaId, contatoId])
  const { rows } = await tx.query(
    `select 1 from conversas where conta_id = $1 and contato_id = $2 and status in ('aguardando', 'em_atendimento')`,
    [contaId, contatoId],
  )
  if (rows.length > 0) return false
  await tx.query(
    `update conversas set status = 'finalizada', finalizada_em = $3, motivo_fim = 'teste'
      where conta_id = $1 and contato_id = $2 and status = 'bot'`,
    [contaId, contatoId, em],
  )
  await tx.query(
    `insert into conversas (conta_id, id, contato_id, status, teste, iniciada_em, finalizada_em, motivo_fim)
     values ($1, $2, $3, 'finalizada', true, $4, $4, 'teste')`,
    [contaId, id, contatoId, em],
  )
  await tx.query('update contatos set conversa_id = $3 where conta_id = $1 and id = $2', [contaId, contatoId, id])
  return true
}

/** Moves open conversas of these setores to another one. The operador keeps them. */
export async function moveOpenConversas(
  tx: Tx,
  contaId: string,
  setores: readonly string[],
  target: string,
): Promise<ChangedConversa[]> {
  if (setores.length === 0) return []
  return tx.rows(
    changedConversaSchema,
    `update conversas set setor = $3
     where conta_id = $1 and setor = any ($2::text[]) and status in ('aguardando', 'em_atendimento')
     returning id, ${situationSql('')} as situacao`,
    [contaId, setores, target],
  )
}
