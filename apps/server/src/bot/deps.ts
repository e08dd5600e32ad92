import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Connectors, SessionHost } from '@balcao/connector/port'
import type { Deps } from '#deps.ts'
import type { Ai, ReadMidia } from '#ports/ai.ts'
import type { Embeddings } from '#ports/fontes/embeddings.ts'
import type { Bus, Leader } from '#ports/bus.ts'
import type { SimulatedPhones } from '#ports/simulador.ts'
import type { CrashPoints } from '#lib/crash-points.ts'

export interface BotFiles {
  readonly store: (contaId: string, bytes: Uint8Array, name: string) => Promise<Midia>
  readonly read: (contaId: string, url: string) => ReturnType<SessionHost['readMedia']>
}

export interface BotDeps extends Pick<
  Deps,
  'db' | 'reservedDb' | 'clock' | 'ids' | 'log' | 'metrics' | 'vault' | 'mailQueued' | 'realtime' | 'settings' | 'fleet'
> {
  readonly bus: Bus
  /** Absent: this process does the work that one node does for all. */
  readonly leader?: Leader
  readonly ai: Ai
  /** Absent: the sources of an account are searched by words alone. */
  readonly embeddings?: Embeddings
  readonly readMidia?: ReadMidia
  readonly files?: BotFiles
  readonly connectors: Connectors
  readonly phones: SimulatedPhones
  /**
   * Deletes a line's link data outside the database, such as a browser profile. Called while no session runs on
   * this node.
   */
  readonly eraseOutside?: (linhaId: string) => Promise<void>
  /** The stored webhook events of a line were not read yet. Its session on this node reads them. */
  readonly inboundArrived?: (linhaId: string) => void
  readonly crashPoint: CrashPoints
  readonly timings?: BotTimings
}

export interface LeavingPlan {
  /** How long requests are served after the node became not ready, so that a proxy notices. */
  readonly waitMs: number
  readonly drainMs: number
}

export interface BotTimings {
  readonly renewMs?: number
  readonly searchMs?: number
  readonly notifyMs?: number
  readonly expireMs?: number
  readonly pollMs?: number
  readonly resendMs?: number
  readonly unheldMs?: number
  readonly balanceMs?: number
  readonly machinesMs?: number
  readonly unlinkMs?: number
  readonly startsPerS?: number
  readonly retryWaitsMs?: readonly number[]
  readonly sendTimeoutMs?: number
  /** How long a stop waits for queued messages before it releases the leases. */
  readonly drainMs?: number
}
