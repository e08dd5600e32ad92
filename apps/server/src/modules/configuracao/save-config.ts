import type { ConectorTipo } from '@balcao/contract/connectors'
import type { Config, VersionedConfig, Setor } from '@balcao/contract/entities/config'
import { completeConfig, type ConfigInput } from '@balcao/contract/entities/config-input'
import type { LinhaConfig, VersionedLinhaConfig } from '@balcao/contract/entities/linha'
import type { LineKey } from '#ports/bots.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession, RequestSession } from '#http/authentication.ts'
import { changeConfig, changeConfigIn, type ConfigDeps } from './change-config.ts'
import { loadConfig, readLimits } from './repository.ts'
import { LINE_ZONE_PATH, mergeConfig, NO_SECTION, writableSectionsOf } from './rules.ts'
import { requireDatabaseZone } from './time-zones.ts'

export interface ForcedSave {
  readonly forcar?: 'true' | 'false' | undefined
  readonly motivo?: string | undefined
}

/** Null: not forced. Throws `dadosInvalidos` without a reason. */
export function forcedReason({ forcar, motivo = '' }: ForcedSave): string | null {
  if (forcar !== 'true') return null
  const mensagem = 'Escreva o motivo de salvar sem passar na prova.'
  if (motivo === '')
    throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'motivo', mensagem }] })
  return motivo
}

/** Sections the session may not write keep their stored values. Throws `semPermissao` if it may write none. */
export async function saveConfig(
  deps: ConfigDeps,
  session: RequestSession,
  input: ConfigInput,
  forced: ForcedSave = {},
): Promise<VersionedConfig> {
  const allowed = writableSectionsOf(session)
  if (!Object.values(allowed).includes(true)) throw new AppError('semPermissao')
  return changeConfig(deps, {
    session,
    allowed,
    versao: input.versao ?? null,
    motivo: forcedReason(forced),
    compose: ({ config, linhas }) => ({ config: completeConfig(config, input), linhas }),
  })
}

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

/** A setor with an unknown id is new and gets an id from its name. */
export async function saveSetores(
  deps: ConfigDeps,
  session: RequestSession,
  change: (current: readonly Setor[]) => Setor[],
  versao: number | null = null,
): Promise<VersionedConfig> {
  const allowed = writableSectionsOf(session)
  if (!allowed.atendimento) throw new AppError('semPermissao')
  return changeConfig(deps, {
    session,
    allowed,
    versao,
    compose: ({ config, linhas }) => ({
      config: { ...config, atendimento: { ...config.atendimento, setores: change(config.atendimento.setores) } },
      linhas,
    }),
  })
}

/** The connector of the main line is a setting of the account. */
export async function saveMainConector(
  tx: Tx,
  deps: ConfigDeps,
  session: RequestSession,
  conector: ConectorTipo,
): Promise<void> {
  await changeConfigIn(tx, deps, {
    session,
    allowed: { ...NO_SECTION, whatsapp: true },
    versao: null,
    compose: ({ config, linhas }) => ({ config: { ...config, whatsapp: { ...config.whatsapp, conector } }, linhas }),
  })
}

interface LineConfigInput {
  readonly linhaId: string
  readonly sections: LinhaConfig
  readonly versao: number
}

/** Saves the sections of one line as a new version of the settings. `check` runs under the lock of the conta. */
export async function saveLineConfig(
  deps: ConfigDeps,
  session: RequestSession,
  { linhaId, sections, versao }: LineConfigInput,
  check: (tx: Tx) => Promise<void>,
): Promise<VersionedLinhaConfig> {
  await changeConfig(deps, {
    session,
    allowed: NO_SECTION,
    versao,
    linhaId,
    compose: async ({ config, linhas }, tx) => {
      await check(tx)
      if (sections.horario !== null) await requireDatabaseZone(tx, sections.horario.fuso, LINE_ZONE_PATH)
      return { config, linhas: { ...linhas, [linhaId]: sections } }
    },
  })
  return deps.db.transaction(session.contaId, (tx) => readLineConfig(tx, deps, { contaId: session.contaId, linhaId }))
}

/** All null for a line that follows the account. */
export async function readLineConfig(
  tx: Tx,
  deps: Pick<ConfigDeps, 'vault'>,
  { contaId, linhaId }: LineKey,
): Promise<VersionedLinhaConfig> {
  const { linhas, versao } = await loadConfig(tx, deps, contaId)
  return { ...(linhas[linhaId] ?? AS_THE_ACCOUNT), versao }
}

const AS_THE_ACCOUNT: LinhaConfig = { menu: null, horario: null, iaAtiva: null }
