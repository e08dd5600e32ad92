import type { FastifyBaseLogger } from 'fastify'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { SendDeferred, SendFailed, SendRefused } from '@balcao/connector/errors'
import type { MensagemTarget, Connector, SentModelo } from '@balcao/connector/port'
import type { CrashPoints } from '#lib/crash-points.ts'
import type { QueuedReaction } from '#modules/conversas/index.ts'

export interface OutboxItem {
  readonly contaId: string
  readonly mensagemId: string
  readonly contatoId: string
  readonly endereco: string
  readonly idExterno: string
  readonly texto: string
  readonly midia?: Midia
  readonly modelo?: SentModelo
  readonly citada?: MensagemTarget
  readonly reacao?: QueuedReaction
  readonly typing: boolean
  readonly attempts: number
  readonly attended: boolean
  /** Publishes the sent message without reading it again. Absent: the row is read. */
  readonly onSent?: () => void
}

export const RETRY_WAITS_MS = [1_000, 5_000, 15_000, 60_000] as const
const SEND_TIMEOUT_MS = 30_000
const UNKNOWN_FAILURE_TEXT = 'o serviço de mensagens não levou esta mensagem'

/**
 * Text of a failure that people may read. Null for errors of libraries and the network, which are not in
 * Portuguese.
 */
function failureText(error: unknown): string | null {
  const sentence = error instanceof SendFailed || error instanceof SendRefused || error instanceof SendDeferred
  return sentence ? error.message : null
}

export interface SendQueueOptions {
  readonly connector: Pick<Connector, 'send' | 'typing'>
  /** False while the link is down or the lease may have expired. The items stay in `saida`. */
  readonly maySend: () => boolean
  readonly sent: (item: OutboxItem) => void
  /** Stores the attempt and the error. The wait itself runs in memory. */
  readonly deferred: (item: OutboxItem, esperaMs: number, erro: string) => Promise<void>
  readonly failed: (item: OutboxItem, erro: string) => Promise<void>
  readonly log: FastifyBaseLogger
  readonly crashPoint: CrashPoints
  readonly retryWaitsMs?: readonly number[]
}

/** Send queue of one session: in order within a contato, contatos in parallel. */
export interface SendQueue {
  readonly add: (items: readonly OutboxItem[]) => void
  readonly resume: () => void
  readonly forget: (mensagemId: string) => void
  /** Drops the waiting messages of this contato. A message that is being sent cannot be stopped. */
  readonly dropContato: (contatoId: string) => void
  readonly close: () => void
  readonly size: () => number
}

export function createSendQueue(options: SendQueueOptions): SendQueue {
  const { connector, maySend, log, crashPoint, retryWaitsMs = RETRY_WAITS_MS } = options
  const porContato = new Map<string, OutboxItem[]>()
  const busy = new Set<string>()
  /** Ids from the commit until the row is deleted, so that a read of the table does not queue them twice. */
  const known = new Set<string>()
  const waits = new Set<NodeJS.Timeout>()
  let closed = false

  const drenar = async (contatoId: string, items: OutboxItem[]): Promise<void> => {
    if (busy.has(contatoId)) return
    busy.add(contatoId)
    let item = items[0]
    while (item !== undefined && !closed && maySend()) {
      const esperaMs = await attempt(item, items)
      if (esperaMs > 0) {
        schedule(contatoId, items, esperaMs)
        return
      }
      item = items[0]
    }
    busy.delete(contatoId)
    if (items.length === 0) porContato.delete(contatoId)
  }

  /** Returns the wait in milliseconds until the next attempt, or 0 when the item left the queue. */
  const attempt = async (item: OutboxItem, items: OutboxItem[]): Promise<number> => {
    crashPoint('saida.reivindicada')
    try {
      if (item.typing) connector.typing(item.endereco)
      await enviar(item)
    } catch (error) {
      return naoSaiu(item, items, error)
    }
    crashPoint('saida.enviada')
    items.shift()
    options.sent(item)
    return 0
  }

  const naoSaiu = async (item: OutboxItem, items: OutboxItem[], error: unknown): Promise<number> => {
    if (closed || !maySend() || !known.has(item.mensagemId)) return 0
    const erro = failureText(error)
    if (erro === null) log.warn({ err: error, mensagemId: item.mensagemId }, 'message not sent')
    const adiado = error instanceof SendDeferred
    const wait = adiado ? error.waitMs : error instanceof SendRefused ? undefined : retryWaitsMs[item.attempts]
    try {
      if (wait === undefined) {
        await options.failed(item, erro ?? UNKNOWN_FAILURE_TEXT)
        items.shift()
        return 0
      }
      const tentado = adiado ? item : { ...item, attempts: item.attempts + 1 }
      items[0] = tentado
      await options.deferred(tentado, wait, erro ?? UNKNOWN_FAILURE_TEXT)
      return wait
    } catch (gravacao) {
      log.error({ err: gravacao, mensagemId: item.mensagemId }, 'failed send not stored')
      return wait ?? 1_000
    }
  }

  const enviar = async (item: OutboxItem): Promise<void> => {
    const { promise: deadline, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new SendFailed('o serviço não respondeu')), SEND_TIMEOUT_MS)
    try {
      await Promise.race([connector.send(item), deadline])
    } finally {
      clearTimeout(timer)
    }
  }

  const schedule = (contatoId: string, items: OutboxItem[], esperaMs: number): void => {
    const timer = setTimeout(() => {
      waits.delete(timer)
      busy.delete(contatoId)
      void drenar(contatoId, items)
    }, esperaMs)
    waits.add(timer)
  }

  /**
   * Sorts by id, which grows with time: a row read late goes before newer ones, but never before the message being
   * sent.
   */
  const lugarDe = ({ mensagemId, contatoId }: OutboxItem, items: readonly OutboxItem[]): number => {
    const first = busy.has(contatoId) ? 1 : 0
    let place = items.length
    while (place > first && (items[place - 1]?.mensagemId ?? '') > mensagemId) place -= 1
    return place
  }

  return {
    add: (fresh) => {
      for (const item of fresh) {
        if (known.has(item.mensagemId)) continue
        known.add(item.mensagemId)
        const items = porContato.get(item.contatoId)
        if (items === undefined) porContato.set(item.contatoId, [item])
        else items.splice(lugarDe(item, items), 0, item)
      }
      for (const contatoId of new Set(fresh.map((item) => item.contatoId))) {
        const items = porContato.get(contatoId)
        if (items !== undefined) void drenar(contatoId, items)
      }
    },
    resume: () => {
      for (const [contatoId, items] of porContato) void drenar(contatoId, items)
    },
    forget: (mensagemId) => void known.delete(mensagemId),
    dropContato: (contatoId) => {
      for (const { mensagemId } of porContato.get(contatoId)?.splice(0) ?? []) known.delete(mensagemId)
    },
    close: () => {
      closed = true
      for (const timer of waits) clearTimeout(timer)
    },
    size: () => known.size,
  }
}
