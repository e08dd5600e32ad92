import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that is written once and sent to many strangers. */
export class KeptAnswer {
  readonly #type: string
  readonly #bytes: Buffer
  readonly #etag: string
  #gzip: Buffer | null = null

  constructor(text: string, type: 'application/json' | 'text/html') {
    this.#type = `${type}; charset=utf-8`
    this.#bytes = Buffer.from(text)
    this.#etag = `"${createHash('sha256').update(this.#bytes).digest('base64url')}"`
  }

  send({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
    void reply.headers({ etag: this.#etag, vary: 'accept-encoding' }).type(this.#type)
    if (headers['if-none-match']?.includes(this.#etag) === true) return reply.code(304).send()
    if (!/\bgzip\b/.test(headers['accept-encoding']?.toString() ?? '')) return reply.send(this.#bytes)
    this.#gzip ??= gzipSync(this.#bytes)
    return reply.header('content-encoding', 'gzip').send(this.#gzip)
  }
}
