// Adds the type of the route option `compress`.
import type {} from '@fastify/compress'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Faixa } from '#ports/files.ts'
import { nomeDaUrl, urlDoArquivo } from './enderecos.ts'
import { type ArquivoPronto, findArquivoPublico } from './repository.ts'
import { lerFaixa } from './rules/faixa.ts'
import { contentDisposition } from './rules/nome.ts'

const paramsSchema = z.object({ arquivo: z.string() })
const UM_ANO_S = 31_536_000

/**
 * `GET /api/midias/:arquivo`: returns a chat file without login; the random name is the permission. The content
 * type comes from the bytes, scripts are forbidden, and documents are sent as attachments, so a received file
 * cannot act in the origin of the panel.
 */
export function servirArquivos(http: FastifyInstance, deps: Pick<Deps, 'db' | 'files' | 'log'>): void {
  http.route({
    method: 'GET',
    url: urlDoArquivo(':arquivo'),
    config: { erroPadrao: 'Erro ao abrir arquivo' },
    // A range refers to the uncompressed bytes.
    compress: false,
    handler: async (request, reply) => {
      const nome = nomeDaUrl(paramsSchema.parse(request.params).arquivo)
      const arquivo = nome === null ? null : await deps.db.read('*', (tx) => findArquivoPublico(tx, nome))
      if (nome === null || arquivo === null) throw new AppError('naoEncontrado')
      describe(reply, nome, arquivo)
      if (request.headers['if-none-match']?.includes(etagDe(nome)) === true) return reply.code(304).send()
      const faixa = faixaPedida(request.headers, nome, arquivo.tamanho)
      if (faixa === 'fora') {
        return reply
          .code(416)
          .headers({ 'content-range': `bytes */${arquivo.tamanho}`, 'content-length': 0 })
          .send()
      }
      return enviar(deps, reply, { nome, arquivo, faixa })
    },
  })
}

const etagDe = (nome: string): string => `"${nome}"`

function describe(reply: FastifyReply, nome: string, { tipo, nomeOriginal }: ArquivoPronto): void {
  const noNavegador = tipo.startsWith('image/') || tipo.startsWith('audio/')
  void reply.headers({
    'content-type': tipo.startsWith('text/') ? `${tipo}; charset=utf-8` : tipo,
    'content-disposition': contentDisposition(noNavegador ? 'inline' : 'attachment', nomeOriginal),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': `private, max-age=${UM_ANO_S}, immutable`,
    'accept-ranges': 'bytes',
    etag: etagDe(nome),
  })
}

/**
 * A name is never reused, so the file behind an ETag never changes. A range for another ETag returns the whole
 * file.
 */
function faixaPedida(
  { range, 'if-range': seFor }: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  nome: string,
  tamanho: number,
): Faixa | 'tudo' | 'fora' {
  return seFor === undefined || seFor === etagDe(nome) ? lerFaixa(range, tamanho) : 'tudo'
}

interface Envio {
  readonly nome: string
  readonly arquivo: ArquivoPronto
  readonly faixa: Faixa | 'tudo'
}

async function enviar(
  { files, log }: Pick<Deps, 'files' | 'log'>,
  reply: FastifyReply,
  { nome, arquivo: { contaId, tamanho }, faixa }: Envio,
): Promise<FastifyReply> {
  const bytes = await files.stream(contaId, nome, faixa === 'tudo' ? undefined : faixa)
  if (bytes === null) {
    log.error({ contaId, nome }, 'file row without bytes')
    throw new AppError('naoEncontrado')
  }
  if (faixa === 'tudo') return reply.header('content-length', tamanho).send(bytes)
  const { inicio, fim } = faixa
  return reply
    .code(206)
    .headers({ 'content-range': `bytes ${inicio}-${fim}/${tamanho}`, 'content-length': fim - inicio + 1 })
    .send(bytes)
}
