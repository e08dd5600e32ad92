import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { newContaConfig } from './stored-config.ts'
import { type ConfigAuthor, insertVersao } from './repository.ts'

export async function insertDefaultConfig(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'clock' | 'settings'>,
  contaId: string,
  author: ConfigAuthor,
): Promise<void> {
  const config = newContaConfig(deps.clock, deps.settings.conectorPadrao)
  await insertVersao(tx, deps, contaId, { config, versao: 1, autor: author })
}
