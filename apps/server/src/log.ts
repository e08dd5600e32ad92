import { DatabaseError } from 'pg'
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { createRepetidas, type Linha } from './log-repetidas.ts'

/** SQLSTATE classes whose error messages quote the rejected data. */
const CITA_DADOS = /^2[23]/

/** Serializes an error for the log. Database errors keep code, table and stack, but no stored data. */
function serializeError(error: Error): object {
  if (!(error instanceof DatabaseError)) return stdSerializers.err(error)
  const { code = '', table, column, constraint, routine, message, stack = '' } = error
  const frase = CITA_DADOS.test(code) ? `database error ${code}` : message
  const quadros = stack.slice(Math.max(0, stack.search(/^\s+at /m)))
  return { type: 'DatabaseError', message: frase, code, table, column, constraint, routine, stack: quadros }
}

function lerChamada(nivel: number, [primeiro, segundo]: readonly unknown[]): Linha {
  if (typeof primeiro === 'string') return { nivel, frase: primeiro, erro: null }
  const campo = typeof primeiro === 'object' && primeiro !== null && 'err' in primeiro ? primeiro.err : primeiro
  return { nivel, frase: typeof segundo === 'string' ? segundo : '', erro: campo instanceof Error ? campo : null }
}

interface LogOptions {
  readonly destino?: DestinationStream
  readonly janelaMs?: number
}

interface Log {
  readonly log: Logger
  readonly contarRepetidas: () => void
}

/**
 * Creates the JSON log of the process. Repeated lines are limited to ten per minute and kind, followed by one line
 * with their number.
 */
export function createLog(level: string, { destino, janelaMs }: LogOptions = {}): Log {
  let contando = false
  const repetidas = createRepetidas(({ nivel, frase, erro }, caladas, desde) => {
    contando = true
    const campos = { repetidas: caladas, desde, ...(erro === null ? {} : { tipo: erro.name }) }
    escreverEm(log, nivel)(campos, frase)
    contando = false
  }, janelaMs)
  const opcoes: LoggerOptions = {
    level,
    redact: ['req.headers.authorization'],
    serializers: { err: serializeError },
    hooks: {
      logMethod(chamada, escrever, nivel) {
        if (contando || repetidas.passa(lerChamada(nivel, chamada))) escrever.apply(this, chamada)
      },
    },
  }
  const log = destino === undefined ? pino(opcoes) : pino(opcoes, destino)
  return { log, contarRepetidas: repetidas.fechar }
}

function escreverEm(log: Logger, nivel: number): (campos: object, frase: string) => void {
  if (nivel >= 50) return (campos, frase) => log.error(campos, frase)
  if (nivel >= 40) return (campos, frase) => log.warn(campos, frase)
  return (campos, frase) => (nivel >= 30 ? log.info(campos, frase) : log.debug(campos, frase))
}
