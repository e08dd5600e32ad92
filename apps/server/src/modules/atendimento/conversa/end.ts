import * as z from 'zod/mini'
import type { BodyOf } from '@balcao/contract/define-route'
import type { finalizarConversaRoute } from '@balcao/contract/routes/atendimento-conversa'
import { inOrder, manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { sql } from '#db/statement/sql.ts'
import type { Deps } from '#deps.ts'
import { updateFinished, finishQuietAgents } from '#modules/conversas/index.ts'
import { scheduleFarewell } from '#modules/despedidas/index.ts'
import { audienceOf, audienceOfEnded, SERVER_READER } from '#modules/leitores/index.ts'
import type { LoginSession } from '#http/authentication.ts'
import type { BuildEvent } from '#ports/bots.ts'
import { type ActDeps, applyTogether, type ConversaRef, requireActed, requireOpen } from './change.ts'

export type End =
  /** The bot says goodbye and may ask for a rating. */
  | ({ readonly tipo: 'finalizar'; readonly por: string } & BodyOf<typeof finalizarConversaRoute>)
  /** The bot shows the menu, without a goodbye and without a rating. */
  | { readonly tipo: 'devolver'; readonly por: string }
  /** The customer did not answer: the bot only says goodbye. */
  | { readonly tipo: 'silencio' }

interface EndPlan {
  readonly event: BuildEvent
  readonly motivo: 'atendente' | 'devolvida' | 'inatividade'
  readonly ato: 'finalizar' | 'encerrar' | 'outro'
  readonly por: string | null
  /** A farewell that leaves later. Null: the event sends all that the customer receives. */
  readonly farewell: { readonly waitMs: number; readonly semAvaliacao: boolean } | null
}

function planEnd(end: End): EndPlan {
  switch (end.tipo) {
    case 'devolver': {
      const event: BuildEvent = (base) => ({ tipo: 'devolvidaAoBot', ...base })
      return { event, motivo: 'devolvida', ato: 'outro', por: end.por, farewell: null }
    }
    case 'silencio': {
      const event: BuildEvent = (base) => ({ tipo: 'silencioEncerrou', ...base })
      return { event, motivo: 'inatividade', ato: 'outro', por: null, farewell: null }
    }
    case 'finalizar':
      return planFinish(end)
  }
}

function planFinish({
  por,
  silencioso = false,
  semAvaliacao = false,
  esperaSegundos = 0,
}: Extract<End, { tipo: 'finalizar' }>): EndPlan {
  const silent: BuildEvent = (base) => ({ tipo: 'atendenteEncerrou', ...base })
  const ofPerson = { motivo: 'atendente', por } as const
  if (silencioso) return { ...ofPerson, event: silent, ato: 'encerrar', farewell: null }
  if (esperaSegundos > 0) {
    const farewell = { waitMs: esperaSegundos * 1_000, semAvaliacao }
    return { ...ofPerson, event: silent, ato: 'finalizar', farewell }
  }
  const event: BuildEvent = (base) => ({
    tipo: 'atendenteFinalizou',
    ...(semAvaliacao ? { semAvaliacao } : {}),
    ...base,
  })
  return { ...ofPerson, event, ato: 'outro', farewell: null }
}

export type EndDeps = Pick<ActDeps, 'clock' | 'realtime' | 'sendEventIn'> & Pick<Deps, 'lookForDueIn'>

export async function endConversa(tx: Tx, deps: EndDeps, ref: ConversaRef, end: End): Promise<void> {
  const { contaId, id } = ref
  const { clock, realtime, sendEventIn } = deps
  const { event: build, motivo, ato, por, farewell } = planEnd(end)
  const { contatoId, linhaId } = await requireOpen(tx, ref)
  const event = await sendEventIn(tx, { contaId, linhaId, contatoId }, build)
  const em = clock.now()
  const [, acted] = await inOrder([
    event.stored,
    updateFinished(tx, { contaId, id, em, motivo, ato, por }),
    sendLater(tx, deps, { contaId, conversaId: id, em }, farewell),
  ])
  const { before, situacao } = await requireActed(tx, ref, acted)
  tx.afterCommit(() => {
    const ended = { userId: contaId, conversaId: id, revisao: situacao.revisao }
    realtime.publishConversa(contaId, 'conversaFinalizada', ended, audienceOf(before))
  })
}

interface Ended {
  readonly contaId: string
  readonly conversaId: string
  readonly em: Date
}

/** A timer may fire 1 ms early, and the look must find the farewell due. */
const TIMER_MARGIN_MS = 20

async function sendLater(
  tx: Tx,
  { lookForDueIn }: Pick<Deps, 'lookForDueIn'>,
  { em, ...ended }: Ended,
  farewell: EndPlan['farewell'],
): Promise<void> {
  if (farewell === null) return
  const { waitMs, semAvaliacao } = farewell
  await scheduleFarewell(tx, { ...ended, semAvaliacao, leavesAt: new Date(em.getTime() + waitMs) })
  tx.afterCommit(() => lookForDueIn(waitMs + TIMER_MARGIN_MS))
}

const ENDED_AT_ONCE = 100

/** Ends conversas of a line that is deleted, without a farewell. Leaves out those that ended meanwhile. */
export async function endConversasSilently(
  deps: EndDeps & Pick<Deps, 'db'>,
  { contaId, usuarioId: por }: LoginSession,
  ids: readonly string[],
): Promise<void> {
  const end: End = { tipo: 'finalizar', por, silencioso: true }
  for (let first = 0; first < ids.length; first += ENDED_AT_ONCE) {
    const batch = ids.slice(first, first + ENDED_AT_ONCE)
    await deps.db.transaction(contaId, (tx) =>
      applyTogether(
        tx,
        contaId,
        batch.map((id) => ({
          id,
          apply: (inner: Tx) => endConversa(inner, deps, { contaId, id, reader: SERVER_READER }, end),
        })),
      ),
    )
  }
}

/** Meta's agent may write until the customer has been silent for 24 hours. */
const QUIET_MS = 24 * 3_600_000
const BATCH_SIZE = 200

const listAgentContas = manyRows(
  'atendimento: list contas with agents',
  z.object({ contaId: z.string() }),
  sql`select distinct conta_id from conversas where agente_meta`,
)

export async function finishQuietAgentConversas(deps: Pick<Deps, 'db' | 'clock' | 'realtime'>): Promise<number> {
  const { db, clock, realtime } = deps
  const em = clock.now()
  const quiet = { before: new Date(em.getTime() - QUIET_MS), em, limit: BATCH_SIZE }
  let finished = 0
  for (const { contaId } of await db.transaction('*', (tx) => listAgentContas(tx, {}))) {
    for (;;) {
      const ended = await db.transaction(contaId, (tx) => finishQuietAgents(tx, { contaId, ...quiet }))
      for (const conversa of ended) {
        const event = { userId: contaId, conversaId: conversa.id, revisao: conversa.revisao }
        realtime.publishConversa(contaId, 'conversaFinalizada', event, audienceOfEnded(conversa))
      }
      finished += ended.length
      if (ended.length < BATCH_SIZE) break
    }
  }
  return finished
}
