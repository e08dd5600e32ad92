import type { LRUCache } from 'lru-cache'
import { reachesCustomer } from '@balcao/engine/effect'
import type { InboundMessage } from '@balcao/connector/port'
import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Batcher } from '#lib/queue/batcher.ts'
import { localDay } from '#lib/time.ts'
import { addressKey, canonicalAddress } from '#modules/enderecos/index.ts'
import { seenMarks } from '#modules/exclusao/index.ts'
import { mailQuotaMarks } from '#modules/emails/index.ts'
import { remainingToday } from '#modules/limites/index.ts'
import type { AccountContext } from '#modules/ia/index.ts'
import type { SentEvent } from '#deps.ts'
import type { BuildEvent } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import { cleanMessage } from '#bot/clean-message.ts'
import type { AccountContexts } from '#bot/context.ts'
import type { AddressJoins } from '#bot/identity/addresses.ts'
import { decide, type Plan, planTurn } from './decide.ts'
import { type EffectDeps, runEffects } from './effects.ts'
import type { ContatoFinder } from './find-contatos.ts'
import { answerNeeds } from './needs.ts'
import { type Locked, type LockedContato, lockContatos, type LockMode, type LockTarget } from './read.ts'
import { insertRecords, logNotAnswered, recordFullContas } from './records.ts'
import type { Decision, LocatedTurn, ReadyTurn, Turn } from './types.ts'
import { finishExpired, writeDecisions, type Situations, type Written } from './write.ts'

export interface TurnDeps extends BotDeps, EffectDeps {
  readonly contexts: AccountContexts
  readonly addresses: AddressJoins
  readonly contatos: ContatoFinder
  readonly queue: Pick<Batcher<Turn>, 'add'>
  /** Contas at their daily limit. Their answers are marked `limite` without reading the counter. */
  readonly fullContas: LRUCache<string, true>
}

export interface BatchMode {
  /** Reads the remaining messages under the counter's lock, instead of failing when the batch does not fit. */
  readonly count: boolean
  /** Stores the message without running the engine. */
  readonly silent: boolean
  readonly locks: LockMode
}

export const NORMAL_MODE: BatchMode = { count: false, silent: false, locks: 'skip' }

/**
 * A batch has turns of several contas. It skips locked contatos, but a new contato may wait for an import that creates
 * the same one.
 */
const LOCK_MS = 500

interface HandledBatch {
  readonly deferred: readonly Turn[]
  /** Turns whose contato another transaction holds. */
  readonly blocked: readonly Turn[]
}

/** The contato was erased or merged between the lookup and the lock. */
export class ContatoGone extends Error {
  constructor() {
    super('contato erased or merged during the batch')
  }
}

/**
 * Stores one inbound message and answers it. Resolves after the commit. A repeated message resolves too and changes
 * nothing.
 */
export async function handleMessage(
  bot: TurnDeps,
  contaId: string,
  channel: string,
  raw: InboundMessage,
): Promise<void> {
  if (raw.grupo === true) return
  const message = cleanMessage(raw)
  const arrivedAt = performance.now()
  bot.crashPoint('entrada.recebida')
  const joining = bot.addresses.join(contaId, message)
  // Without a merge the message is queued before the next one arrives.
  if (joining !== null) await joining
  const canonical = canonicalAddress(message.telefone, message.endereco)
  const key = addressKey(contaId, canonical)
  const marks = seenMarks(bot, contaId, channel, message.id)
  await new Promise<void>((resolve, reject) => {
    bot.queue.add({ tipo: 'mensagem', key, contaId, channel, canonical, message, marks, arrivedAt, resolve, reject })
  })
  // Before the acknowledgement: after a crash the repeated message joins what a concurrent turn kept apart.
  if (joining !== null) await bot.addresses.join(contaId, message)
}

/**
 * Runs one batch in one transaction, at most one turn per contato. Acknowledges and answers after the commit. Throws
 * `ContatoGone`, `LimitReached` (unless `mode.count`) and `EngineFailed` (unless `mode.silent`); nothing is stored
 * then, and batch.ts repeats it.
 */
export async function handleBatch(bot: TurnDeps, turns: readonly Turn[], mode: BatchMode): Promise<HandledBatch> {
  const ready = await bot.contexts.attach(turns)
  if (ready.length === 0) return { deferred: [], blocked: [] }
  const began = performance.now()
  const store = (tx: Tx): Promise<StoredTurns> => storeTurns(tx, bot, ready, mode)
  const stored = await bot.db.transaction(contasOf(ready), store, { planner: 'indexes', lockMs: LOCK_MS })
  measure(bot, stored, (performance.now() - began) / 1_000)
  acknowledge(bot, stored)
  await announce(bot, stored)
  return stored
}

interface StoredTurns extends HandledBatch, StoredBatch {
  /** Turns that are stored now, or were stored before. */
  readonly done: readonly Turn[]
}

/** Everything that the transaction of a batch does. */
async function storeTurns(tx: Tx, bot: TurnDeps, ready: readonly ReadyTurn[], mode: BatchMode): Promise<StoredTurns> {
  const { items, deferred } = await bot.contatos.find(tx, ready)
  const stored = await storeBatch(tx, bot, items, mode)
  tx.commitBehind(stored.written)
  const left = new Set([...deferred, ...stored.blocked])
  return { ...stored, deferred, done: ready.flatMap(({ turn }) => (left.has(turn) ? [] : [turn])) }
}

/** After the commit: sends the answers and publishes what happened. */
async function announce(bot: TurnDeps, { decisions, written }: StoredBatch): Promise<void> {
  const { uses, situacoes } = await written
  runEffects(bot, decisions, situacoes)
  mailQuotaMarks(bot, uses).catch((error: unknown) => bot.log.warn({ err: error }, 'daily-limit e-mail not queued'))
}

function measure({ metrics }: Pick<TurnDeps, 'metrics'>, { decisions, done }: StoredTurns, seconds: number): void {
  metrics.observeBatch(seconds)
  metrics.countRepeated(done.length - decisions.length)
  for (const { turn } of decisions) if (turn.tipo === 'mensagem') metrics.countReceived(turn.channel)
}

const NOTHING_WRITTEN: Promise<Written> = Promise.resolve({ uses: [], situacoes: new Map() })

interface StoredBatch {
  /** In order, without repeated messages. */
  readonly decisions: readonly Decision[]
  readonly blocked: readonly Turn[]
  /** May still be pending. */
  readonly written: Promise<Written>
}

/** Locks the contatos, runs the engine for every turn and writes the results in the caller's transaction. */
async function storeBatch(tx: Tx, bot: TurnDeps, items: readonly LocatedTurn[], mode: BatchMode): Promise<StoredBatch> {
  const { plans, blocked } = await planAll(tx, bot, items, mode)
  const answers = await answerNeeds(tx, bot, plans)
  const decisions = plans.map((plan, index) => decide(plan, answers[index] ?? null))
  if (decisions.length === 0) return { decisions, blocked, written: NOTHING_WRITTEN }
  const expired = await finishExpired(tx, decisions)
  const written = writeAll(tx, bot, decisions, expired)
  // Prevents an unhandled rejection. The caller awaits it.
  written.catch(() => undefined)
  if (mode.count) for (const contaId of await recordFullContas(tx, bot, decisions)) bot.fullContas.set(contaId, true)
  if (mode.silent) await logNotAnswered(tx, bot, decisions)
  for (const { turn } of decisions) if (turn.tipo === 'mensagem') bot.crashPoint('entrada.antes-commit')
  bot.crashPoint('resposta.antes-commit')
  return { decisions, blocked, written }
}

/** Sends all statements without waiting for their results: the rows that a whole conta shares stay locked for less time. */
async function writeAll(tx: Tx, bot: TurnDeps, decisions: readonly Decision[], expired: Situations): Promise<Written> {
  const [{ uses, situacoes }] = await inOrder([writeDecisions(tx, decisions), insertRecords(tx, bot, decisions)])
  return { uses, situacoes: expired.size === 0 ? situacoes : new Map([...expired, ...situacoes]) }
}

interface PlannedBatch {
  readonly plans: readonly Plan[]
  readonly blocked: readonly Turn[]
}

/** Locks in the order of `items` and runs the engine for every turn. Leaves out repeated messages. */
async function planAll(
  tx: Tx,
  bot: TurnDeps,
  items: readonly LocatedTurn[],
  { count, silent, locks }: BatchMode,
): Promise<PlannedBatch> {
  const locked = await lockContatos(tx, items.map(toLockTarget), locks)
  const moved = await reloadMoved(tx, bot, items, locked)
  const now = bot.clock.now()
  const plans: Plan[] = []
  const blocked: Turn[] = []
  for (const [index, { turn, context: cached }] of items.entries()) {
    const contato = locked[index] ?? 'gone'
    if (contato === 'gone') throw new ContatoGone()
    if (contato === 'blocked') blocked.push(turn)
    if (contato === 'blocked' || contato.repeated) continue
    const context = moved.get(cached.contaId) ?? cached
    const { contaId, fuso } = context
    const day = localDay(now, fuso)
    const planWith = (remaining: number): Plan =>
      planTurn({ turn, contato, context, now, day, uuid: idsAfter(bot, contato), remaining, silent })
    const plan = planWith(!count && bot.fullContas.has(contaId) ? 0 : Infinity)
    // The counter row is shared by the whole conta and stays locked until the COMMIT.
    plans.push(count && mayWrite(plan) ? planWith(await remainingToday(tx, contaId, day)) : plan)
  }
  return { plans, blocked }
}

/** The contexts that changed since they were cached, whether or not the notice of the change arrived. */
async function reloadMoved(
  tx: Tx,
  bot: TurnDeps,
  items: readonly LocatedTurn[],
  locked: readonly Locked[],
): Promise<ReadonlyMap<string, AccountContext>> {
  const used = items.flatMap(({ context }, index) => {
    const contato = locked[index] ?? 'gone'
    return typeof contato === 'string' ? [] : [{ context, version: contato.contextVersion }]
  })
  const moved = await bot.contexts.reloadIn(tx, used)
  for (const contaId of moved.keys()) bot.fullContas.delete(contaId)
  return moved
}

/** False if the turn sends no message for certain. */
function mayWrite({ step }: Plan): boolean {
  return step?.need !== undefined || step?.effects.some((effect) => reachesCustomer(effect)) === true
}

function toLockTarget({ turn, context, contatoId, created }: LocatedTurn): LockTarget {
  const { contaId } = context
  if (turn.tipo === 'evento') return { contaId, contatoId, created, channel: null, idExterno: null, marks: null }
  const { channel, message, marks } = turn
  return { contaId, contatoId, created, channel, idExterno: message.id, marks }
}

function contasOf(ready: readonly ReadyTurn[]): string[] {
  return [...new Set(ready.map(({ turn }) => turn.contaId))]
}

function acknowledge(bot: TurnDeps, { done }: StoredTurns): void {
  for (const turn of done) if (turn.tipo === 'mensagem') bot.crashPoint('entrada.apos-commit')
  for (const turn of done) turn.resolve()
}

/**
 * Applies one event inside the caller's transaction and resolves when its writes are sent. Its messages leave after that
 * commit.
 */
export async function sendEventIn(
  tx: Tx,
  bot: TurnDeps,
  { contaId, contatoId }: { readonly contaId: string; readonly contatoId: string },
  event: BuildEvent,
): Promise<SentEvent> {
  const context = await bot.contexts.getIn(tx, contaId)
  const settle = (): void => undefined
  const turn = { tipo: 'evento', key: '', contaId, contatoId, event, resolve: settle, reject: settle } as const
  const alone = { count: true, silent: false, locks: 'wait' } as const
  const { decisions, written } = await storeBatch(tx, bot, [{ turn, context, contatoId, created: null }], alone)
  const stored = written.then(({ situacoes }) => tx.afterCommit(() => runEffects(bot, decisions, situacoes)))
  // Prevents an unhandled rejection. The caller awaits it.
  stored.catch(() => undefined)
  return { stored }
}

/** Ids for one turn: each is greater than the one before and than all messages of the contato. */
function idsAfter({ ids }: Pick<TurnDeps, 'ids'>, { lastId }: LockedContato): () => string {
  let last = lastId
  return () => (last = ids.uuidAfter(last))
}
