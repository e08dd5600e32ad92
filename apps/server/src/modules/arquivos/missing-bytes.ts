import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { StoredFile } from '#ports/files.ts'

/** Without shared storage another node may have the bytes. */
export function missingBytes({ files, fleet, log }: Pick<Deps, 'files' | 'fleet' | 'log'>, file: StoredFile): AppError {
  if (!files.shared && fleet.others().length > 0) return new AppError('arquivoEmOutroNo')
  log.error({ ...file }, 'file row without bytes')
  return new AppError('naoEncontrado')
}
