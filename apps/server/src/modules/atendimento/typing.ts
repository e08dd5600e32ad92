import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { requireOpen, requireOwn } from './conversa/change.ts'

/** Shows "typing" to the customer. A test conversa has no phone, so it is skipped. */
export async function signalTyping(
  { db, bots }: Pick<Deps, 'db' | 'bots'>,
  { contaId, usuarioId }: LoginSession,
  id: string,
): Promise<void> {
  const open = await db.read(contaId, (tx) => requireOpen(tx, { contaId, id }))
  requireOwn(open, usuarioId)
  if (!open.teste) bots.typing(contaId, open.endereco)
}
