import { ARQUIVO_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { nomeDaUrl, urlDoArquivo } from './enderecos.ts'
import { type ArquivosDeps, gravarBytes } from './gravar-bytes.ts'
import { deleteArquivo } from './repository.ts'
import { farejar, type TipoDeArquivo } from './rules/farejar.ts'
import { nomeParaPessoas } from './rules/nome.ts'

export interface ArquivoEnviado {
  readonly bytes: Buffer
  /** Name given by the sender. Used for display only. */
  readonly nome: string
}

/** Returns the file type found in the bytes. Throws `arquivoGrande`, `arquivoInvalido`. */
export function conferirArquivo({ bytes, nome }: ArquivoEnviado): TipoDeArquivo {
  if (bytes.length > ARQUIVO_MAXIMO_BYTES) throw new AppError('arquivoGrande')
  if (bytes.length === 0) throw new AppError('arquivoInvalido', { erro: 'Este arquivo está vazio.' })
  const tipo = farejar(bytes, nome)
  if (tipo === null) throw new AppError('arquivoInvalido')
  return tipo
}

/**
 * Stores a chat file and returns the `Midia` of its mensagem. Throws `arquivoGrande`, `arquivoInvalido`,
 * `armazenamentoCheio`.
 */
export async function guardarArquivo(deps: ArquivosDeps, contaId: string, enviado: ArquivoEnviado): Promise<Midia> {
  const tipo = conferirArquivo(enviado)
  const nomeOriginal = nomeParaPessoas(enviado.nome, tipo)
  const { bytes } = enviado
  const novo = { uso: 'midia', tipo: tipo.mime, extensao: tipo.extensoes[0], nomeOriginal, bytes } as const
  const nome = await gravarBytes(deps, contaId, novo)
  return {
    tipo: tipo.midia,
    url: urlDoArquivo(nome),
    ...(nomeOriginal === '' ? {} : { nomeArquivo: nomeOriginal }),
    mimeType: tipo.mime,
    tamanhoBytes: bytes.length,
  }
}

export async function descartarArquivo(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  contaId: string,
  { url = '' }: Midia,
): Promise<void> {
  const nome = nomeDaUrl(url)
  if (nome === null) return
  await db.transaction(contaId, (tx) => deleteArquivo(tx, contaId, nome))
  await files.remove(contaId, nome)
}
