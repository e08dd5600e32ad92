import type { Situacao } from '@balcao/contract/entities/conversa'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { type ChangedConversa, changedConversaSchema, situationSql } from '#modules/conversas/readers.ts'
import { updateOne } from './operador-acts.ts'

interface AssignInput {
  readonly id: string
  readonly operadorId: string
  readonly operador: string
  readonly em: Date
}

/** Gives a waiting conversa to a person, who has not read it. Returns null if it does not wait. */
export function updateAssigned(
  tx: Tx,
  contaId: string,
  { id, operadorId, operador, em }: AssignInput,
): Promise<Situacao | null> {
  return updateOne(
    tx,
    'conversa-atribuir',
    `update conversas set status = 'em_atendimento', operador_id = $3, operador = $4, assumida_em = $5,
       aguardando_desde = coalesce(aguardando_desde, $5)
     where conta_id = $1 and id = $2 and status = 'aguardando'`,
    [contaId, id, operadorId, operador, em],
  )
}

/**
 * Returns those of these conversas to the queue that the operador serves and in which no person wrote since. The
 * contatos must be locked.
 */
export function releaseUnanswered(
  tx: Tx,
  contaId: string,
  operadorId: string,
  conversaIds: readonly string[],
): Promise<ChangedConversa[]> {
  return tx.rows(
    changedConversaSchema,
    `update conversas v set status = 'aguardando', operador_id = null, operador = null, assumida_em = null
     where v.conta_id = $1 and v.operador_id = $2 and v.status = 'em_atendimento' and v.id = any ($3::uuid[])
       and v.protocolo is not null and not exists (
         select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id and m.criada_em >= v.assumida_em
           and ((m.origem = 'operador' and m.operador_id = $2)
             or (m.origem = 'telefone' and m.extras ->> 'agenteMeta' is null)))
     returning v.id, ${situationSql('v.')} as situacao`,
    [contaId, operadorId, plainArray(conversaIds)],
  )
}
