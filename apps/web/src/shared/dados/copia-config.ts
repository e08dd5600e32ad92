import { configVersionadaSchema, type ConfigVersionada } from '@balcao/contract/entities/config'

/**
 * The fallback copy of the configuration, one per account (spec §3, last paragraph of the table).
 * Keys never enter it, not even masked (decisions §2).
 */

function chaveDaCopia(contaId: string): string {
  return `copia:config:${contaId}`
}

export function guardarCopia(contaId: string, config: ConfigVersionada): void {
  const semChaves = { ...config, gemini: { apiKey: '' }, ia: { ...config.ia, apiKey: '' } }
  try {
    localStorage.setItem(chaveDaCopia(contaId), JSON.stringify(semChaves))
  } catch {
    // A full or forbidden storage costs the fallback, nothing else.
  }
}

export function lerCopia(contaId: string): ConfigVersionada | null {
  try {
    const lida = configVersionadaSchema.safeParse(JSON.parse(localStorage.getItem(chaveDaCopia(contaId)) ?? 'null'))
    return lida.success ? lida.data : null
  } catch {
    return null
  }
}
