import * as z from 'zod/mini'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { firstIdAt } from '#ids.ts'
import { insertLog } from '#modules/logs/index.ts'
import { type SentArquivo, checkArquivo, storeArquivo } from './store-arquivo.ts'
import { type ArquivosDeps } from './store-bytes.ts'

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
