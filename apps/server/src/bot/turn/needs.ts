import type { Tx } from '#db/transaction.ts'
import { holdCurrentSetores } from '#modules/configuracao/index.ts'
import { didPersonWrite, takeProtocolos } from '#modules/conversas/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { Plan } from './decide.ts'
import type { Answer } from './engine.ts'

type NeedDeps = Pick<BotDeps, 'vault' | 'reservedDb'>

/** Answers the needs of a batch, one statement per kind. Returns an entry per plan, null for a plan without a need. */
export async function answerNeeds(tx: Tx, deps: NeedDeps, plans: readonly Plan[]): Promise<(Answer | null)[]> {
  const answers: (Answer | null)[] = plans.map(() => null)
  for (const [index, handover] of await handOver(tx, deps, plans)) answers[index] = handover
  for (const [index, wrote] of await findWriters(tx, plans)) answers[index] = { tipo: 'personWrote', wrote }
  return answers
}

type Indexed<T> = readonly (readonly [number, T])[]

async function handOver(tx: Tx, deps: NeedDeps, plans: readonly Plan[]): Promise<Indexed<Answer>> {
  const wanted = plans.flatMap(({ step, input: { context, day } }, index) =>
    step?.need?.tipo === 'handover'
      ? [{ index, contaId: context.contaId, day, setorId: step.need.setor, known: context }]
      : [],
  )
  if (wanted.length === 0) return []
  const [setores, protocolos] = await Promise.all([holdCurrentSetores(tx, deps, wanted), takeProtocolos(deps, wanted)])
  return protocolos.map(({ index, setorId, protocolo }, n) => [
    index,
    { tipo: 'handover', setor: setores[n] ?? setorId, protocolo },
  ])
}

async function findWriters(tx: Tx, plans: readonly Plan[]): Promise<Indexed<boolean>> {
  const asked = plans.flatMap(({ step, input: { context } }, index) =>
    step?.need?.tipo === 'personWrote' ? [{ ...step.need, index, contaId: context.contaId }] : [],
  )
  if (asked.length === 0) return []
  return (await didPersonWrite(tx, asked)).map(({ index, wrote }) => [index, wrote])
}
