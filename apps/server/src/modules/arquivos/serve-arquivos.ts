// Adds the type of the route option `compress`.
import type {} from '@fastify/compress'
import * as z from 'zod/mini'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { readForStranger } from '#http/authentication.ts'
import type { ByteRange } from '#ports/files.ts'
import { type ReadyArquivo, findReadyArquivo } from './repository.ts'
import { contentDisposition } from './rules/file-name.ts'
import { missingBytes } from './store-bytes.ts'
import { nameFromUrl, arquivoUrl } from './urls.ts'

const paramsSchema = z.object({ arquivo: z.string() })
const querySchema = z.object({ e: z.string(), a: z.string() })
/** Not longer than a signed address works, so that a shared device keeps no file for long. */
const CACHED_S = 300

/**
 * Without login: the signature of the address is the permission. Scripts are forbidden and documents are attachments,
 * so a received file cannot act in the origin of the panel.
 */
export function serveArquivos(
  http: FastifyInstance,
  deps: Pick<Deps, 'db' | 'files' | 'fileLinks' | 'fleet' | 'log'>,
): void {
  http.route({
    method: 'GET',
    url: arquivoUrl(':arquivo'),
    config: { erroPadrao: 'Erro ao abrir arquivo' },
    // A range refers to the uncompressed bytes.
    compress: false,
    handler: async (request, reply) => {
      const nome = nameFromUrl(paramsSchema.parse(request.params).arquivo)
      const signed = querySchema.safeParse(request.query)
      if (nome === null || !signed.success) throw new AppError('naoEncontrado')
      const arquivo = await readForStranger(request, () => deps.db.read('*', (tx) => findReadyArquivo(tx, { nome })))
      if (arquivo === null || !deps.fileLinks.isValid(arquivo.contaId, nome, signed.data)) {
        throw new AppError('naoEncontrado')
      }
      setFileHeaders(reply, nome, arquivo)
      if (request.headers['if-none-match']?.includes(etagOf(nome)) === true) return reply.code(304).send()
      const range = requestedRange(request.headers, nome, arquivo.tamanho)
      if (range === 'fora') {
        return reply
          .code(416)
          .headers({ 'content-range': `bytes */${arquivo.tamanho}`, 'content-length': 0 })
          .send()
      }
      return sendFile(deps, reply, { nome, arquivo, range })
    },
  })
}

const etagOf = (name: string): string => `"${name}"`

function setFileHeaders(reply: FastifyReply, name: string, { tipo, nomeOriginal }: ReadyArquivo): void {
  const noNavegador = tipo.startsWith('image/') || tipo.startsWith('audio/')
  void reply.headers({
    'content-type': tipo.startsWith('text/') ? `${tipo}; charset=utf-8` : tipo,
    'content-disposition': contentDisposition(noNavegador ? 'inline' : 'attachment', nomeOriginal),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': `private, max-age=${CACHED_S}`,
    'accept-ranges': 'bytes',
    etag: etagOf(name),
  })
}

/** A name is never reused, so the file behind an ETag never changes. */
function requestedRange(
  { range, 'if-range': seFor }: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  name: string,
  size: number,
): ByteRange | 'tudo' | 'fora' {
  return seFor === undefined || seFor === etagOf(name) ? parseRange(range, size) : 'tudo'
}

async function sendFile(
  deps: Pick<Deps, 'files' | 'fleet' | 'log'>,
  reply: FastifyReply,
  file: { readonly nome: string; readonly arquivo: ReadyArquivo; readonly range: ByteRange | 'tudo' },
): Promise<FastifyReply> {
  const { nome, range } = file
  const { contaId, tamanho } = file.arquivo
  const bytes = await deps.files.stream(contaId, nome, range === 'tudo' ? undefined : range)
  if (bytes === null) throw missingBytes(deps, { contaId, nome })
  if (range === 'tudo') return reply.header('content-length', tamanho).send(bytes)
  const { start, end } = range
  return reply
    .code(206)
    .headers({ 'content-range': `bytes ${start}-${end}/${tamanho}`, 'content-length': end - start + 1 })
    .send(bytes)
}

/** RFC 9110, section 14. `tudo`: a server may ignore other units, several ranges and invalid text. */
export function parseRange(range: string | undefined, size: number): ByteRange | 'tudo' | 'fora' {
  const [, from = '', until = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (from === '') return until === '' ? 'tudo' : lastBytes(Number(until), size)
  const start = Number(from)
  if (until !== '' && Number(until) < start) return 'tudo'
  const end = until === '' ? size - 1 : Math.min(Number(until), size - 1)
  return start >= size ? 'fora' : { start, end }
}

function lastBytes(count: number, size: number): ByteRange | 'fora' {
  const last = Math.min(count, size)
  return last === 0 ? 'fora' : { start: size - last, end: size - 1 }
}
