import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { returnConversasToQueue } from '#modules/atendimento/index.ts'
import { revokeLoginSessions } from '#modules/auth/index.ts'

export type ReleaseDeps = Pick<Deps, 'clock' | 'realtime' | 'forgetSessions'>

export async function releaseOperador(tx: Tx, deps: ReleaseDeps, contaId: string, operadorId: string): Promise<void> {
  await revokeLoginSessions(tx, deps, { usuarioId: operadorId })
  await returnConversasToQueue(tx, deps, contaId, operadorId)
}
