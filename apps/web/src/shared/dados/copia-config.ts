import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { usarZona } from '#shared/zona.ts'

/**
 * The fallback copy of the configuration, one per account (spec §3, last paragraph of the table).
 * Keys never enter it, not even masked (decisions §2).
 */

function chaveDaCopia(contaId: string): string {
  return `copia:config:${contaId}`
}

/** Keeps the copy of what the server gave; hours are told in its zone before anything of it is drawn. */
export function guardarCopia(contaId: string, config: ConfigVersionada): void {
  usarZona(config.atendimento.horario.fuso)
  const semChaves = { ...config, gemini: { apiKey: '' }, ia: { ...config.ia, apiKey: '' } }
  try {
    localStorage.setItem(chaveDaCopia(contaId), JSON.stringify(semChaves))
  } catch {
    // A full or forbidden storage costs the fallback, nothing else.
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

/** The copy was written by this panel; an older one that lacks a part is left aside. It is shown, never saved. */
function isCopia(valor: unknown): valor is ConfigVersionada {
  if (typeof valor !== 'object' || valor === null) return false
  return ['whatsapp', 'gemini', 'ia', 'menu', 'atendimento', 'versao'].every((parte) => parte in valor)
}
