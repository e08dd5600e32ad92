import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type CurrentConfig, holdConfig, loadConfig, loadConfigs } from './repository.ts'

/** Active or not. Held until the transaction ends. */
export async function holdSetor(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  setorId: string,
): Promise<Setor | null> {
  const [, { config }] = await Promise.all([holdConfig(tx, { contas: [contaId] }), loadConfig(tx, deps, contaId)])
  return config.atendimento.setores.find(({ id }) => id === setorId) ?? null
}

interface SetorRef {
  readonly contaId: string
  readonly setorId: string
  readonly known: Pick<CurrentConfig, 'config'> & { readonly contextVersion: number }
}

/**
 * Geral replaces a setor that was removed or switched off meanwhile. Reads only configurations newer than the known
 * one.
 */
export async function holdCurrentSetores(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  wanted: readonly SetorRef[],
): Promise<string[]> {
  const known = new Map<string, SetorRef['known']>()
  for (const { contaId, setorId, known: config } of wanted) if (setorId !== SETOR_GERAL) known.set(contaId, config)
  if (known.size === 0) return wanted.map(({ setorId }) => setorId)
  const held = await holdConfig(tx, { contas: [...known.keys()] })
  const outdated = held.filter(({ id, versaoContexto }) => known.get(id)?.contextVersion !== versaoContexto)
  const newer = await loadConfigs(
    tx,
    deps,
    outdated.map(({ id }) => id),
  )
  return wanted.map(({ contaId, setorId }) => {
    const current = newer.get(contaId) ?? known.get(contaId)
    const setor = current?.config.atendimento.setores.find(({ id }) => id === setorId)
    return setor?.ativo === true ? setorId : SETOR_GERAL
  })
}
