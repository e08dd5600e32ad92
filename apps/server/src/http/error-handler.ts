import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROS, type ErrorCode } from '@balcao/contract/errors'
import { POOL_TIMEOUT_MESSAGE } from '#db/connection-turns.ts'
import { AppError } from '#errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    erroPadrao?: string
  }
}

/**
 * Answers every error as `{erro, codigo, ...dados}` in Portuguese. Unexpected errors are logged; their details are
 * not sent.
 */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    if (error instanceof AppError) return sendAppError(reply, error)
    if (isDatabaseAway(error)) {
      request.log.error({ err: error }, 'database unavailable, request refused')
      return sendAppError(reply, new AppError('bancoIndisponivel'))
    }
    if (DISK_FULL_CODES.has(error.code)) {
      request.log.error({ err: error }, 'disk full, request refused')
      return sendAppError(reply, new AppError('discoCheio'))
    }
    if (BUSY_CODES.has(error.code)) {
      request.log.error({ err: error }, 'database timeout, request refused')
      return sendAppError(reply, new AppError('servidorOcupado'))
    }
    const codigo = codeOf(error)
    if (codigo !== null) return sendAppError(reply, new AppError(codigo))
    request.log.error({ err: error }, 'request failed')
    const erro = request.routeOptions.config.erroPadrao ?? ERROS.interno.erro
    return reply.code(500).header('cache-control', 'no-store').send({ erro, codigo: 'interno' })
  })
}

function sendAppError(reply: FastifyReply, error: AppError): FastifyReply {
  const seconds = error.dados['tentarEmS']
  if (error.status === 429) void reply.header('retry-after', typeof seconds === 'number' ? seconds : 1)
  // `dados` may hold a more precise `erro` than the list of errors.
  const erro = typeof error.dados['erro'] === 'string' ? error.dados['erro'] : error.message
  // Replaces the rule of a file whose row exists and whose bytes are missing.
  void reply.header('cache-control', 'no-store')
  return reply.code(error.status).send({ ...error.dados, erro, codigo: error.codigo })
}

/** PostgreSQL codes for an invalid UUID and a number out of range: no row has such an id. */
const INVALID_ID_CODES = new Set(['22P02', '22003'])

/** PostgreSQL codes: shutting down, starting up, no free connection. */
const DATABASE_AWAY_CODES = new Set(['57P01', '57P02', '57P03', '53300'])

/** PostgreSQL codes: lock timeout and statement timeout. A repeated request may succeed. */
const BUSY_CODES = new Set(['55P03', '57014'])

/** Of PostgreSQL and of files: no space left, quota reached, file too large. */
const DISK_FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT', 'EFBIG'])

function isDatabaseAway(error: FastifyError): boolean {
  return (
    DATABASE_AWAY_CODES.has(error.code) ||
    error.message === POOL_TIMEOUT_MESSAGE ||
    ('syscall' in error && error.syscall === 'connect')
  )
}

function codeOf(error: FastifyError): ErrorCode | null {
  if (INVALID_ID_CODES.has(error.code)) return 'naoEncontrado'
  if (error.statusCode === 413) return 'corpoGrande'
  if (error.statusCode === 429) return 'muitasTentativas'
  if (error.statusCode === 404) return 'naoEncontrado'
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) return 'dadosInvalidos'
  return null
}

export function sendFrameworkError(reply: FastifyReply): FastifyReply {
  return sendAppError(reply, new AppError('rotaDesconhecida'))
}

export function sendUnknownRoute(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendAppError(reply, new AppError('rotaDesconhecida'))
}
