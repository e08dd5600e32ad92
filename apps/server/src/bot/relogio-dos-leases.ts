import { LEASE_S } from './bots-repository.ts'

/** Missed rounds after which the renewals count as stuck. */
const VOLTAS_PERDIDAS = 3
/** This node stops sending 3 s before its lease expires in the database. */
const MARGEM_MS = 3_000

/** Tracks on the local clock how long this node's leases are valid, because the database may be unreachable. */
export interface RelogioDosLeases {
  readonly marcar: (desde: number) => void
  readonly validos: () => boolean
  readonly deuVolta: () => void
  /** True when the last successful round is recent. False before the first one. */
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
