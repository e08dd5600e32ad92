import type { LRUCache } from 'lru-cache'
import { reachesCustomer } from '@balcao/engine/effect'
import type { InboundMessage } from '@balcao/connector/port'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Batcher } from '#lib/queue/batcher.ts'
import { cleanServiceText, TEXT_MAX } from '#lib/text.ts'
import { localDay } from '#lib/time.ts'
import type { ChangedRow } from '#modules/conversas/index.ts'
import { addressKey, canonicalAddress } from '#modules/enderecos/index.ts'
import { seenMarks } from '#modules/exclusao/index.ts'
import { situationsById } from '#modules/leitores/index.ts'
import { prepareLogs } from '#modules/logs/index.ts'
import { mailQuotaMarks } from '#modules/emails/index.ts'
import { remainingToday } from '#modules/limites/index.ts'
import { QUOTE_MAX } from '#modules/mensagens/index.ts'
import { type AccountContext, contextOfLine, isLineDeleted } from '#modules/ia/index.ts'
import type { DialogueRef, SentEvent } from '#deps.ts'
import type { Bots, BuildEvent, LineKey } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { AccountContexts } from '#bot/context.ts'
import type { AddressJoins } from '#bot/identity/addresses.ts'
import { decide, type Plan, planTurn } from './decide.ts'
import { buildShown, type Changed, type EffectDeps, readShown, returnsCard, runEffects } from './effects.ts'
import type { ContatoFinder } from './find-contatos.ts'
import { answerNeeds, findCarts } from './needs.ts'
import { type Locked, lockContatos } from './read.ts'
import { collectRecords, insertRecords, logNotAnswered, recordFullContas } from './records.ts'
import type { Decision, LocatedTurn, LockedContato, Turn } from './types.ts'
import { finishExpired, writeDecisions, type Written as WrittenRows } from './write.ts'

export interface TurnDeps extends BotDeps, EffectDeps {
  readonly contexts: AccountContexts
  readonly addresses: AddressJoins
  readonly contatos: ContatoFinder
  readonly queue: Pick<Batcher<Turn>, 'add'>
  readonly bots: Bots
  /** Contas at their daily limit. Their answers are marked `limite` without reading the counter. */
  readonly fullContas: LRUCache<string, true>
}

export interface BatchMode {
  /** Reads the remaining messages under the counter's lock, instead of failing when the batch does not fit. */
  readonly count: boolean
  readonly silent: boolean
  readonly locks: Parameters<typeof lockContatos>[2]
}

export const NORMAL_MODE: BatchMode = { count: false, silent: false, locks: 'skip' }

/**
 * A batch has turns of several contas. It skips locked contatos, but a new contato may wait for an import that creates
 * the same one.
 */
const LOCK_MS = 500

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
  { contaId, linhaId }: LineKey,
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
    const turn = { tipo: 'mensagem', key, contaId, linhaId, channel, canonical, message, marks, arrivedAt } as const
    bot.queue.add({ ...turn, resolve, reject })
  })
  // Before the acknowledgement: after a crash the repeated message joins what a concurrent turn kept apart.
  if (joining !== null) await bot.addresses.join(contaId, message)
}

/** PostgreSQL rejects NUL and lone surrogates, and one bad message must not fail a whole batch. */
function cleanMessage(message: InboundMessage): InboundMessage {
  const { outrosEnderecos, midia, citada, nomeUsuario } = message
  return {
    ...message,
    id: cleanServiceText(message.id, 300),
    endereco: cleanServiceText(message.endereco, 300),
    nome: cleanServiceText(message.nome, 120),
    telefone: cleanServiceText(message.telefone, 30),
    texto: cleanServiceText(message.texto, TEXT_MAX),
    ...(nomeUsuario === undefined ? {} : { nomeUsuario: cleanServiceText(nomeUsuario, 60) }),
    ...(outrosEnderecos === undefined
      ? {}
      : { outrosEnderecos: outrosEnderecos.map((other) => cleanServiceText(other, 300)) }),
    ...(midia === undefined ? {} : { midia: cleanMidia(midia) }),
    ...(citada === undefined ? {} : { citada: { ...citada, texto: cleanServiceText(citada.texto, QUOTE_MAX) } }),
  }
}

function cleanMidia({ nomeArquivo, mimeType, ...rest }: Midia): Midia {
  return {
    ...rest,
    ...(nomeArquivo === undefined ? {} : { nomeArquivo: cleanServiceText(nomeArquivo, 300) }),
    ...(mimeType === undefined ? {} : { mimeType: cleanServiceText(mimeType, 200) }),
  }
}

/**
 * Runs one batch in one transaction, at most one turn per contato. Acknowledges and answers after the commit. Throws
 * `ContatoGone`, `LimitReached` (unless `mode.count`) and `EngineFailed` (unless `mode.silent`); nothing is stored
 * then, and batch.ts repeats it. Returns the turns that must run later: `deferred` behind another turn of their contato,
 * `blocked` because another transaction holds their contato.
 */
export async function handleBatch(
  bot: TurnDeps,
  turns: readonly Turn[],
  mode: BatchMode,
): Promise<Readonly<Record<'deferred' | 'blocked', readonly Turn[]>>> {
  const ready = await bot.contexts.attach(turns)
  if (ready.length === 0) return { deferred: [], blocked: [] }
  const contas = [...new Set(ready.map(({ turn }) => turn.contaId))]
  const began = performance.now()
  const stored = await bot.db.transaction(
    contas,
    async (tx) => {
      const { items, deferred } = await bot.contatos.find(tx, ready)
      const batch = await storeBatch(tx, bot, items, mode)
      tx.commitBehind(batch.written)
      return { ...batch, deferred }
    },
    { planner: 'indexes', lockMs: LOCK_MS },
  )
  const { decisions, deferred, blocked } = stored
  const later = new Set([...deferred, ...blocked])
  const done = ready.flatMap(({ turn }) => (later.has(turn) ? [] : [turn]))
  measure(bot, decisions, done, (performance.now() - began) / 1_000)
  acknowledge(bot, done)
  const { uses, ...changed } = await stored.written
  runEffects(bot, decisions, changed)
  mailQuotaMarks(bot, uses).catch((error: unknown) => bot.log.warn({ err: error }, 'daily-limit e-mail not queued'))
  return { deferred, blocked }
}

function measure(
  { metrics }: Pick<TurnDeps, 'metrics'>,
  decisions: readonly Decision[],
  done: readonly Turn[],
  seconds: number,
): void {
  metrics.observeBatch(seconds)
  metrics.countRepeated(done.length - decisions.length)
  for (const { turn } of decisions) if (turn.tipo === 'mensagem') metrics.countReceived(turn.channel)
}

interface Written extends Changed, Pick<WrittenRows, 'uses'> {}

const NOTHING_WRITTEN: Promise<Written> = Promise.resolve({ uses: [], situacoes: new Map(), shown: new Map() })

/**
 * Locks the contatos, runs the engine for every turn and writes the results in the caller's transaction. The decisions
 * are in order, without repeated messages. `written` may still be pending.
 */
async function storeBatch(tx: Tx, bot: TurnDeps, items: readonly LocatedTurn[], mode: BatchMode) {
  const { plans: first, blocked } = await planAll(tx, bot, items, mode)
  const plans = await findCarts(tx, first)
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
async function writeAll(
  tx: Tx,
  bot: TurnDeps,
  decisions: readonly Decision[],
  expired: readonly ChangedRow[],
): Promise<Written> {
  const records = collectRecords(bot, decisions)
  const logs = prepareLogs(tx, bot, records.logs)
  const [{ uses, changed }, , read] = await inOrder([
    writeDecisions(tx, decisions, { logs, asCard: (decision) => returnsCard(bot, decision) }),
    insertRecords(tx, bot, decisions, records),
    readShown(tx, bot, decisions),
  ])
  const shown = new Map([...buildShown(decisions, changed), ...read].map((conversa) => [conversa.id, conversa]))
  return { uses, situacoes: situationsById([...expired, ...changed]), shown }
}

/** Locks in the order of `items` and runs the engine for every turn. Leaves out repeated messages. */
async function planAll(tx: Tx, bot: TurnDeps, items: readonly LocatedTurn[], { count, silent, locks }: BatchMode) {
  const locked = await lockContatos(tx, items, locks)
  const moved = await reloadMoved(tx, bot, items, locked)
  const now = bot.clock.now()
  const plans: Plan[] = []
  const blocked: Turn[] = []
  for (const [index, item] of items.entries()) {
    const { turn } = item
    const contato = locked[index] ?? 'gone'
    if (contato === 'gone') throw new ContatoGone()
    if (contato === 'blocked') blocked.push(turn)
    if (contato === 'blocked' || contato.repeated) continue
    const context = currentContext(item, moved)
    if (isUnreadable(turn, context)) continue
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

function currentContext({ turn, context }: LocatedTurn, moved: ReadonlyMap<string, AccountContext>): AccountContext {
  const reloaded = moved.get(context.contaId)
  return reloaded === undefined ? context : contextOfLine(reloaded, turn.linhaId)
}

/** A message on a deleted line is not stored, because no screen offers its conversa. The phone keeps it. */
function isUnreadable({ tipo, linhaId }: Turn, context: AccountContext): boolean {
  return tipo === 'mensagem' && isLineDeleted(context, linhaId)
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
    return typeof contato === 'string' ? [] : [{ context, storedVersion: contato.contextVersion }]
  })
  const moved = await bot.contexts.reloadIn(tx, used)
  for (const contaId of moved.keys()) bot.fullContas.delete(contaId)
  return moved
}

/** False if the turn sends no message for certain. */
function mayWrite({ step }: Plan): boolean {
  return step?.need !== undefined || step?.effects.some((effect) => reachesCustomer(effect)) === true
}

function acknowledge(bot: TurnDeps, done: readonly Turn[]): void {
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
  { contaId, linhaId, contatoId }: DialogueRef,
  event: BuildEvent,
): Promise<SentEvent> {
  const context = contextOfLine(await bot.contexts.getIn(tx, contaId), linhaId)
  const settle = (): void => undefined
  const turn = { tipo: 'evento', key: '', contaId, linhaId, contatoId, event, resolve: settle, reject: settle } as const
  const alone = { count: true, silent: false, locks: 'wait' } as const
  const { decisions, written } = await storeBatch(tx, bot, [{ turn, context, contatoId, created: null }], alone)
  const stored = written.then((changed) => tx.afterCommit(() => runEffects(bot, decisions, changed)))
  // Prevents an unhandled rejection. The caller awaits it.
  stored.catch(() => undefined)
  return { stored }
}

/** Ids for one turn: each is greater than the one before and than all messages of the contato. */
function idsAfter({ ids }: Pick<TurnDeps, 'ids'>, { lastId }: LockedContato): () => string {
  let last = lastId
  return () => (last = ids.uuidAfter(last))
}
