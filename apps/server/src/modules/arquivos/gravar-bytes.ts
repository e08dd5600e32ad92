import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { nomeDaMini } from './enderecos.ts'
import { deleteArquivo, insertArquivo, lockUso, updateArquivoPronto } from './repository.ts'

export type ArquivosDeps = Pick<Deps, 'db' | 'files' | 'ids' | 'clock'>

export interface BytesNovos {
  readonly uso: 'midia' | 'produto'
  readonly tipo: string
  /** Of the name it is kept under. */
  readonly extensao: string
  readonly nomeOriginal: string
  readonly bytes: Uint8Array
  /** The same picture, small. */
  readonly mini?: Uint8Array
}

const MIB = 1_048_576
/** What one account may keep, by use. */
const CABEM: Readonly<Record<BytesNovos['uso'], { readonly arquivos: number; readonly bytes: number }>> = {
  midia: { arquivos: 2_000, bytes: 1_024 * MIB },
  produto: { arquivos: 200, bytes: 200 * MIB },
}

/**
 * Keeps bytes for good under a new name, which it gives. Row, bytes, row again: a process that dies between them leaves nothing
 * that anybody sees, and the next sweep takes it. Throws `armazenamentoCheio`.
 */
export async function gravarBytes(deps: ArquivosDeps, contaId: string, novo: BytesNovos): Promise<string> {
  const { db, files, ids, clock } = deps
  const { uso, tipo, nomeOriginal, bytes, mini } = novo
  const nome = `${Buffer.from(ids.token(), 'base64url').toString('hex', 0, 16)}.${novo.extensao}`
  const medidas = { tamanho: bytes.length, tamanhoMini: mini?.length ?? null }
  await db.transaction(contaId, async (tx) => {
    await exigirLugar(tx, contaId, novo)
    await insertArquivo(tx, contaId, { nome, uso, tipo, ...medidas, nomeOriginal, criadoEm: clock.now() })
  })
  try {
    if (mini !== undefined) await files.write(contaId, nomeDaMini(nome), mini)
    await files.write(contaId, nome, bytes)
  } catch (error) {
    await db.transaction(contaId, (tx) => deleteArquivo(tx, contaId, nome))
    throw error
  }
  await db.transaction(contaId, (tx) => updateArquivoPronto(tx, contaId, nome))
  return nome
}

async function exigirLugar(tx: Tx, contaId: string, { uso, bytes, mini }: BytesNovos): Promise<void> {
  const usado = await lockUso(tx, contaId, uso)
  const cabem = CABEM[uso]
  if (usado.arquivos >= cabem.arquivos || usado.bytes + bytes.length + (mini?.length ?? 0) > cabem.bytes) {
    throw new AppError('armazenamentoCheio')
  }
}

/** Bytes whose row is gone already. Left where they are when that fails: the sweep takes them. */
export async function apagarBytes({ files }: Pick<Deps, 'files'>, contaId: string, nome: string): Promise<void> {
  await files.remove(contaId, nome)
  if (nome.endsWith('.webp')) await files.remove(contaId, nomeDaMini(nome))
}
