import type { Setor } from '@balcao/contract/entities/config'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { holdConfig, loadConfig } from './repository.ts'
import { SETOR_GERAL } from './setores.ts'

/** The sector as it is now, switched off or not; null: there is none. It stays until the transaction ends. */
export async function holdSetor(
  tx: Tx,
  deps: Pick<Deps, 'cofre'>,
  contaId: string,
  setorId: string,
): Promise<Setor | null> {
  await holdConfig(tx, contaId)
  const { config } = await loadConfig(tx, deps, contaId)
  return config.atendimento.setores.find(({ id }) => id === setorId) ?? null
}

/**
 * Where a customer waits who is handed over to this sector: there, or in Geral when it was removed or switched off since
 * whoever decides looked. That sector stays until the transaction ends; Geral always does.
 */
export async function holdSetorVigente(
  tx: Tx,
  deps: Pick<Deps, 'cofre'>,
  contaId: string,
  setorId: string,
): Promise<string> {
  if (setorId === SETOR_GERAL) return SETOR_GERAL
  return (await holdSetor(tx, deps, contaId, setorId))?.ativo === true ? setorId : SETOR_GERAL
}
