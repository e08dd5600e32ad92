import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { type Situacao, situacaoSchema } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { situationSql } from '#modules/conversas/readers.ts'

/** Acts of an operador on the row of an open conversa. */

interface TakeInput {
  readonly id: string
  readonly operadorId: string
  readonly operador: string
  readonly em: Date
}

/** Runs an update of one row. Returns the `situacao` after it, or null when no row matched. */
export async function updateOne(tx: Tx, name: string, update: string, values: unknown[]): Promise<Situacao | null> {
  const { rows } = await tx.queryNamed(name, `${update} returning ${situationSql('')} as situacao`, values)
  return z.nullable(situacaoSchema).parse(rows[0]?.['situacao'] ?? null)
}

/**
 * Returns null if another operador has it, if it is finished, or if the operador is inactive. The shared lock on
 * `usuarios` orders this against a deactivation. Taking an own conversa again keeps the first time. A conversa of
 * Meta's agent has waited for no person, so its wait begins now.
 */
export async function updateTaken(
  tx: Tx,
  contaId: string,
  { id, operadorId, operador, em }: TakeInput,
): Promise<Situacao | null> {
  return updateOne(
    tx,
    'conversa-assumir',
    `update conversas set status = 'em_atendimento', operador_id = $3, operador = $4, nao_lidas = 0,
       agente_meta = false, aguardando_desde = coalesce(aguardando_desde, $5),
       assumida_em = case when operador_id = $3 then coalesce(assumida_em, $5) else $5 end
     where conta_id = $1 and id = $2
       and (status = 'aguardando'
         or (status = 'em_atendimento' and (operador_id = $3 or (operador_id is null and agente_meta))))
       and exists (
         select 1 from usuarios u
         where u.conta_id = $1 and u.id = $3 and u.status = 'ativo' and u.excluido_em is null for share)`,
    [contaId, id, operadorId, operador, em],
  )
}

/** Puts the conversa back in the queue of the other setor and keeps its original waiting time. */
export async function updateTransferred(tx: Tx, contaId: string, id: string, setor: string): Promise<Situacao | null> {
  return updateOne(
    tx,
    'conversa-transferir',
    `update conversas set status = 'aguardando', setor = $3, operador_id = null, operador = null, assumida_em = null,
       agente_meta = false, aguardando_desde = coalesce(aguardando_desde, now())
     where conta_id = $1 and id = $2 and status in ('aguardando', 'em_atendimento')`,
    [contaId, id, setor],
  )
}

interface TransferToOperador {
  readonly id: string
  /** Null keeps the setor. */
  readonly setor: string | null
  readonly operadorId: string
  readonly em: Date
  /** The usuario who transfers. Null for the owner, who may also transfer conversas of others. */
  readonly from: string | null
}

/**
 * Gives the conversa to an operador. Returns null if the operador is inactive, does not serve the setor or has the
 * conversa already, or if the conversa is finished or served by another operador than `from`.
 */
export async function updateTransferredTo(
  tx: Tx,
  contaId: string,
  { id, setor, operadorId, em, from }: TransferToOperador,
): Promise<Situacao | null> {
  return updateOne(
    tx,
    'conversa-transferir-para',
    `with alvo as materialized (
       select u.id, u.nome, u.setores from usuarios u
       where u.conta_id = $1 and u.id = $4 and u.status = 'ativo' and u.excluido_em is null for share
     )
     update conversas v set status = 'em_atendimento', setor = coalesce($3, v.setor), operador_id = alvo.id,
       operador = alvo.nome, assumida_em = $5, agente_meta = false, aguardando_desde = coalesce(v.aguardando_desde, $5)
     from alvo where v.conta_id = $1 and v.id = $2
       and (v.status = 'aguardando' or (v.status = 'em_atendimento' and v.operador_id is distinct from $4
         and ($6::uuid is null or v.operador_id is null or v.operador_id = $6)))
       and (alvo.setores = '[]' or alvo.setores ? coalesce($3, v.setor, '${SETOR_GERAL}')
         or coalesce($3, v.setor, '${SETOR_GERAL}') = '${SETOR_GERAL}')`,
    [contaId, id, setor, operadorId, em, from],
  )
}

interface ReleaseInput {
  readonly id: string
  readonly em: Date
  /** The operador who gives it up. Null for the owner, who may return every conversa. */
  readonly from: string | null
}

/**
 * Puts the conversa back in the queue of its setor, where it waits since now for a first answer. Returns null if it is not
 * of `from`.
 */
export async function updateReleased(
  tx: Tx,
  contaId: string,
  { id, em, from }: ReleaseInput,
): Promise<Situacao | null> {
  return updateOne(
    tx,
    'conversa-soltar',
    `update conversas set status = 'aguardando', operador_id = null, operador = null, assumida_em = null,
       agente_meta = false, aguardando_desde = case when status = 'aguardando' then aguardando_desde else $3 end,
       primeira_resposta_em = case when status = 'aguardando' then primeira_resposta_em end
     where conta_id = $1 and id = $2 and status in ('aguardando', 'em_atendimento')
       and ($4::uuid is null or operador_id = $4)`,
    [contaId, id, em, from],
  )
}

interface FinishInput {
  readonly id: string
  readonly em: Date
  readonly motivo: 'atendente' | 'devolvida' | 'inatividade'
}

export async function updateFinished(
  tx: Tx,
  contaId: string,
  { id, em, motivo }: FinishInput,
): Promise<Situacao | null> {
  return updateOne(
    tx,
    'conversa-finalizar',
    `update conversas set status = 'finalizada', finalizada_em = $3, ultima_atividade = $3, motivo_fim = $4,
       agente_meta = false
     where conta_id = $1 and id = $2 and status in ('aguardando', 'em_atendimento')`,
    [contaId, id, em, motivo],
  )
}
