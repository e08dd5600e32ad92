import * as z from 'zod/mini'
import { ARQUIVO_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import { firstIdAt } from '#ids.ts'
import { insertLog } from '#modules/logs/index.ts'
import { deleteArquivo } from './repository.ts'
import { displayName } from './rules/file-name.ts'
import { sniffType, type ArquivoType } from './rules/sniff.ts'
import { type ArquivosDeps, storeBytes } from './store-bytes.ts'
import { nameFromUrl, arquivoUrl } from './urls.ts'

interface SentArquivo {
  readonly bytes: Buffer
  readonly name: string
}

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

const STORAGE_FULL_TEXT =
  'O espaço para arquivos acabou: as mídias que os clientes enviam não estão sendo guardadas. Limpe as conversas antigas na aba Logs ou peça mais espaço ao administrador.'
const NOTICE_INTERVAL_MS = 24 * 3_600_000

/**
 * If the storage is full, returns the type without a URL and warns the owner once per 24 hours. Throws `arquivoGrande`,
 * `arquivoInvalido`.
 */
export async function storeReceived(
  deps: ArquivosDeps & Pick<Deps, 'realtime'>,
  contaId: string,
  sent: SentArquivo,
): Promise<Midia> {
  try {
    return await storeArquivo(deps, contaId, sent)
  } catch (error) {
    if (!(error instanceof AppError) || error.codigo !== 'armazenamentoCheio') throw error
    await notifyStorageFull(deps, contaId)
    const { midia, mime } = checkArquivo(sent)
    return { tipo: midia, mimeType: mime, tamanhoBytes: sent.bytes.length }
  }
}

const findNotice = oneRow(
  'arquivos: find notice',
  z.object({ id: z.string() }),
  sql`select id from logs where conta_id = ${contaId} and id > ${value('since', 'uuid')}
    and mensagem = ${value('text', 'text')} limit 1`,
)

async function notifyStorageFull(deps: ArquivosDeps & Pick<Deps, 'realtime'>, contaId: string): Promise<void> {
  const since = firstIdAt(new Date(deps.clock.now().getTime() - NOTICE_INTERVAL_MS))
  await deps.db.transaction(contaId, async (tx) => {
    const noticed = await findNotice(tx, { contaId, since, text: STORAGE_FULL_TEXT })
    if (noticed === null) await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: STORAGE_FULL_TEXT })
  })
}
