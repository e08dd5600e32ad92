import type { NotaConversa } from '@balcao/contract/entities/nota'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { ConversaAudience } from '#ports/realtime.ts'
import { AppError } from '#errors.ts'
import { firstIdAt } from '#ids.ts'
import { countNotas, insertNota } from './repository.ts'

export type NotaDeps = Pick<Deps, 'ids' | 'clock' | 'realtime'>

export interface NewNota {
  readonly contaId: string
  readonly conversaId: string
  readonly texto: string
  readonly autor: { readonly id: string; readonly nome: string }
  readonly mencoes?: readonly string[]
  /** Receivers of the event: those who may read the conversa after the transaction. */
  readonly audience: ConversaAudience
}

const DAY_MS = 86_400_000
/** Notas of a conta in 24 hours: 50 people who write 200 each. */
const NOTAS_A_DAY = 10_000

/** Stores a nota and publishes it after the commit. Throws `limitePlano` above 10,000 notas in 24 hours. The caller has checked that the author may read the conversa. */
export async function storeNota(
  tx: Tx,
  { ids, clock, realtime }: NotaDeps,
  { contaId, conversaId, texto, autor, mencoes = [], audience }: NewNota,
): Promise<NotaConversa> {
  const now = clock.now()
  const usado = await countNotas(tx, { contaId, after: firstIdAt(new Date(now.getTime() - DAY_MS)), max: NOTAS_A_DAY })
  if (usado >= NOTAS_A_DAY) {
    const erro = 'Sua loja atingiu o limite de notas de hoje. Tente de novo amanhã.'
    throw new AppError('limitePlano', { erro, usado, limite: NOTAS_A_DAY })
  }
  const nota: NotaConversa = {
    ...{ id: ids.uuid(), texto, autor: autor.nome, autorId: autor.id },
    ...{ mencoes: [...new Set(mencoes)], criadaEm: now.toISOString() },
  }
  await insertNota(tx, { contaId, conversaId, ...nota, criadaEm: now })
  tx.afterCommit(() =>
    realtime.publishConversa(contaId, 'notaConversa', { userId: contaId, conversaId, nota }, audience),
  )
  return nota
}
