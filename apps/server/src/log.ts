import { DatabaseError } from 'pg'
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { createLogThrottle, type LogLine } from './log-repetidas.ts'

/** SQLSTATE classes whose error messages quote the rejected data. */
const QUOTES_DATA = /^2[23]/

/** Serializes an error for the log. Database errors keep code, table and stack, but no stored data. */
function serializeError(error: Error): object {
  if (!(error instanceof DatabaseError)) return stdSerializers.err(error)
  const { code = '', table, column, constraint, routine, message, stack = '' } = error
  const frase = QUOTES_DATA.test(code) ? `database error ${code}` : message
  const quadros = stack.slice(Math.max(0, stack.search(/^\s+at /m)))
  return { type: 'DatabaseError', message: frase, code, table, column, constraint, routine, stack: quadros }
}

function parseLogCall(nivel: number, [primeiro, segundo]: readonly unknown[]): LogLine {
  if (typeof primeiro === 'string') return { level: nivel, text: primeiro, error: null }
  const campo = typeof primeiro === 'object' && primeiro !== null && 'err' in primeiro ? primeiro.err : primeiro
  return { level: nivel, text: typeof segundo === 'string' ? segundo : '', error: campo instanceof Error ? campo : null }
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
  let contando = false
  const repetidas = createLogThrottle(({ level: nivel, text, error: erro }, caladas, desde) => {
    contando = true
    const campos = { repetidas: caladas, desde, ...(erro === null ? {} : { tipo: erro.name }) }
    writerAt(log, nivel)(campos, text)
    contando = false
  }, windowMs)
  const opcoes: LoggerOptions = {
    level,
    redact: ['req.headers.authorization'],
    serializers: { err: serializeError },
    hooks: {
      logMethod(chamada, escrever, nivel) {
        if (contando || repetidas.passes(parseLogCall(nivel, chamada))) escrever.apply(this, chamada)
      },
    },
  }
  const log = destination === undefined ? pino(opcoes) : pino(opcoes, destination)
  return { log, flushThrottle: repetidas.close }
}

function writerAt(log: Logger, nivel: number): (campos: object, frase: string) => void {
  if (nivel >= 50) return (campos, frase) => log.error(campos, frase)
  if (nivel >= 40) return (campos, frase) => log.warn(campos, frase)
  return (campos, frase) => (nivel >= 30 ? log.info(campos, frase) : log.debug(campos, frase))
}
