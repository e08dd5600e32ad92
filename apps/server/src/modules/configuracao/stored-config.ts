import * as z from 'zod/mini'
import type { ConectorTipo } from '@balcao/contract/connectors'
import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'
import { completeConfig, configInputSchema } from '@balcao/contract/entities/config-input'
import { type LinhaConfig, linhaConfigSchema } from '@balcao/contract/entities/linha'
import { clientIdOf } from '@balcao/contract/text/client-id'
import type { Deps } from '#deps.ts'

/** By the id of a line, the sections that it has for itself. */
export type LineSections = Readonly<Record<string, LinhaConfig>>

/** Contains real secrets. Must not leave the server. */
export interface WholeConfig {
  readonly config: Config
  readonly linhas: LineSections
}

/** The sealed key is longer than the input limit. */
const storedSchema = z.extend(configInputSchema, {
  gemini: z.object({ apiKey: z.string() }),
  linhas: z._default(z.record(z.string(), linhaConfigSchema), {}),
})

const MISSING_FIELD_DEFAULTS = defaultConfig({ conector: 'simulador', now: '', year: 2025 })

function sealContext(contaId: string): string {
  return `configuracoes|dados.gemini.apiKey|${contaId}|config`
}

export function serializeConfig(
  { vault }: Pick<Deps, 'vault'>,
  contaId: string,
  { config, linhas }: WholeConfig,
): string {
  const { apiKey } = config.gemini
  const sealed = apiKey === '' ? '' : vault.seal(apiKey, sealContext(contaId))
  const own = Object.keys(linhas).length === 0 ? {} : { linhas }
  return JSON.stringify({ ...config, ...own, gemini: { apiKey: sealed }, ia: { ...config.ia, apiKey: '' } })
}

/** A key that cannot be read counts as missing, so that the owner can save it again and the menu goes on. */
export function parseStoredConfig({ vault }: Pick<Deps, 'vault'>, contaId: string, stored: unknown): WholeConfig {
  const guardada = storedSchema.parse(stored)
  const sealed = guardada.gemini.apiKey
  const apiKey = sealed === '' ? '' : (vault.tryOpen(sealed, sealContext(contaId)) ?? '')
  const config = completeConfig(MISSING_FIELD_DEFAULTS, guardada)
  return { config: { ...config, gemini: { apiKey }, ia: { ...config.ia, apiKey } }, linhas: guardada.linhas }
}

/** The Client ID only names the connection, so the name of the company serves until the owner chooses another. */
export function newContaConfig(
  clock: Deps['clock'],
  { conector, empresa }: { readonly conector: ConectorTipo; readonly empresa: string },
): Config {
  const now = clock.now()
  const config = defaultConfig({ conector, now: now.toISOString(), year: now.getUTCFullYear() })
  const clientId = empresa.trim() === '' ? '' : clientIdOf(empresa)
  return { ...config, whatsapp: { ...config.whatsapp, clientId } }
}
