import { ARQUIVO_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { nomeDaUrl, urlDoArquivo } from './enderecos.ts'
import { deleteArquivo, insertArquivo, lockUso, type UsoDeArquivo, updateArquivoPronto } from './repository.ts'
import { farejar, type TipoDeArquivo } from './rules/farejar.ts'
import { nomeParaPessoas } from './rules/nome.ts'

export type ArquivosDeps = Pick<Deps, 'db' | 'files' | 'ids' | 'clock'>

export interface ArquivoEnviado {
  readonly bytes: Buffer
  /** As the sender calls it: only ever shown to people. */
  readonly nome: string
}

const GIB = 1_073_741_824
/** What one account may keep, by use. */
const CABEM: Readonly<Record<UsoDeArquivo, { readonly arquivos: number; readonly bytes: number }>> = {
  midia: { arquivos: 2_000, bytes: GIB },
}

/** What it is, by its bytes. Throws `arquivoGrande`, `arquivoInvalido`. */
export function conferirArquivo({ bytes, nome }: ArquivoEnviado): TipoDeArquivo {
  if (bytes.length > ARQUIVO_MAXIMO_BYTES) throw new AppError('arquivoGrande')
  if (bytes.length === 0) throw new AppError('arquivoInvalido', { erro: 'Este arquivo está vazio.' })
  const tipo = farejar(bytes, nome)
  if (tipo === null) throw new AppError('arquivoInvalido')
  return tipo
}

/**
 * Keeps a file of the chat for good and gives what a message carries of it. Row, bytes, row again: a process that dies between
 * them leaves nothing that anybody sees, and the next sweep takes it. Throws also `armazenamentoCheio`.
 */
export async function guardarArquivo(deps: ArquivosDeps, contaId: string, enviado: ArquivoEnviado): Promise<Midia> {
  const tipo = conferirArquivo(enviado)
  const { db, files, ids, clock } = deps
  const nome = `${Buffer.from(ids.token(), 'base64url').toString('hex', 0, 16)}.${tipo.extensoes[0]}`
  const nomeOriginal = nomeParaPessoas(enviado.nome, tipo)
  const tamanho = enviado.bytes.length
  await db.transaction(contaId, async (tx) => {
    await exigirLugar(tx, contaId, tamanho)
    const criadoEm = clock.now()
    await insertArquivo(tx, contaId, { nome, uso: 'midia', tipo: tipo.mime, tamanho, nomeOriginal, criadoEm })
  })
  try {
    await files.write(contaId, nome, enviado.bytes)
  } catch (error) {
    await db.transaction(contaId, (tx) => deleteArquivo(tx, contaId, nome))
    throw error
  }
  await db.transaction(contaId, (tx) => updateArquivoPronto(tx, contaId, nome))
  return {
    tipo: tipo.midia,
    url: urlDoArquivo(nome),
    ...(nomeOriginal === '' ? {} : { nomeArquivo: nomeOriginal }),
    mimeType: tipo.mime,
    tamanhoBytes: tamanho,
  }
}

async function exigirLugar(tx: Tx, contaId: string, tamanho: number): Promise<void> {
  const usado = await lockUso(tx, contaId, 'midia')
  if (usado.arquivos >= CABEM.midia.arquivos || usado.bytes + tamanho > CABEM.midia.bytes) {
    throw new AppError('armazenamentoCheio')
  }
}

/** Takes back a file whose message was not to be. */
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
