import { write, writeSync } from 'node:fs'
import { DatabaseError } from 'pg'
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { LRUCache } from 'lru-cache'
import { currentRequest } from './lib/context/current-request.ts'

/** SQLSTATE classes whose error messages quote the rejected data. */
const QUOTES_DATA = /^2[23]/

/** Serializes an error for the log. Database errors keep code, table and stack, but no stored data. */
function serializeError(error: Error): object {
  if (!(error instanceof DatabaseError)) return stdSerializers.err(error)
  const { code = '', table, column, constraint, routine, message, stack = '' } = error
  const sentence = QUOTES_DATA.test(code) ? `database error ${code}` : message
  const frames = stack.slice(Math.max(0, stack.search(/^\s+at /m)))
  return { type: 'DatabaseError', message: sentence, code, table, column, constraint, routine, stack: frames }
}

function parseLogCall(level: number, [first, second]: readonly unknown[]): LogLine {
  if (typeof first === 'string') return { level, text: first, error: null }
  const field = typeof first === 'object' && first !== null && 'err' in first ? first.err : first
  return { level, text: typeof second === 'string' ? second : '', error: field instanceof Error ? field : null }
}

interface LogOptions {
  readonly destination?: DestinationStream
  readonly windowMs?: number
  /** Name of this node, the field `no` of each line. Absent: a command. */
  readonly node?: string
}

/**
 * Creates the JSON log of the process. Repeated lines are limited to ten per minute and kind, followed by one line
 * with their number.
 */
export function createLog(level: string, { destination = new StandardOutput(), windowMs, node }: LogOptions = {}) {
  let reporting = false
  const repeated = createLogThrottle(({ level: lineLevel, text, error }, suppressed, since) => {
    reporting = true
    const fields = { repetidas: suppressed, desde: since, ...(error === null ? {} : { tipo: error.name }) }
    writerAt(log, lineLevel)(fields, text)
    reporting = false
  }, windowMs)
  const options: LoggerOptions = {
    level,
    ...(node === undefined ? {} : { base: { no: node, pid: process.pid } }),
    mixin: (_fields, _level, logger) => requestOf(logger),
    redact: ['req.headers.authorization'],
    serializers: { err: serializeError },
    hooks: {
      logMethod(call, write, lineLevel) {
        if (reporting || repeated.passes(parseLogCall(lineLevel, call))) write.apply(this, call)
      },
    },
  }
  const log = pino(options, destination)
  const flush = (): void => {
    repeated.close()
    if (destination instanceof StandardOutput) destination.flushSync()
  }
  return { log, flush }
}

/** The field `pedido` of a line that a request caused. The loggers of requests have it already. */
function requestOf(logger: Pick<Logger, 'bindings'>): object {
  const pedido = currentRequest()
  return pedido === undefined || 'pedido' in logger.bindings() ? {} : { pedido }
}

function writerAt(log: Logger, level: number): (fields: object, sentence: string) => void {
  if (level >= 50) return (fields, sentence) => log.error(fields, sentence)
  if (level >= 40) return (fields, sentence) => log.warn(fields, sentence)
  return (fields, sentence) => (level >= 30 ? log.info(fields, sentence) : log.debug(fields, sentence))
}

const STDOUT = 1
const WAITING_MAX = 1_000_000
const RETRY_MS = 50
/** About 1 s. */
const FLUSH_RETRIES = 20
const NOTHING = Buffer.alloc(0)

/**
 * Standard output for log lines. Drops lines that cannot be written, as on a full disk, and lines beyond 1 MB that
 * wait for a slow reader. The destination of pino ends the process in the first case, or retries forever in `flushSync`.
 */
class StandardOutput implements DestinationStream {
  #waiting = ''
  #current: Buffer = NOTHING
  #writing = false

  write(line: string): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting += line
    this.#send()
  }

  /** pino calls it after a fatal line. */
  flushSync(): void {
    // The running write still delivers its part.
    let rest = Buffer.concat([this.#writing ? NOTHING : this.#current, Buffer.from(this.#waiting)])
    this.#waiting = ''
    if (!this.#writing) this.#current = NOTHING
    for (let retries = 0; rest.length > 0 && retries <= FLUSH_RETRIES;) {
      try {
        rest = rest.subarray(writeSync(STDOUT, rest))
      } catch (error) {
        if (!isBusy(error)) return
        retries += 1
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
      }
    }
  }

  #send(): void {
    if (this.#writing) return
    if (this.#current.length === 0) {
      if (this.#waiting === '') return
      this.#current = Buffer.from(this.#waiting)
      this.#waiting = ''
    }
    this.#writing = true
    write(STDOUT, this.#current, (error, written) => {
      this.#writing = false
      if (error !== null && isBusy(error)) {
        setTimeout(() => this.#send(), RETRY_MS)
        return
      }
      this.#current = error === null ? this.#current.subarray(written) : NOTHING
      this.#send()
    })
  }
}

/** A pipe that is full until its reader continues. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}

const SHOWN_PER_WINDOW = 10
const WINDOW_MS = 60_000
/** Kinds tracked at the same time. Above this number the oldest window closes early. */
const KINDS_MAX = 500

/** Two lines are of one kind when level, text and origin of the error are equal. */
interface LogLine {
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
function createLogThrottle(
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
