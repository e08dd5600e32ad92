import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '@balcao/contract/openapi'
import { apiRoutes } from '@balcao/contract/routes/all'

export function docsRoute(http: FastifyInstance): void {
  let documento: string | null = null
  http.get('/api/docs', (_request, reply) => {
    documento ??= JSON.stringify(openApiDocument(apiRoutes))
    return reply.type('application/json; charset=utf-8').send(documento)
  })
}
