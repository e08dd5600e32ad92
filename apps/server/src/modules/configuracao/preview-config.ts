import type { Config } from '@balcao/contract/entities/config'
import { completeConfig, type ConfigInput } from '@balcao/contract/entities/config-input'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import type { ConfigDeps } from './change-config.ts'
import { readLimits } from './repository.ts'
import { mergeConfig, writableSectionsOf } from './rules.ts'

/**
 * The settings as a save of `input` would leave them. Stores nothing. Throws the errors of a save, except those of an
 * outdated version.
 */
export async function previewConfig(
  tx: Tx,
  deps: Pick<ConfigDeps, 'clock' | 'conectores'>,
  {
    session,
    current,
    input,
  }: { readonly session: LoginSession; readonly current: Config; readonly input: ConfigInput },
): Promise<Config> {
  const limits = await readLimits(tx, { contaId: session.contaId })
  if (limits === null) throw new AppError('naoEncontrado')
  const requested = completeConfig(current, input)
  const merged = mergeConfig(current, requested, writableSectionsOf(session), limits, {
    agora: deps.clock.now(),
    conectores: deps.conectores,
  })
  return merged.config
}
