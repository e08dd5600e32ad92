import * as z from 'zod/mini'
import type { ConectorTipo } from '@balcao/contract/constants'
import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'
import { completarConfig, configEntradaSchema } from '@balcao/contract/entities/config-entrada'
import type { Deps } from '#deps.ts'

/** The sealed key is longer than the input limit. */
const guardadaSchema = z.extend(configEntradaSchema, { gemini: z.object({ apiKey: z.string() }) })

/** Defaults for fields that an older stored version lacks. */
const COMPLEMENTO = defaultConfig({ conector: 'simulador', agora: '', ano: 2025 })

/**
 * Sealing context `tabela|coluna|conta|linha`. All versions of a conta share one, so a restored version can be
 * opened.
 */
function lugar(contaId: string): string {
  return `configuracoes|dados.gemini.apiKey|${contaId}|config`
}

/** Serialises the configuration with the API key sealed and its second copy empty. */
export function paraGuardar({ cofre }: Pick<Deps, 'cofre'>, contaId: string, config: Config): string {
  const { apiKey } = config.gemini
  const selada = apiKey === '' ? '' : cofre.seal(apiKey, lugar(contaId))
  return JSON.stringify({ ...config, gemini: { apiKey: selada }, ia: { ...config.ia, apiKey: '' } })
}

/** Parses a stored configuration, opens its API key into both fields and fills missing fields with defaults. */
export function lerGuardada({ cofre }: Pick<Deps, 'cofre'>, contaId: string, dados: unknown): Config {
  const guardada = guardadaSchema.parse(dados)
  const selada = guardada.gemini.apiKey
  const apiKey = selada === '' ? '' : cofre.open(selada, lugar(contaId))
  const config = completarConfig(COMPLEMENTO, guardada)
  return { ...config, gemini: { apiKey }, ia: { ...config.ia, apiKey } }
}

export function configPadrao(clock: Deps['clock'], conector: ConectorTipo): Config {
  const agora = clock.now()
  return defaultConfig({ conector, agora: agora.toISOString(), ano: agora.getUTCFullYear() })
}
