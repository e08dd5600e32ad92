import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { listLineFacts } from '#modules/contas/index.ts'
import { checkSetores } from './rules.ts'

/**
 * Returns the requested setores without duplicates. Throws `setorDesconhecido`. The caller must hold the lock of
 * the conta, so no setor is removed meanwhile.
 */
export async function requireSetores(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  requested: readonly string[],
): Promise<readonly string[]> {
  if (requested.length === 0) return []
  const { config } = await loadConfig(tx, deps, contaId)
  const { setores, desconhecidos } = checkSetores(requested, config.atendimento.setores)
  if (desconhecidos.length > 0) throw new AppError('setorDesconhecido', { detalhes: desconhecidos })
  return setores
}

/** As `requireSetores`, for lines. Throws `dadosInvalidos`. */
export async function requireLinhas(tx: Tx, contaId: string, requested: readonly string[]): Promise<readonly string[]> {
  if (requested.length === 0) return []
  const active = new Set((await listLineFacts(tx, { contaId })).flatMap(({ id, removida }) => (removida ? [] : [id])))
  const mensagem = 'Esta linha não existe.'
  const detalhes = requested.flatMap((id, index) => (active.has(id) ? [] : [{ caminho: `linhas.${index}`, mensagem }]))
  if (detalhes.length > 0) throw new AppError('dadosInvalidos', { erro: mensagem, detalhes })
  return [...new Set(requested)]
}
