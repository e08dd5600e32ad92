import { DatabaseError } from 'pg'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

/** Data that the database refused: it quotes them in its message, and whole rows beside it. */
const CITA_DADOS = /^2[23]/

/** An error for the log. One of the database says where and what kind, and nothing of what was being written. */
function serializeError(error: Error): object {
  if (!(error instanceof DatabaseError)) return stdSerializers.err(error)
  const { code = '', table, column, constraint, routine, message, stack = '' } = error
  const frase = CITA_DADOS.test(code) ? `database error ${code}` : message
  const quadros = stack.slice(Math.max(0, stack.search(/^\s+at /m)))
  return { type: 'DatabaseError', message: frase, code, table, column, constraint, routine, stack: quadros }
}

/** The program's log: lines of JSON for whoever runs it, without a word of a customer or of a secret. */
export function createLog(level: string, destino?: DestinationStream): Logger {
  const opcoes = { level, redact: ['req.headers.authorization'], serializers: { err: serializeError } }
  return destino === undefined ? pino(opcoes) : pino(opcoes, destino)
}
