import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { codeOfPixPicture, isPixCode } from '@balcao/engine/pedidos/pix'
import { AppError } from '#errors.ts'
import { qrPng } from '#lib/qr-png.ts'

const querySchema = z.object({ codigo: z.string() })
const ONE_YEAR_S = 31_536_000

/** Without login: the address contains all that the picture shows. Draws codes of PIX only. */
export function servePixPictures(http: FastifyInstance): void {
  http.route({
    method: 'GET',
    url: '/api/pix/qr.png',
    config: { erroPadrao: 'Erro ao abrir o QR code' },
    handler: (request, reply) => {
      const { codigo = '' } = querySchema.safeParse(request.query).data ?? {}
      if (!isPixCode(codigo)) throw new AppError('naoEncontrado')
      return reply
        .headers({
          'content-type': 'image/png',
          'content-disposition': 'inline',
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'cache-control': `public, max-age=${ONE_YEAR_S}, immutable`,
        })
        .send(qrPng(codigo))
    },
  })
}

/** The picture of such an address, to be sent. Null: another address. */
export function readPixPicture(url: string): { readonly bytes: Uint8Array; readonly mimeType: string } | null {
  const code = codeOfPixPicture(url)
  return code === null ? null : { bytes: qrPng(code), mimeType: 'image/png' }
}
