import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { holdConfig, loadConfig } from '#modules/configuracao/repository.ts'

/** Returns the setor, active or not, or null. Holds it until the transaction ends. */
export async function holdSetor(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  setorId: string,
): Promise<Setor | null> {
  await holdConfig(tx, contaId)
  const { config } = await loadConfig(tx, deps, contaId)
  return config.atendimento.setores.find(({ id }) => id === setorId) ?? null
}

/**
 * Returns the setor in which a transferred contato waits: the given one, or Geral if it was removed or switched off
 * meanwhile. Holds the setor until the transaction ends.
 */
export async function holdCurrentSetor(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  setorId: string,
): Promise<string> {
  if (setorId === SETOR_GERAL) return SETOR_GERAL
  return (await holdSetor(tx, deps, contaId, setorId))?.ativo === true ? setorId : SETOR_GERAL
}
