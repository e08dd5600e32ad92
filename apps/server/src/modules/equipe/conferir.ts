import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { conferirSetores } from './rules.ts'

/** The sectors asked for, each once. Throws `setorDesconhecido`. The account is locked before: no sector goes away meanwhile. */
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
