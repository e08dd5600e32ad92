import { ARQUIVO_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { deleteArquivo } from './repository.ts'
import { displayName } from './rules/file-name.ts'
import { sniffType, type ArquivoType } from './rules/sniff.ts'
import { type ArquivosDeps, storeBytes } from './store-bytes.ts'
import { nameFromUrl, arquivoUrl } from './urls.ts'

export interface SentArquivo {
  readonly bytes: Buffer
  /** For display only. */
  readonly name: string
}

/** Throws `arquivoGrande`, `arquivoInvalido`. */
export function checkArquivo({ bytes, name }: SentArquivo): ArquivoType {
  if (bytes.length > ARQUIVO_MAXIMO_BYTES) throw new AppError('arquivoGrande')
  if (bytes.length === 0) throw new AppError('arquivoInvalido', { erro: 'Este arquivo está vazio.' })
  const tipo = sniffType(bytes, name)
  if (tipo === null) throw new AppError('arquivoInvalido')
  return tipo
}

/** Throws `arquivoGrande`, `arquivoInvalido`, `armazenamentoCheio`. */
export async function storeArquivo(deps: ArquivosDeps, contaId: string, sent: SentArquivo): Promise<Midia> {
  const tipo = checkArquivo(sent)
  const nomeOriginal = displayName(sent.name, tipo)
  const { bytes } = sent
  const fresh = { uso: 'midia', tipo: tipo.mime, extension: tipo.extensions[0], nomeOriginal, bytes } as const
  const nome = await storeBytes(deps, contaId, fresh)
  return {
    tipo: tipo.midia,
    url: arquivoUrl(nome),
    ...(nomeOriginal === '' ? {} : { nomeArquivo: nomeOriginal }),
    mimeType: tipo.mime,
    tamanhoBytes: bytes.length,
  }
}

export async function discardArquivo(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  contaId: string,
  { url = '' }: Midia,
): Promise<void> {
  const nome = nameFromUrl(url)
  if (nome === null) return
  await db.transaction(contaId, (tx) => deleteArquivo(tx, { contaId, nome }))
  await files.remove(contaId, nome)
}
