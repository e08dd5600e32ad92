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
  readonly passes: (linha: LogLine) => boolean
  readonly close: () => void
}

/**
 * Limits repeated log lines, so that a recurring fault cannot fill the disk. The first ten lines of a kind pass per
 * minute; then `contar` receives the number of suppressed lines. The timers do not keep the process alive.
 */
export function createLogThrottle(
  report: (linha: LogLine, caladas: number, desde: Date) => void,
  windowMs: number = WINDOW_MS,
): LogThrottle {
  const windows = new Map<string, LogWindow>()

  const finish = (tipo: string): void => {
    const janela = windows.get(tipo)
    if (janela === undefined) return
    windows.delete(tipo)
    clearTimeout(janela.timer)
    if (janela.seen > SHOWN_PER_WINDOW) report(janela.line, janela.seen - SHOWN_PER_WINDOW, janela.since)
  }

  return {
    passes: (linha) => {
      // Lines without text and error are never counted as repeated.
      if (linha.text === '' && linha.error === null) return true
      const tipo = kindOf(linha)
      const janela = windows.get(tipo)
      if (janela !== undefined) {
        janela.seen += 1
        return janela.seen <= SHOWN_PER_WINDOW
      }
      if (windows.size >= KINDS_MAX) finish(windows.keys().next().value ?? '')
      const fim = setTimeout(() => finish(tipo), windowMs).unref()
      windows.set(tipo, { line: linha, since: new Date(), timer: fim, seen: 1 })
      return true
    },
    close: () => {
      for (const tipo of windows.keys()) finish(tipo)
    },
  }
}

/** Error messages are excluded, because they may contain a number that differs each time. */
function kindOf({ level, text, error }: LogLine): string {
  if (error === null) return `${level}|${text}`
  const codigo = 'code' in error ? String(error.code) : ''
  const frame = /^\s+at .*$/m.exec(error.stack ?? '')?.[0] ?? ''
  return `${level}|${text}|${error.name}|${codigo}|${frame}`
}
