import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { usarZona } from '#shared/zona.ts'

/** Fallback copy of the configuration, one per account. It never contains keys, not even masked. */

function chaveDaCopia(contaId: string): string {
  return `copia:config:${contaId}`
}

/** Stores the copy. Sets the account's time zone first, before any time is drawn. */
export function guardarCopia(contaId: string, config: ConfigVersionada): void {
  usarZona(config.atendimento.horario.fuso)
  const semChaves = { ...config, gemini: { apiKey: '' }, ia: { ...config.ia, apiKey: '' } }
  try {
    localStorage.setItem(chaveDaCopia(contaId), JSON.stringify(semChaves))
  } catch {
    // Storage is full or blocked: only the fallback is lost.
  }
}

export function lerCopia(contaId: string): ConfigVersionada | null {
  try {
    const lida: unknown = JSON.parse(localStorage.getItem(chaveDaCopia(contaId)) ?? 'null')
    return isCopia(lida) ? lida : null
  } catch {
    return null
  }
}

/** Ignores the copy of an older version that lacks a part. */
function isCopia(valor: unknown): valor is ConfigVersionada {
  if (typeof valor !== 'object' || valor === null) return false
  return ['whatsapp', 'gemini', 'ia', 'menu', 'atendimento', 'versao'].every((parte) => parte in valor)
}
