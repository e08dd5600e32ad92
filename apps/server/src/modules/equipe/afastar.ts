import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { devolverAFila } from '#modules/atendimento/index.ts'
import { revokeSessoes } from '#modules/auth/index.ts'

export type SairDeps = Pick<Deps, 'clock' | 'realtime' | 'forgetSessions'>

export async function afastar(tx: Tx, deps: SairDeps, contaId: string, operadorId: string): Promise<void> {
  await revokeSessoes(tx, deps, { usuarioId: operadorId })
  await devolverAFila(tx, deps, contaId, operadorId)
}
