import type { VersaoConfig } from '@balcao/contract/entities/versao-config'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { listVersoes } from './repository.ts'

const PER_PAGE = 50

interface VersaoPage {
  readonly limite?: number | undefined
  readonly cursor?: string | undefined
}

/** Newest first. The first entry of the first page is the version in force. */
export async function listVersaoPage(
  { db }: Pick<Deps, 'db'>,
  contaId: string,
  { limite = PER_PAGE, cursor }: VersaoPage,
): Promise<{ versoes: VersaoConfig[]; proximoCursor?: string }> {
  const antesDe = cursor === undefined ? null : parseCursor(cursor)
  const lidas = await db.transaction(contaId, (tx) => listVersoes(tx, contaId, { limite, antesDe }))
  const versoes = lidas
    .slice(0, limite)
    .map((versao, indice) => ({ ...versao, atual: antesDe === null && indice === 0 }))
  const ultima = versoes.at(-1)
  return lidas.length > limite && ultima !== undefined ? { versoes, proximoCursor: String(ultima.versao) } : { versoes }
}

function parseCursor(cursor: string): number {
  if (!/^\d{1,9}$/.test(cursor)) throw new AppError('dadosInvalidos')
  return Number(cursor)
}
