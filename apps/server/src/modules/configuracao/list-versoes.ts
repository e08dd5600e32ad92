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
  const parsed = await db.transaction(contaId, (tx) => listVersoes(tx, contaId, { limite, antesDe }))
  const versoes = parsed
    .slice(0, limite)
    .map((version, index) => ({ ...version, atual: antesDe === null && index === 0 }))
  const last = versoes.at(-1)
  return parsed.length > limite && last !== undefined ? { versoes, proximoCursor: String(last.versao) } : { versoes }
}

function parseCursor(cursor: string): number {
  if (!/^\d{1,9}$/.test(cursor)) throw new AppError('dadosInvalidos')
  return Number(cursor)
}
