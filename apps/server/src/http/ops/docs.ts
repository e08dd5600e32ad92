import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '@balcao/contract/openapi'
import { apiRoutes } from '@balcao/contract/routes/all'

export function docsRoute(http: FastifyInstance): void {
  let document: string | null = null
  http.get('/api/docs', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(apiRoutes))
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
