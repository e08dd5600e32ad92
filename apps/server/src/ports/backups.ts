export interface BackupStatus {
  readonly hours: number
  readonly keep: number
  readonly encrypted: boolean
  readonly running: boolean
  /** The last attempt failed at this instant. Null: it succeeded, or there was none. */
  readonly failedAt: Date | null
  readonly nextAt: Date
}

export interface Backups {
  /** Null: no folder for copies is configured. */
  readonly status: () => Promise<BackupStatus | null>
  /** Starts a copy and returns immediately. Throws `copiaSemPasta` or `copiaEmAndamento`. */
  readonly start: () => void
}
