import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

const TAKEN = 1

/** An exclusive lock, held until all processes with this open file closed it or ended. */
export interface FileLock {
  readonly descriptor: number
  /** Processes that inherited the descriptor keep the lock. */
  readonly close: () => void
}

/**
 * Locks a file without waiting. Unlike an abstract socket or a pid, the lock holds across containers that share the
 * folder. Returns `unavailable` on a system without the program `flock`, or on a file system without locks.
 */
export function lockFile(path: string): FileLock | 'taken' | 'unavailable' {
  if (process.platform !== 'linux') return 'unavailable'
  const descriptor = openSync(path, 'a', 0o600)
  // `flock` locks the open file, which it shares with this process, so the lock outlives the program.
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] })
  if (status === 0) return { descriptor, close: () => closeSync(descriptor) }
  closeSync(descriptor)
  return status === TAKEN ? 'taken' : 'unavailable'
}
