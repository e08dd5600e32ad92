import { DatabaseError } from 'pg'
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { createLogThrottle, type LogLine } from './log-throttle.ts'

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
}

interface Log {
  readonly log: Logger
  readonly flushThrottle: () => void
}

/**
 * Creates the JSON log of the process. Repeated lines are limited to ten per minute and kind, followed by one line
 * with their number.
 */
export function createLog(level: string, { destination, windowMs }: LogOptions = {}): Log {
  let reporting = false
  const repeated = createLogThrottle(({ level: lineLevel, text, error }, suppressed, since) => {
    reporting = true
    const fields = { repetidas: suppressed, desde: since, ...(error === null ? {} : { tipo: error.name }) }
    writerAt(log, lineLevel)(fields, text)
    reporting = false
  }, windowMs)
  const options: LoggerOptions = {
    level,
    redact: ['req.headers.authorization'],
    serializers: { err: serializeError },
    hooks: {
      logMethod(call, write, lineLevel) {
        if (reporting || repeated.passes(parseLogCall(lineLevel, call))) write.apply(this, call)
      },
    },
  }
  const log = destination === undefined ? pino(options) : pino(options, destination)
  return { log, flushThrottle: repeated.close }
}

function writerAt(log: Logger, level: number): (fields: object, sentence: string) => void {
  if (level >= 50) return (fields, sentence) => log.error(fields, sentence)
  if (level >= 40) return (fields, sentence) => log.warn(fields, sentence)
  return (fields, sentence) => (level >= 30 ? log.info(fields, sentence) : log.debug(fields, sentence))
}
