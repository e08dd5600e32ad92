import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROS, type CodigoErro } from '@balcao/contract/errors'
import { AppError } from '#errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    erroPadrao?: string
  }
}

/** Every failure leaves as `{erro, codigo, ...dados}` in Portuguese. What is not ours to tell goes to the log only. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    if (error instanceof AppError) return sendAppError(reply, error)
    if (isDatabaseAway(error)) {
      request.log.error({ err: error }, 'the database was not there for a request')
      return sendAppError(reply, new AppError('bancoIndisponivel'))
    }
    if (OCUPADO.has(error.code)) {
      request.log.error({ err: error }, 'a request waited too long for the database')
      return sendAppError(reply, new AppError('servidorOcupado'))
    }
    const codigo = codigoDe(error)
    if (codigo !== null) return sendAppError(reply, new AppError(codigo))
    request.log.error({ err: error, requestId: request.id }, 'request failed')
    const erro = request.routeOptions.config.erroPadrao ?? ERROS.interno.erro
    return reply.code(500).send({ erro, codigo: 'interno' })
  })
}

function sendAppError(reply: FastifyReply, error: AppError): FastifyReply {
  const segundos = error.dados['tentarEmS']
  if (error.status === 429) void reply.header('retry-after', typeof segundos === 'number' ? segundos : 1)
  // `dados` may carry a more precise `erro` than the catalogue's.
  const erro = typeof error.dados['erro'] === 'string' ? error.dados['erro'] : error.message
  return reply.code(error.status).send({ ...error.dados, erro, codigo: error.codigo })
}

/** PostgreSQL's words for a text that is no UUID and a number beyond its range: such an id names nothing of anybody's. */
const NAO_E_ID = new Set(['22P02', '22003'])

/** The database is away, stopping, or has no connection to give: it is not the request that failed. */
const SEM_BANCO = new Set(['57P01', '57P02', '57P03', '53300'])
/** What the pool says, which gives its error no code, after ten seconds of waiting. */
const SEM_VAGA = 'timeout exceeded when trying to connect'

/** A statement, or what it waited for, took longer than a request may: the same one will do a moment later. */
const OCUPADO = new Set(['55P03', '57014'])

function isDatabaseAway(error: FastifyError): boolean {
  return SEM_BANCO.has(error.code) || error.message === SEM_VAGA || ('syscall' in error && error.syscall === 'connect')
}

/** What Fastify and its plugins refuse before a handler runs, in our words. */
function codigoDe(error: FastifyError): CodigoErro | null {
  if (NAO_E_ID.has(error.code)) return 'naoEncontrado'
  if (error.statusCode === 413) return 'corpoGrande'
  if (error.statusCode === 429) return 'muitasTentativas'
  if (error.statusCode === 404) return 'naoEncontrado'
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) return 'dadosInvalidos'
  return null
}

/** An address that Fastify could not read names nothing of ours. */
export function sendFrameworkError(reply: FastifyReply): FastifyReply {
  return sendAppError(reply, new AppError('rotaDesconhecida'))
}

/** Unknown API paths answer JSON; the panel's own pages are matched before this runs. */
export function sendUnknownRoute(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendAppError(reply, new AppError('rotaDesconhecida'))
}
