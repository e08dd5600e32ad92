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
  readonly known: Pick<CurrentConfig, 'config'> & {
    readonly contextVersion: number
    readonly linhas: readonly unknown[]
  }
}

/** A conta with several lines changed after its turn read it, and the turn may run on a line that was deleted. */
export class LinesMoved extends Error {
  constructor() {
    super('lines of the conta may have changed during the batch')
  }
}

/**
 * Geral replaces a setor that was removed or switched off meanwhile. Reads only configurations newer than the known
 * one. The rows of contas with several lines are held too, so that no line is deleted until the commit. Throws
 * `LinesMoved` for a newer one of these.
 */
export async function holdCurrentSetores(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  wanted: readonly SetorRef[],
): Promise<string[]> {
  const known = new Map<string, SetorRef['known']>()
  for (const { contaId, setorId, known: config } of wanted)
    if (setorId !== SETOR_GERAL || config.linhas.length > 1) known.set(contaId, config)
  if (known.size === 0) return wanted.map(({ setorId }) => setorId)
  const held = await holdConfig(tx, { contas: [...known.keys()] })
  const outdated = held.filter(({ id, versaoContexto }) => known.get(id)?.contextVersion !== versaoContexto)
  if (outdated.some(({ id }) => (known.get(id)?.linhas.length ?? 0) > 1)) throw new LinesMoved()
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
