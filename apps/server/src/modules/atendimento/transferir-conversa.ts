import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { type ConfigDeps, holdSetor } from '#modules/configuracao/index.ts'
import type { Tx } from '#db/transaction.ts'
import { type MudarDeps, mudarConversa } from './mudar-conversa.ts'
import { findAtendida, transferConversa } from './repository.ts'

export function transferirConversa(
  deps: MudarDeps & ConfigDeps,
  { contaId }: Sessao,
  { id, setor }: { readonly id: string; readonly setor: string },
): Promise<Conversa> {
  return deps.db.transaction(contaId, async (tx) => {
    if ((await findAtendida(tx, contaId, id)) === null) throw new AppError('naoEncontrado')
    await exigirSetor(tx, deps, contaId, setor)
    return mudarConversa(
      tx,
      deps,
      { contaId, id },
      {
        evento: (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }),
        gravar: () => transferConversa(tx, contaId, id, setor),
        publicar: () =>
          deps.realtime.publish(contaId, 'conversaTransferida', { userId: contaId, conversaId: id, novoSetor: setor }),
      },
    )
  })
}

/** Holds the setor until the transaction ends. A switched-off setor is accepted. Throws `setorDesconhecido`. */
export async function exigirSetor(tx: Tx, deps: ConfigDeps, contaId: string, setorId: string): Promise<Setor> {
  const setor = await holdSetor(tx, deps, contaId, setorId)
  if (setor === null) throw new AppError('setorDesconhecido')
  return setor
}
