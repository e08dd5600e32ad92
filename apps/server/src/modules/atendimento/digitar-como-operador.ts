import type { Deps } from '#deps.ts'
import type { Sessao } from '#http/authentication.ts'
import { exigirAberta, exigirMinha } from './mudar-conversa.ts'

/** Shows "typing" to the customer. A test conversa has no phone, so it is skipped. */
export async function digitarComoOperador(
  { db, bots }: Pick<Deps, 'db' | 'bots'>,
  { contaId, usuarioId }: Sessao,
  id: string,
): Promise<void> {
  const aberta = await db.read(contaId, (tx) => exigirAberta(tx, contaId, id))
  exigirMinha(aberta, usuarioId)
  if (!aberta.teste) bots.digitando(contaId, aberta.endereco)
}
