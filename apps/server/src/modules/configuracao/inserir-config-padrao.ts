import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { configPadrao } from './armazenado.ts'
import { type Autor, insertVersao } from './repository.ts'

export async function insertDefaultConfig(
  tx: Tx,
  deps: Pick<Deps, 'cofre' | 'clock' | 'settings'>,
  contaId: string,
  autor: Autor,
): Promise<void> {
  const config = configPadrao(deps.clock, deps.settings.conectorPadrao)
  await insertVersao(tx, deps, contaId, { config, versao: 1, autor })
}
