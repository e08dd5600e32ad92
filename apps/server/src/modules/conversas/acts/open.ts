import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

/** Opens conversas from the panel. The caller locks the contato first, with `lockContato`. */

const openSchema = z.object({
  id: z.string(),
  status: z.enum(['bot', 'aguardando', 'em_atendimento']),
  operador_id: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  agente_meta: z.boolean(),
})
export type OpenConversa = z.output<typeof openSchema>

const contatoSchema = z.object({ ultima_atividade: z.date() })

export interface ContatoToOpen {
  readonly lastActivity: Date
  /** The open conversa, also one of the bot. */
  readonly open: OpenConversa | null
}

/**
 * Locks the contato, as every transaction that changes its conversa does, and reads its open conversa. Returns null for
 * an unknown contato.
 */
export async function lockContato(tx: Tx, contaId: string, contatoId: string): Promise<ContatoToOpen | null> {
  // Two statements: the second reads what earlier holders of the lock committed.
  const [[contato], [open = null]] = await Promise.all([
    tx.rows(contatoSchema, 'select ultima_atividade from contatos where conta_id = $1 and id = $2 for no key update', [
      contaId,
      contatoId,
    ]),
    tx.rows(
      openSchema,
      `select id, status, operador_id, operador, agente_meta from conversas
       where conta_id = $1 and contato_id = $2 and status <> 'finalizada'`,
      [contaId, contatoId],
    ),
  ])
  return contato === undefined ? null : { lastActivity: contato.ultima_atividade, open }
}

interface BotEnd {
  readonly id: string
  readonly em: Date
  /** `reaberta`: a person opened an earlier conversa of the contato again. */
  readonly motivo: 'expirada' | 'reaberta'
}

/** Ends the conversa of the bot, because a person opens another conversa of the contato. */
export async function finishBotConversa(tx: Tx, contaId: string, { id, em, motivo }: BotEnd): Promise<void> {
  await tx.query(
    `update conversas set status = 'finalizada', finalizada_em = $3, motivo_fim = $4
     where conta_id = $1 and id = $2 and status = 'bot'`,
    [contaId, id, em, motivo],
  )
}

export interface OpenInput {
  readonly id: string
  readonly contatoId: string
  readonly setor: string
  readonly protocolo: string
  readonly operadorId: string
  readonly em: Date
}

/** The operador, held until the transaction ends, which orders the act against a deactivation. */
const ACTIVE_OPERADOR = `u as materialized (
  select id, nome from usuarios where conta_id = $1 and id = $2 and status = 'ativo' and excluido_em is null for share
)`

/**
 * Gives the conversa to the operador: the conversa of the bot with this id, or a new one. Returns false if the operador is
 * inactive. The customer has not waited, so the first answer counts as given before the start.
 */
export async function openForOperador(tx: Tx, contaId: string, input: OpenInput): Promise<boolean> {
  const { id, contatoId, setor, protocolo, operadorId, em } = input
  const { rowCount } = await tx.query(
    `with ${ACTIVE_OPERADOR}, v as (
       insert into conversas as v (conta_id, id, contato_id, status, setor, protocolo, operador_id, operador, assumida_em,
         iniciada_em, aguardando_desde, primeira_resposta_em, ultima_atividade)
       select $1, $3, $4, 'em_atendimento', $5, $6, u.id, u.nome, $7, $7, $7, $7::timestamptz - interval '1 second', $7 from u
       on conflict (conta_id, id) do update set status = excluded.status, setor = excluded.setor,
         protocolo = excluded.protocolo, operador_id = excluded.operador_id, operador = excluded.operador,
         assumida_em = excluded.assumida_em, aguardando_desde = excluded.aguardando_desde,
         primeira_resposta_em = excluded.primeira_resposta_em, ultima_atividade = excluded.ultima_atividade
       returning v.id
     )
     update contatos c set conversa_id = v.id from v where c.conta_id = $1 and c.id = $4`,
    [contaId, operadorId, id, contatoId, setor, protocolo, em],
  )
  return rowCount === 1
}

const finishedSchema = z.object({ finalizada_em: z.nullable(z.date()) })

/** Returns when the conversa ended, or null while it is open. */
export async function readEnd(tx: Tx, contaId: string, id: string): Promise<Date | null> {
  const [row] = await tx.rows(finishedSchema, 'select finalizada_em from conversas where conta_id = $1 and id = $2', [
    contaId,
    id,
  ])
  return row?.finalizada_em ?? null
}

export interface ReopenInput {
  readonly id: string
  readonly contatoId: string
  readonly setor: string
  readonly operadorId: string
  readonly em: Date
}

/**
 * Gives the finished conversa to the operador and makes it the current one of the contato. Returns false if it is not
 * finished or the operador is inactive.
 */
export async function reopenForOperador(tx: Tx, contaId: string, input: ReopenInput): Promise<boolean> {
  const { id, contatoId, setor, operadorId, em } = input
  const { rowCount } = await tx.query(
    `with ${ACTIVE_OPERADOR}, v as (
       update conversas v set status = 'em_atendimento', setor = $6, operador_id = u.id, operador = u.nome, assumida_em = $5,
         ultima_atividade = $5, finalizada_em = null, motivo_fim = null, nao_lidas = 0, agente_meta = false
       from u where v.conta_id = $1 and v.id = $3 and v.status = 'finalizada' returning v.id
     )
     update contatos c set conversa_id = v.id from v where c.conta_id = $1 and c.id = $4`,
    [contaId, operadorId, id, contatoId, em, setor],
  )
  return rowCount === 1
}
