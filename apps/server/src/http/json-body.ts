import type { FastifyInstance } from 'fastify'

/** Many clients name the type of a body that they do not send: that is no body, not a broken one. */
export function installJsonBody(app: FastifyInstance): void {
  const ler = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, corpo: string, pronto) => {
    if (corpo === '') pronto(null, undefined)
    // Answers by `pronto`, whatever its type says.
    else void ler(request, corpo, pronto)
  })
}
