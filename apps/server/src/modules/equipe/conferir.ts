import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { conferirSetores } from './rules.ts'

/**
 * Returns the requested setores without duplicates. Throws `setorDesconhecido`. The caller must hold the lock of
 * the conta, so no setor is removed meanwhile.
 */
export async function exigirSetores(
  tx: Tx,
  deps: Pick<Deps, 'cofre'>,
  contaId: string,
  pedidos: readonly string[],
): Promise<readonly string[]> {
  if (pedidos.length === 0) return []
  const { config } = await loadConfig(tx, deps, contaId)
  const { setores, desconhecidos } = conferirSetores(pedidos, config.atendimento.setores)
  if (desconhecidos.length > 0) throw new AppError('setorDesconhecido', { detalhes: desconhecidos })
  return setores
}
