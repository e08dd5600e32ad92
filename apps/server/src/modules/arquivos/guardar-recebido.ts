import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { idDesde } from '#ids.ts'
import { insertLog } from '#modules/logs/index.ts'
import { type ArquivosDeps } from './gravar-bytes.ts'
import { type ArquivoEnviado, conferirArquivo, guardarArquivo } from './guardar-arquivo.ts'

const CHEIO =
  'O espaço para arquivos acabou: as mídias que os clientes enviam não estão sendo guardadas. Limpe as conversas antigas na aba Logs ou peça mais espaço ao administrador.'
const AVISAR_DE_NOVO_MS = 24 * 3_600_000

/**
 * Stores a file sent by a customer. If the storage is full, returns its type without a URL and logs a warning for
 * the owner once per 24 hours. Throws `arquivoGrande`, `arquivoInvalido`.
 */
export async function guardarRecebido(
  deps: ArquivosDeps & Pick<Deps, 'realtime'>,
  contaId: string,
  enviado: ArquivoEnviado,
): Promise<Midia> {
  try {
    return await guardarArquivo(deps, contaId, enviado)
  } catch (error) {
    if (!(error instanceof AppError) || error.codigo !== 'armazenamentoCheio') throw error
    await avisarCheio(deps, contaId)
    const { midia, mime } = conferirArquivo(enviado)
    return { tipo: midia, mimeType: mime, tamanhoBytes: enviado.bytes.length }
  }
}

async function avisarCheio(deps: ArquivosDeps & Pick<Deps, 'realtime'>, contaId: string): Promise<void> {
  const desde = idDesde(new Date(deps.clock.now().getTime() - AVISAR_DE_NOVO_MS))
  await deps.db.transaction(contaId, async (tx) => {
    const avisado = await tx.kysely
      .selectFrom('logs')
      .select('id')
      .where('contaId', '=', contaId)
      .where('id', '>', desde)
      .where('mensagem', '=', CHEIO)
      .limit(1)
      .executeTakeFirst()
    if (avisado === undefined) await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: CHEIO })
  })
}
