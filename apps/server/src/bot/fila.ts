import type { FastifyBaseLogger } from 'fastify'
import type { Midia } from '@balcao/contract/entities/mensagem'
import {
  type MensagemTarget,
  type Connector,
  SendDeferred,
  SendFailed,
  SendRefused,
  type SentModelo,
} from '#ports/messaging.ts'
import type { CrashPoints } from './falha.ts'
import type { QueuedReaction } from './reacoes.ts'

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
  const frase = error instanceof SendFailed || error instanceof SendRefused || error instanceof SendDeferred
  return frase ? error.message : null
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
  readonly add: (itens: readonly OutboxItem[]) => void
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
  const ocupados = new Set<string>()
  /** Ids from the commit until the row is deleted, so that a read of the table does not queue them twice. */
  const conhecidas = new Set<string>()
  const esperas = new Set<NodeJS.Timeout>()
  let fechada = false

  const drenar = async (contatoId: string, itens: OutboxItem[]): Promise<void> => {
    if (ocupados.has(contatoId)) return
    ocupados.add(contatoId)
    let item = itens[0]
    while (item !== undefined && !fechada && maySend()) {
      const esperaMs = await tentar(item, itens)
      if (esperaMs > 0) {
        agendar(contatoId, itens, esperaMs)
        return
      }
      item = itens[0]
    }
    ocupados.delete(contatoId)
    if (itens.length === 0) porContato.delete(contatoId)
  }

  /** Returns the wait in milliseconds until the next attempt, or 0 when the item left the queue. */
  const tentar = async (item: OutboxItem, itens: OutboxItem[]): Promise<number> => {
    crashPoint('saida.reivindicada')
    try {
      if (item.typing) connector.typing(item.endereco)
      await enviar(item)
    } catch (error) {
      return naoSaiu(item, itens, error)
    }
    crashPoint('saida.enviada')
    itens.shift()
    options.sent(item)
    return 0
  }

  const naoSaiu = async (item: OutboxItem, itens: OutboxItem[], error: unknown): Promise<number> => {
    if (fechada || !maySend() || !conhecidas.has(item.mensagemId)) return 0
    const erro = failureText(error)
    if (erro === null) log.warn({ err: error, mensagemId: item.mensagemId }, 'message not sent')
    const adiado = error instanceof SendDeferred
    const espera = adiado ? error.waitMs : error instanceof SendRefused ? undefined : retryWaitsMs[item.attempts]
    try {
      if (espera === undefined) {
        await options.failed(item, erro ?? UNKNOWN_FAILURE_TEXT)
        itens.shift()
        return 0
      }
      const tentado = adiado ? item : { ...item, tentativas: item.attempts + 1 }
      itens[0] = tentado
      await options.deferred(tentado, espera, erro ?? UNKNOWN_FAILURE_TEXT)
      return espera
    } catch (gravacao) {
      log.error({ err: gravacao, mensagemId: item.mensagemId }, 'failed send not stored')
      return espera ?? 1_000
    }
  }

  const enviar = async (item: OutboxItem): Promise<void> => {
    const { promise: prazo, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new SendFailed('o serviço não respondeu')), SEND_TIMEOUT_MS)
    try {
      await Promise.race([connector.send(item), prazo])
    } finally {
      clearTimeout(timer)
    }
  }

  const agendar = (contatoId: string, itens: OutboxItem[], esperaMs: number): void => {
    const timer = setTimeout(() => {
      esperas.delete(timer)
      ocupados.delete(contatoId)
      void drenar(contatoId, itens)
    }, esperaMs)
    esperas.add(timer)
  }

  /**
   * Sorts by id, which grows with time: a row read late goes before newer ones, but never before the message being
   * sent.
   */
  const lugarDe = ({ mensagemId, contatoId }: OutboxItem, itens: readonly OutboxItem[]): number => {
    const primeiro = ocupados.has(contatoId) ? 1 : 0
    let lugar = itens.length
    while (lugar > primeiro && (itens[lugar - 1]?.mensagemId ?? '') > mensagemId) lugar -= 1
    return lugar
  }

  return {
    add: (novos) => {
      for (const item of novos) {
        if (conhecidas.has(item.mensagemId)) continue
        conhecidas.add(item.mensagemId)
        const itens = porContato.get(item.contatoId)
        if (itens === undefined) porContato.set(item.contatoId, [item])
        else itens.splice(lugarDe(item, itens), 0, item)
      }
      for (const contatoId of new Set(novos.map((item) => item.contatoId))) {
        const itens = porContato.get(contatoId)
        if (itens !== undefined) void drenar(contatoId, itens)
      }
    },
    resume: () => {
      for (const [contatoId, itens] of porContato) void drenar(contatoId, itens)
    },
    forget: (mensagemId) => void conhecidas.delete(mensagemId),
    dropContato: (contatoId) => {
      for (const { mensagemId } of porContato.get(contatoId)?.splice(0) ?? []) conhecidas.delete(mensagemId)
    },
    close: () => {
      fechada = true
      for (const timer of esperas) clearTimeout(timer)
    },
    size: () => conhecidas.size,
  }
}
