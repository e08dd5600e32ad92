import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { Deps } from '#deps.ts'
import { maskedConfig } from './change-config.ts'
import { loadConfig } from './repository.ts'

export async function readConfig(deps: Pick<Deps, 'db' | 'vault'>, contaId: string): Promise<VersionedConfig> {
  return maskedConfig(await deps.db.transaction(contaId, (tx) => loadConfig(tx, deps, contaId)))
}
