import { type AvisoPush, type TipoAvisoPush, tipoAvisoPushSchema } from '@balcao/contract/entities/push'
import type { Deps } from '#deps.ts'
import { createJob, every, type Job } from '#lib/every.ts'
import { type Gate, createGate } from '#lib/queue/gate.ts'
import { ReservedWork } from '#db/reserved-work.ts'
import { readVapidKeys } from '#modules/usuarios/index.ts'
import type { PushDestination, PushOutcome, VapidKeys } from '#ports/push/sender.ts'
import { deleteFinishedNotices, queueDueNotices } from './notices.ts'
import { deleteEndedSubscriptions, deleteSubscription, openDestination } from './subscriptions.ts'
import { type DueNotice, type NoticeTarget, claimNotices, listTargets, settleNotice } from './queue.ts'

const LOOK_MS = 2_000
/** Of nodes that do not look. They send when the node that looks is slow or dead. */
const SEND_MS = 30_000
const CLEAN_MS = 60_000

type PushDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'log' | 'leader' | 'push'>

/** The leader finds new notices every 2 s and sends the due ones. Notices that a dead node reserved wait for a minute. */
export function pushJob(deps: PushDeps): Job {
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'push notices not handled, retrying')
  const sender = createNoticeSender(deps)
  const look = async (): Promise<void> => {
    await queueDueNotices(deps)
    await sender.start()
  }
  const clean = async (): Promise<void> => {
    await deleteEndedSubscriptions(deps)
    await deleteFinishedNotices(deps)
  }
  const job = createJob(() => [
    every({ ms: SEND_MS, task: () => sender.start(), failed }),
    deps.leader.every({ name: 'push', ms: LOOK_MS, task: look, failed }),
    deps.leader.every({ name: 'push-limpeza', ms: CLEAN_MS, task: clean, failed }),
  ])
  return { ...job, stop: async () => void (await Promise.all([job.stop(), sender.stop()])) }
}

const TITLES: Readonly<Record<TipoAvisoPush, string>> = {
  fila: 'Um cliente espera atendimento',
  mensagem: 'Nova mensagem em uma conversa sua',
  mencao: 'Mencionaram você em uma nota',
  botDesconectado: 'O bot está desconectado',
  teste: 'Os avisos funcionam neste aparelho',
}

const NAMED: Partial<Readonly<Record<TipoAvisoPush, (nome: string) => string>>> = {
  fila: (nome) => `${nome} espera atendimento`,
  mensagem: (nome) => `Nova mensagem de ${nome}`,
  mencao: (nome) => `Mencionaram você em uma nota de ${nome}`,
}

function noticeOf(tipo: TipoAvisoPush, conversaId: string | null, nome: string | null): AvisoPush {
  const titulo = nome === null ? TITLES[tipo] : (NAMED[tipo]?.(nome) ?? TITLES[tipo])
  return { titulo, tipo, ...(conversaId === null ? {} : { conversaId }) }
}

/** Notices that a node sends at once. Each goes to at most 20 browsers. */
const AT_ONCE = 128
const PER_CONTA = 4
/** Requests at once of a node, of one conta, and to one push service, which may accept them and not answer. */
const REQUESTS = 128
const REQUESTS_PER_CONTA = 16
const REQUESTS_PER_HOST = 32
const WAIT_MS = 10_000

type SendDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'log' | 'push'>

interface SendContext extends SendDeps {
  readonly ofConta: Gate
  readonly ofHost: Gate
}

/**
 * Sends due notices. Each is reserved, sent outside any transaction and then settled. After a crash in between it is
 * sent again. A push service that does not answer delays only its own requests and those of the same conta.
 */
export function createNoticeSender(deps: SendDeps): ReservedWork<NoticeWithKeys> {
  const { db, clock, log } = deps
  const gates = { ofConta: createRequestGate(REQUESTS_PER_CONTA), ofHost: createRequestGate(REQUESTS_PER_HOST) }
  return new ReservedWork({
    atOnce: AT_ONCE,
    contaOf: ({ notice }) => notice.contaId,
    reserve: async ({ total, running }) => {
      const r = [...running].map(([contaId, count]) => ({ contaId, running: count }))
      const claim = { now: clock.now(), max: total, perConta: PER_CONTA, r }
      const due = await db.transaction('*', (tx) => claimNotices(tx, claim), { oneTrip: true })
      if (due.length === 0) return []
      const keys = await readVapidKeys(deps)
      return due.map((notice) => ({ notice, keys }))
    },
    handle: (item) => sendNotice({ ...deps, ...gates }, item),
    // The row stays reserved for a minute. Its attempts count, so it ends.
    failed: (error) => log.error({ err: error }, 'push notice not settled'),
  })
}

interface NoticeWithKeys {
  readonly notice: DueNotice
  readonly keys: VapidKeys
}

async function sendNotice(context: SendContext, { notice, keys }: NoticeWithKeys): Promise<void> {
  const { db, clock, log } = context
  const { contaId } = notice
  let outcome: { readonly delivered: readonly string[]; readonly failed: boolean }
  try {
    const targets = await db.read(contaId, (tx) => listTargets(tx, { ...notice, now: clock.now() }))
    const outcomes = await Promise.all(targets.map((target) => sendTo(context, { notice, target, keys })))
    const delivered = targets.filter((_target, index) => outcomes[index] === 'delivered').map(({ id }) => id)
    outcome = { delivered, failed: outcomes.includes('failed') }
  } catch (error) {
    log.warn({ err: error, contaId }, 'push notice not sent')
    outcome = { delivered: [], failed: true }
  }
  await db.transaction(contaId, (tx) => settleNotice(tx, notice, { ...outcome, now: clock.now() }))
}

/** Deletes a subscription that its push service does not know any more, or whose service is not accepted. */
async function sendTo(context: SendContext, { notice, target, keys }: Delivery): Promise<PushOutcome> {
  const { push, ofConta, ofHost } = context
  const { contaId, conversaId, tipo } = notice
  const text = JSON.stringify(noticeOf(tipoAvisoPushSchema.parse(tipo), conversaId, target.nome))
  const destination = openDestination(context, { contaId, ...target })
  const deliver = async (to: PushDestination): Promise<PushOutcome> => {
    const request = (): Promise<PushOutcome> => push.send(to, text, keys)
    return ofConta.run(() => ofHost.run(request, new URL(to.endpoint).host), contaId).catch(failedIfFull)
  }
  const accepted = destination !== null && push.mayDeliver(destination.endpoint)
  const outcome = accepted ? await deliver(destination) : 'ended'
  if (outcome === 'ended') {
    await context.db.transaction(contaId, (tx) => deleteSubscription(tx, { contaId, id: target.id }))
  }
  return outcome
}

interface Delivery extends NoticeWithKeys {
  readonly target: NoticeTarget
}

class NoRoom extends Error {}

const createRequestGate = (perKey: number): Gate =>
  createGate({
    ...{ atOnce: REQUESTS, runningPerKey: () => perKey, waiting: AT_ONCE * 20, waitMs: WAIT_MS },
    full: () => new NoRoom(),
  })

function failedIfFull(error: unknown): PushOutcome {
  if (error instanceof NoRoom) return 'failed'
  throw error
}
