import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { holdConfig, loadConfig, loadConfigs } from '#modules/configuracao/repository.ts'

/** Returns the setor, active or not, or null. Holds it until the transaction ends. */
export async function holdSetor(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  setorId: string,
): Promise<Setor | null> {
  const [, { config }] = await Promise.all([holdConfig(tx, [contaId]), loadConfig(tx, deps, contaId)])
  return config.atendimento.setores.find(({ id }) => id === setorId) ?? null
}

interface SetorRef {
  readonly contaId: string
  readonly setorId: string
}

/**
 * Replaces each setor that was removed or switched off meanwhile by Geral, where a transferred contato then waits.
 * Holds the setores until the transaction ends.
 */
export async function holdCurrentSetores<T extends SetorRef>(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  wanted: readonly T[],
): Promise<T[]> {
  const contas = new Set(wanted.flatMap(({ contaId, setorId }) => (setorId === SETOR_GERAL ? [] : [contaId])))
  const active = new Set<string>()
  if (contas.size > 0) {
    const [, configs] = await Promise.all([holdConfig(tx, [...contas]), loadConfigs(tx, deps, [...contas])])
    for (const [contaId, { config }] of configs) {
      for (const { id, ativo } of config.atendimento.setores) if (ativo) active.add(`${contaId} ${id}`)
    }
  }
  return wanted.map((ref) => (active.has(`${ref.contaId} ${ref.setorId}`) ? ref : { ...ref, setorId: SETOR_GERAL }))
}
