import { LEASE_S } from './bots-repository.ts'

/** So many rounds may be missed before the renewals count as stuck. */
const VOLTAS_PERDIDAS = 3
/** This node stops speaking before the database lets another one begin. */
const MARGEM_MS = 3_000

/** Until when this node may speak for its accounts, by its own clock: it may have lost the database. */
export interface RelogioDosLeases {
  /** Leases were taken or renewed by a statement that began at `desde`. */
  readonly marcar: (desde: number) => void
  readonly validos: () => boolean
  /** A round of renewals went well. */
  readonly deuVolta: () => void
  /** Whether the renewals have begun and the last good one is not long ago. */
  readonly vivos: () => boolean
}

export function createRelogioDosLeases(renovarMs: number): RelogioDosLeases {
  let ate = 0
  let voltaEm = -Infinity
  return {
    marcar: (desde) => void (ate = desde + LEASE_S * 1_000 - MARGEM_MS),
    validos: () => performance.now() < ate,
    deuVolta: () => void (voltaEm = performance.now()),
    vivos: () => performance.now() - voltaEm < VOLTAS_PERDIDAS * renovarMs,
  }
}
