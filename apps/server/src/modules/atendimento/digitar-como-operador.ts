import type { Deps } from '#deps.ts'
import type { Sessao } from '#http/authentication.ts'
import { exigirAberta, exigirMinha } from './mudar-conversa.ts'

/** The customer sees that somebody writes. Not in a test conversation: there is no phone. */
export async function digitarComoOperador(
  { db, bots }: Pick<Deps, 'db' | 'bots'>,
  { contaId, usuarioId }: Sessao,
  id: string,
): Promise<void> {
  const aberta = await db.read(contaId, (tx) => exigirAberta(tx, contaId, id))
  exigirMinha(aberta, usuarioId)
  if (!aberta.teste) bots.digitando(contaId, aberta.endereco)
}
