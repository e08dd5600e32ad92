import type { NotaConversa } from '@balcao/contract/entities/nota'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { ConversaAudience } from '#ports/realtime.ts'
import { insertNota } from './repository.ts'

export type NotaDeps = Pick<Deps, 'ids' | 'clock' | 'realtime'>

export interface NewNota {
  readonly contaId: string
  readonly conversaId: string
  readonly texto: string
  readonly autor: { readonly id: string; readonly nome: string }
  /** Ids of people who may read the conversa. */
  readonly mencoes?: readonly string[]
  /** Receivers of the event: those who may read the conversa after the transaction. */
  readonly audience: ConversaAudience
}

/** Stores a nota and publishes it after the commit. The caller has checked that the author may read the conversa. */
export async function storeNota(
  tx: Tx,
  { ids, clock, realtime }: NotaDeps,
  { contaId, conversaId, texto, autor, mencoes = [], audience }: NewNota,
): Promise<NotaConversa> {
  const nota: NotaConversa = {
    ...{ id: ids.uuid(), texto, autor: autor.nome, autorId: autor.id },
    ...{ mencoes: [...new Set(mencoes)], criadaEm: clock.now().toISOString() },
  }
  await insertNota(tx, contaId, conversaId, nota)
  tx.afterCommit(() =>
    realtime.publishConversa(contaId, 'notaConversa', { userId: contaId, conversaId, nota }, audience),
  )
  return nota
}
