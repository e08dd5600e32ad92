import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { type ConfigDeps, holdSetor } from '#modules/configuracao/index.ts'
import type { Tx } from '#db/transaction.ts'
import { type ChangeDeps, changeConversa } from './change.ts'
import { findServed, updateTransferred } from '#modules/atendimento/repository.ts'

export function transferConversa(
  deps: ChangeDeps & ConfigDeps,
  { contaId }: LoginSession,
  { id, setor }: { readonly id: string; readonly setor: string },
): Promise<Conversa> {
  return deps.db.transaction(contaId, async (tx) => {
    if ((await findServed(tx, contaId, id)) === null) throw new AppError('naoEncontrado')
    await requireSetor(tx, deps, contaId, setor)
    return changeConversa(
      tx,
      deps,
      { contaId, id },
      {
        event: (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }),
        write: () => updateTransferred(tx, contaId, id, setor),
        publish: () =>
          deps.realtime.publish(contaId, 'conversaTransferida', { userId: contaId, conversaId: id, novoSetor: setor }),
      },
    )
  })
}

/** Holds the setor until the transaction ends. A switched-off setor is accepted. Throws `setorDesconhecido`. */
export async function requireSetor(tx: Tx, deps: ConfigDeps, contaId: string, setorId: string): Promise<Setor> {
  const setor = await holdSetor(tx, deps, contaId, setorId)
  if (setor === null) throw new AppError('setorDesconhecido')
  return setor
}
