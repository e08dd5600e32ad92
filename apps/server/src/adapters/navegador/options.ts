import type { WebLibrary } from './browser/library.ts'
import type { BrowserSlots } from './browser/launch.ts'
import type { ProfileLocks, Profiles } from './browser/profiles.ts'

export interface NavegadorTimings {
  readonly reconnectDelay?: (attempt: number) => number
  readonly loadTimeoutMs?: number
  readonly sendTimeoutMs?: number
  readonly healthCheckMs?: number
  readonly qrLifetimeMs?: number
  readonly unpaced?: boolean
}

export interface WebConnectionOptions extends NavegadorTimings {
  readonly allowedPaths: readonly string[]
  readonly runAsRoot: boolean
  readonly profiles: Profiles
  readonly slots: BrowserSlots
  readonly profileLocks: ProfileLocks
  readonly loadLibrary: () => Promise<WebLibrary>
  readonly maxMemoryBytes?: number
  readonly report: (error: unknown, event: string) => void
}

const DEFAULTS = {
  loadTimeoutMs: 2 * 60_000,
  sendTimeoutMs: 60_000,
  healthCheckMs: 30_000,
  maxMemoryBytes: 1_200 * 2 ** 20,
} as const

export type CompleteWebOptions = WebConnectionOptions & Required<Pick<WebConnectionOptions, keyof typeof DEFAULTS>>

export const completeWebOptions = (options: WebConnectionOptions): CompleteWebOptions => ({ ...DEFAULTS, ...options })
