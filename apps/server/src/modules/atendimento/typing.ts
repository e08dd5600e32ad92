import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { refOf, requireOpen, requireOwn } from './conversa/change.ts'

/** A test conversa has no phone. */
export async function signalTyping(
  { db, bots }: Pick<Deps, 'db' | 'bots'>,
  session: LoginSession,
  id: string,
): Promise<void> {
  const { contaId, usuarioId } = session
  const open = await db.read(contaId, (tx) => requireOpen(tx, refOf(session, id)))
  requireOwn(open, usuarioId)
  if (!open.teste) bots.typing(contaId, open.endereco)
}
