import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { Deps } from '#deps.ts'
import { mascarada } from './alterar-config.ts'
import { loadConfig } from './repository.ts'

export async function verConfig(deps: Pick<Deps, 'db' | 'cofre'>, contaId: string): Promise<ConfigVersionada> {
  return mascarada(await deps.db.transaction(contaId, (tx) => loadConfig(tx, deps, contaId)))
}
