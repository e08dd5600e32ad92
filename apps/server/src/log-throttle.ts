import { LRUCache } from 'lru-cache'

const SHOWN_PER_WINDOW = 10
const WINDOW_MS = 60_000
/** Kinds tracked at the same time. Above this number the oldest window closes early. */
const KINDS_MAX = 500

/** Two lines are of one kind when level, text and origin of the error are equal. */
export interface LogLine {
  readonly level: number
  readonly text: string
  readonly error: Error | null
}

interface LogWindow {
  readonly line: LogLine
  readonly since: Date
  readonly timer: NodeJS.Timeout
  seen: number
}

interface LogThrottle {
  readonly passes: (line: LogLine) => boolean
  readonly close: () => void
}

/**
 * Limits repeated log lines, so that a recurring fault cannot fill the disk. The first ten lines of a kind pass per
 * minute; then `report` receives the number of suppressed lines. The timers do not keep the process alive.
 */
export function createLogThrottle(
  report: (line: LogLine, suppressed: number, since: Date) => void,
  windowMs: number = WINDOW_MS,
): LogThrottle {
  const windows = new LRUCache<string, LogWindow>({
    max: KINDS_MAX,
    // After the removal, because `report` writes a line that passes through here again.
    disposeAfter: ({ line, seen, since, timer }) => {
      clearTimeout(timer)
      if (seen > SHOWN_PER_WINDOW) report(line, seen - SHOWN_PER_WINDOW, since)
    },
  })

  return {
    passes: (line) => {
      // Lines without text and error are never counted as repeated.
      if (line.text === '' && line.error === null) return true
      const kind = kindOf(line)
      const open = windows.peek(kind)
      if (open !== undefined) {
        open.seen += 1
        return open.seen <= SHOWN_PER_WINDOW
      }
      const timer = setTimeout(() => windows.delete(kind), windowMs).unref()
      windows.set(kind, { line, since: new Date(), timer, seen: 1 })
      return true
    },
    close: () => {
      for (const kind of [...windows.rkeys()]) windows.delete(kind)
    },
  }
}

/** Error messages are excluded, because they may contain a number that differs each time. */
function kindOf({ level, text, error }: LogLine): string {
  if (error === null) return `${level}|${text}`
  const code = 'code' in error ? String(error.code) : ''
  const frame = /^\s+at .*$/m.exec(error.stack ?? '')?.[0] ?? ''
  return `${level}|${text}|${error.name}|${code}|${frame}`
}
