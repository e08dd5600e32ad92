import * as z from 'zod/mini'
import type { ConectorTipo } from '@balcao/contract/constants'
import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'
import { completarConfig, configEntradaSchema } from '@balcao/contract/entities/config-entrada'
import type { Deps } from '#deps.ts'

/** A sealed key is longer than a typed one may be. */
const guardadaSchema = z.extend(configEntradaSchema, { gemini: z.object({ apiKey: z.string() }) })

/** For what a version older than a field lacks; everything a person would notice is always stored. */
const COMPLEMENTO = defaultConfig({ conector: 'simulador', agora: '', ano: 2025 })

/** `tabela|coluna|conta|linha`: one place per account, so a restored version opens where it is read. */
function lugar(contaId: string): string {
  return `configuracoes|dados.gemini.apiKey|${contaId}|config`
}

/** The configuration as it is stored: the one key sealed, its second name empty. */
export function paraGuardar({ cofre }: Pick<Deps, 'cofre'>, contaId: string, config: Config): string {
  const { apiKey } = config.gemini
  const selada = apiKey === '' ? '' : cofre.seal(apiKey, lugar(contaId))
  return JSON.stringify({ ...config, gemini: { apiKey: selada }, ia: { ...config.ia, apiKey: '' } })
}

/** What was stored, with its real key under both names. What an older version lacks comes from the defaults. */
export function lerGuardada({ cofre }: Pick<Deps, 'cofre'>, contaId: string, dados: unknown): Config {
  const guardada = guardadaSchema.parse(dados)
  const selada = guardada.gemini.apiKey
  const apiKey = selada === '' ? '' : cofre.open(selada, lugar(contaId))
  const config = completarConfig(COMPLEMENTO, guardada)
  return { ...config, gemini: { apiKey }, ia: { ...config.ia, apiKey } }
}

/** What a new account begins with. */
export function configPadrao(clock: Deps['clock'], conector: ConectorTipo): Config {
  const agora = clock.now()
  return defaultConfig({ conector, agora: agora.toISOString(), ano: agora.getUTCFullYear() })
}
