import * as z from 'zod/mini'
import type { ConectorTipo } from '@balcao/contract/connectors'
import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'
import { completeConfig, configInputSchema } from '@balcao/contract/entities/config-input'
import { type LinhaConfig, linhaConfigSchema } from '@balcao/contract/entities/linha'
import { type ChavesIa, chavesOf, withChaves } from '@balcao/contract/presets/provedores-ia'
import { clientIdOf } from '@balcao/contract/text/client-id'
import type { Deps } from '#deps.ts'
import { mapKeys, NO_KEYS } from './ia/api-key.ts'

/** By the id of a line, the sections that it has for itself. */
export type LineSections = Readonly<Record<string, LinhaConfig>>

/** Contains real secrets. Must not leave the server. */
export interface WholeConfig {
  readonly config: Config
  readonly linhas: LineSections
}

const sealedKey = z._default(z.string(), '')

/** Sealed keys are longer than the input limit. */
const storedSchema = z.extend(configInputSchema, {
  gemini: z.object({ apiKey: z.string() }),
  ia: z.extend(configInputSchema.shape.ia, {
    chaves: z.optional(z.object({ openai: sealedKey, anthropic: sealedKey, compativel: sealedKey })),
  }),
  linhas: z._default(z.record(z.string(), linhaConfigSchema), {}),
})

const MISSING_FIELD_DEFAULTS = defaultConfig({ conector: 'simulador', now: '', year: 2025 })

function sealContext(contaId: string, provedor: keyof ChavesIa): string {
  const place = provedor === 'gemini' ? 'gemini.apiKey' : `ia.chaves.${provedor}`
  return `configuracoes|dados.${place}|${contaId}|config`
}

export function serializeConfig(
  { vault }: Pick<Deps, 'vault'>,
  contaId: string,
  { config, linhas }: WholeConfig,
): string {
  const sealed = mapKeys(chavesOf(config), (key, provedor) =>
    key === '' ? '' : vault.seal(key, sealContext(contaId, provedor)),
  )
  const own = Object.keys(linhas).length === 0 ? {} : { linhas }
  const stored = withChaves(config, sealed)
  return JSON.stringify({ ...stored, ...own, ia: { ...stored.ia, apiKey: '' } })
}

/** A key that cannot be read counts as missing, so that the owner can save it again and the menu goes on. */
export function parseStoredConfig({ vault }: Pick<Deps, 'vault'>, contaId: string, stored: unknown): WholeConfig {
  const guardada = storedSchema.parse(stored)
  const sealed = { ...NO_KEYS, ...guardada.ia.chaves, gemini: guardada.gemini.apiKey }
  const chaves = mapKeys(sealed, (key, provedor) =>
    key === '' ? '' : (vault.tryOpen(key, sealContext(contaId, provedor)) ?? ''),
  )
  const config = withChaves(completeConfig(MISSING_FIELD_DEFAULTS, guardada), chaves)
  return { config, linhas: guardada.linhas }
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
