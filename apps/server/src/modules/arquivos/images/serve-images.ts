import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { readForStranger } from '#http/authentication.ts'
import { missingBytes } from '#modules/arquivos/store-bytes.ts'
import { miniName, nameFromUrl, imageUrl } from '#modules/arquivos/urls.ts'
import { findPublicImage } from '#modules/arquivos/repository.ts'

const paramsSchema = z.object({ arquivo: z.string() })
const querySchema = z.object({ mini: z.optional(z.unknown()) })
const ONE_YEAR_S = 31_536_000

/** Without login: the random name is the permission. */
export function serveImages(http: FastifyInstance, deps: Pick<Deps, 'db' | 'files' | 'fleet' | 'log'>): void {
  const { db, files } = deps
  http.route({
    method: 'GET',
    url: imageUrl(':arquivo'),
    config: { erroPadrao: 'Erro ao abrir imagem' },
    handler: async (request, reply) => {
      const nome = nameFromUrl(paramsSchema.parse(request.params).arquivo)
      if (nome === null) throw new AppError('naoEncontrado')
      const image = await readForStranger(request, () => db.read('*', (tx) => findPublicImage(tx, { nome })))
      if (image === null) throw new AppError('naoEncontrado')
      const mini = 'mini' in querySchema.parse(request.query) && image.tamanhoMini !== null
      const etag = mini ? `"${nome} mini"` : `"${nome}"`
      void reply.headers({
        // The server encoded every picture itself, so the type is certain. The policy forbids scripts.
        'content-type': 'image/webp',
        'content-disposition': 'inline',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': `public, max-age=${ONE_YEAR_S}, immutable`,
        etag,
      })
      if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send()
      const bytes = await files.stream(image.contaId, mini ? miniName(nome) : nome)
      if (bytes === null) throw missingBytes(deps, { contaId: image.contaId, nome })
      return reply.header('content-length', mini ? (image.tamanhoMini ?? 0) : image.tamanho).send(bytes)
    },
  })
}
