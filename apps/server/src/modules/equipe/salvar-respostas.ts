import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { lockConta } from '#modules/configuracao/index.ts'
import { replaceRespostas } from './repository.ts'
import { atalhosRepetidos } from './rules.ts'

/** The whole list, all of it or nothing, in the order given. Throws `dadosInvalidos` with the place of each repeated name. */
export async function salvarRespostas(
  { db }: Pick<Deps, 'db'>,
  contaId: string,
  respostas: readonly RespostaRapida[],
): Promise<void> {
  const detalhes = atalhosRepetidos(respostas)
  if (detalhes.length > 0) throw new AppError('dadosInvalidos', { erro: detalhes[0]?.mensagem, detalhes })
  await db.transaction(contaId, async (tx) => {
    // Two who save at once: the last one's list stands whole.
    await lockConta(tx, contaId)
    await replaceRespostas(tx, contaId, respostas)
  })
}
