import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { lockConta } from '#modules/configuracao/index.ts'
import { listRespostas, replaceRespostas } from './repository.ts'
import { duplicateShortcuts, respostasVersion } from './rules.ts'

/**
 * Replaces the whole list. Throws `dadosInvalidos` for repeated shortcuts, and `conflito` if the stored list
 * differs from `versao`, so a concurrent save is not overwritten.
 */
export async function saveRespostas(
  { db }: Pick<Deps, 'db'>,
  contaId: string,
  respostas: readonly RespostaRapida[],
  version: string | undefined,
): Promise<void> {
  const detalhes = duplicateShortcuts(respostas)
  if (detalhes.length > 0) throw new AppError('dadosInvalidos', { erro: detalhes[0]?.mensagem, detalhes })
  await db.transaction(contaId, async (tx) => {
    await lockConta(tx, contaId)
    const changed = version !== undefined && version !== respostasVersion(await listRespostas(tx, contaId))
    if (changed) throw new AppError('conflito')
    await replaceRespostas(tx, contaId, respostas)
  })
}
