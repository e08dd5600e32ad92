import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import { type Assignment, assignWaiting } from '@balcao/engine/atendimento/next-person'
import { isOpenAt } from '@balcao/engine/rules/horario'
import { nextOpeningAt } from '@balcao/engine/rules/opening'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type ActDeps, applyTogether, assignConversa } from '#modules/atendimento/index.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { lockContatosOf } from '#modules/conversas/index.ts'
import {
  OFFLINE_MS,
  markNoticed,
  setOpening,
  signalQueues,
  startReplyTimers,
  takeQueueSignals,
} from '#modules/prazos/index.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import { type TeamMember, lockPeople, readTeam, recordReceived } from './people.ts'
import { isPassRunning, listUnnoticed, readQueue } from './queue.ts'

const NOTICES_MAX = 50

/**
 * Once per conversa, if no person of its setor is online. While the shop is closed, it asks for a pass at the opening.
 * A person who left less than two minutes ago counts as online, because a page that reloads closes its window.
 */
async function noticeAbsence(
  tx: Tx,
  { clock, applyEventIn }: Pick<Deps, 'clock' | 'applyEventIn'>,
  contaId: string,
  { atendimento }: Config,
): Promise<void> {
  const now = clock.now()
  if (!isOpenAt(atendimento.horario, now.getTime())) {
    const opening = nextOpeningAt(atendimento.horario, now.getTime())
    await setOpening(tx, { contaId, at: opening === null ? null : new Date(opening) })
    return
  }
  const team = await readTeam(tx, contaId, new Date(now.getTime() - OFFLINE_MS))
  const ids = (await listUnnoticed(tx, { contaId, p: team, max: NOTICES_MAX })).map(({ id }) => id)
  if (ids.length === 0) return
  await lockContatosOf(tx, { contaId, ids })
  const marked = await markNoticed(tx, contaId, ids)
  for (const dialogue of await listWaitingDialogues(tx, { contaId, ids: marked })) {
    await applyEventIn(tx, { contaId, ...dialogue }, (base) => ({
      ...{ tipo: 'avisoAutomatico', texto: atendimento.semNinguem },
      ...base,
    }))
  }
  if (ids.length === NOTICES_MAX) await signalQueues(tx, { contas: [contaId] })
}

const listWaitingDialogues = manyRows(
  'distribuicao: list waiting dialogues',
  z.object({ contatoId: z.string(), linhaId: z.string() }),
  sql`select contato_id, coalesce(linha_id, conta_id) as linha_id from conversas
      where conta_id = ${contaId} and id = any (${value('ids', 'uuid[]')}) and status = 'aguardando'`,
  { planner: 'indexes' },
)

export type DistributionDeps = ActDeps & Pick<Deps, 'vault' | 'applyEventIn' | 'crashPoint'>

const PASS_MAX = 50

/** A long queue delays the timers of other contas. The next round goes on. */
const QUEUE_MS = 500

/** Gives waiting conversas to people and sends the notice that no person is online. */
export async function serveQueue(deps: DistributionDeps, contaId: string): Promise<void> {
  const end = performance.now() + QUEUE_MS
  let more = true
  while (more && performance.now() < end) more = await runPass(deps, contaId)
}

/**
 * True if more may be given away. At most one pass for a conta runs at a time on all nodes; others return immediately.
 */
async function runPass(deps: DistributionDeps, contaId: string): Promise<boolean> {
  const { db, crashPoint } = deps
  return db.transaction(
    contaId,
    async (tx) => {
      if (await isPassRunning(tx, { contaId })) return false
      if ((await takeQueueSignals(tx, { contaId, now: deps.clock.now() })).length === 0) return false
      // First, so that a crash comes before the other callbacks publish.
      tx.afterCommit(() => crashPoint('distribuicao.apos-commit'))
      const { config } = await loadConfig(tx, deps, contaId)
      const { distribuicao, semNinguem } = config.atendimento
      const full = distribuicao.modo === 'automatica' && (await assignQueue(tx, deps, contaId, distribuicao))
      if (semNinguem.trim() !== '') await noticeAbsence(tx, deps, contaId, config)
      crashPoint('distribuicao.antes-commit')
      return full
    },
    { planner: 'indexes' },
  )
}

type Rules = Config['atendimento']['distribuicao']

async function assignQueue(tx: Tx, deps: DistributionDeps, contaId: string, rules: Rules): Promise<boolean> {
  const team = await readTakers(tx, deps, contaId)
  const planned = (await planAssignments(tx, deps, contaId, { rules, team, ids: null })).slice(0, PASS_MAX)
  if (planned.length === 0) return false
  const ids = planned.map(({ conversaId }) => conversaId)
  await lockContatosOf(tx, { contaId, ids })
  const people = team.map(({ id }) => id)
  // A busy person is a candidate a moment later, so the next round repeats the pass.
  if ((await lockPeople(tx, { contaId, ids: people })) < people.length) {
    await signalQueues(tx, { contas: [contaId] })
    return false
  }
  // Read again under the locks: an operador may have taken a conversa meanwhile.
  const free = (await readTakers(tx, deps, contaId)).filter(({ id }) => people.includes(id))
  const assigned = await planAssignments(tx, deps, contaId, { rules, team: free, ids })
  await storeAssignments(tx, deps, contaId, { rules, team, assigned })
  const full = planned.length === PASS_MAX
  if (full) await signalQueues(tx, { contas: [contaId] })
  return full
}

async function readTakers(tx: Tx, { clock }: Pick<Deps, 'clock'>, contaId: string): Promise<TeamMember[]> {
  const team = await readTeam(tx, contaId, new Date(clock.now().getTime() - OFFLINE_MS))
  return team.filter(({ takes }) => takes)
}

interface Plan {
  readonly rules: Rules
  readonly team: readonly TeamMember[]
}

async function planAssignments(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  contaId: string,
  { rules, team, ids }: Plan & { readonly ids: readonly string[] | null },
): Promise<Assignment[]> {
  if (team.length === 0) return []
  const waiting = await readQueue(tx, { contaId, p: team, ids })
  return assignWaiting(team, waiting, { capacity: rules.capacidade, now: deps.clock.now().getTime() })
}

async function storeAssignments(
  tx: Tx,
  deps: DistributionDeps,
  contaId: string,
  { rules, team, assigned }: Plan & { readonly assigned: readonly Assignment[] },
): Promise<void> {
  if (assigned.length === 0) return
  const now = deps.clock.now()
  const acts = assigned.map(({ conversaId, personId }) => {
    const nome = team.find(({ id }) => id === personId)?.nome ?? ''
    const conversa = { contaId, id: conversaId }
    return { id: conversaId, apply: () => assignConversa(tx, deps, conversa, { id: personId, nome }) }
  })
  await applyTogether(tx, contaId, acts)
  await recordReceived(tx, { contaId, ids: [...new Set(assigned.map(({ personId }) => personId))], now })
  if (rules.semRespostaMinutos === 0) return
  const until = new Date(now.getTime() + rules.semRespostaMinutos * 60_000)
  await startReplyTimers(tx, { contaId, until, assigned })
}
