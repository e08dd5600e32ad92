import { isDeepStrictEqual } from 'node:util'
import { singleFlight } from '@balcao/connector/single-flight'
import { SendDeferred, SendFailed, SendRefused } from '@balcao/connector/errors'
import type { Connector, OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { OficialJournal, OficialNumber } from '#ports/oficial.ts'
import { createMetaFiles } from './graph/media-files.ts'
import type { WebhookEvent } from './webhook-parse.ts'
import { type Confirmations, createConfirmations, markId, markReaction } from './confirmations.ts'
import { createInbound } from './inbound.ts'
import { createSender } from './sender.ts'
import { MetaFailure } from './graph/errors.ts'
import { metaErrorText } from './sentences.ts'
import type { Graph } from './graph/client.ts'
import { createReadMarks } from './read-marks.ts'
import { createLink, type MetaLink } from './link.ts'
import { createPacer } from './pacer.ts'
import { setWebhookSubscription } from './graph/health.ts'

export interface OficialTimings {
  readonly confirmationMs?: number
  readonly checkMs?: number
  readonly reconnectDelay?: (tentativa: number) => number
}

export interface MetaConnectionOptions extends OficialTimings {
  readonly graph: Graph
  readonly journal: OficialJournal
  readonly report: (erro: unknown, oQue: string) => void
}

const CONFIRMATION_MS = 10_000
const CHECK_MS = 30_000
const NO_CONNECTION_TEXT = 'sem conexão com o WhatsApp'

/** 1 to 60 seconds, with jitter. */
const defaultReconnectDelay = (attempt: number): number =>
  Math.min(60_000, 1_000 * 2 ** attempt) * (0.5 + Math.random() / 2)

/** Session of one account on one Meta number: receives through the journal, sends through the Graph API. */
export function createConnection(host: SessionHost, options: MetaConnectionOptions): Connector {
  const { graph, journal, report, confirmationMs = CONFIRMATION_MS } = options
  const { checkMs = CHECK_MS, reconnectDelay = defaultReconnectDelay } = options
  const { contaId } = host
  const confirmacoes = createConfirmations()
  const inFlight = singleFlight()
  let current: OficialNumber | null = null
  let iniciada = false
  let stopped = false
  let parar = (): void => {}

  const numero = (): OficialNumber | null => current
  /** True when the owner saved another token or number since; the session then uses it. */
  const trocou = async (): Promise<boolean> => {
    const fresh = await journal.findNumber(contaId).catch(() => null)
    if (fresh === null || isDeepStrictEqual(fresh, current)) return false
    current = fresh
    return true
  }
  const ligacao = createLink({
    graph,
    numero,
    reloadNumber: trocou,
    linkState: host.linkState,
    checkMs,
    reconnectDelay,
    report,
  })
  const enviar = createSendMessage({ host, graph, link: ligacao, confirmations: confirmacoes, confirmationMs })
  const reading = createReadMarks(graph, () => (ligacao.isConnected() ? current : null))
  const input = createInbound({
    host: {
      contaId,
      receive: async (received) => {
        if (received.deMim !== true) reading.arrived(received.endereco, received.id)
        await host.receive(received)
      },
      change: host.change,
      findQuoted: host.findQuoted,
    },
    ...{ journal, report },
    onStatus: createStatusHandler(host, confirmacoes),
    withFile: createMetaFiles({ graph, host, numero, report }),
  })

  const estaParada = (): boolean => stopped
  const fechar = (): void => {
    stopped = true
    ligacao.close()
    parar()
    input.close()
    confirmacoes.cancel()
  }

  return {
    // Measured from accepted calls: the Cloud API has no connection and no heartbeat.
    silenceMs: ligacao.silenceMs,
    start: async () => {
      if (iniciada) return
      iniciada = true
      if (!stopped) await host.linkState({ tipo: 'conectando' })
      current = await journal.findNumber(contaId)
      if (estaParada()) return
      if (current === null) return ligacao.end('credenciaisInvalidas')
      parar = journal.subscribe(contaId, () => void input.arrived())
      // Also reads statuses of an earlier session's messages before any of them is sent again.
      await input.arrived()
      await ligacao.check()
    },
    stop: async () => fechar(),
    logout: async () => {
      fechar()
      if (current !== null) await setWebhookSubscription(graph, current, 'DELETE').catch(() => undefined)
    },
    send: async (mensagem) => {
      await inFlight(mensagem.idExterno, () => enviar(current, mensagem))
      ligacao.accepted()
      reading.answered(mensagem.endereco)
    },
    typing: reading.typing,
  }
}

interface SendMessageOptions {
  readonly host: SessionHost
  readonly graph: Graph
  readonly link: MetaLink
  readonly confirmations: Confirmations
  readonly confirmationMs: number
}

/** Sends one message and maps `FalhaMeta` to the queue's errors. */
function createSendMessage({ host, graph, link, confirmations, confirmationMs }: SendMessageOptions) {
  const ritmo = createPacer()
  const envio = createSender({ graph, pacer: ritmo, confirmations, host, confirmationMs })
  const inicio = { ms: Date.now(), relogio: performance.now() }

  /**
   * A message queued before this session may have been sent by the previous one, so its status webhook may still
   * arrive.
   */
  const deAntesMs = ({ idExterno }: OutboundMessage): number =>
    uuidTime(idExterno) < inicio.ms ? Math.max(0, confirmationMs - (performance.now() - inicio.relogio)) : 0

  return async (numero: OficialNumber | null, mensagem: OutboundMessage): Promise<void> => {
    if (numero === null || !link.isConnected()) throw new SendFailed(NO_CONNECTION_TEXT)
    try {
      const wamid = await envio.send(numero, mensagem, { deAntesMs: deAntesMs(mensagem) })
      if (wamid !== null && mensagem.reacao === undefined) host.serviceId(mensagem.idExterno, wamid)
    } catch (error) {
      if (!(error instanceof MetaFailure)) throw error
      if (error.tipo === 'recusada') throw new SendRefused(metaErrorText(error.code))
      if (error.tipo === 'devagar') {
        if (!error.recipientOnly) ritmo.pause(error.waitMs)
        throw new SendDeferred('a Meta pediu que esperemos', error.waitMs)
      }
      // Other messages would fail too, so the queue waits until Meta accepts calls again.
      if (error.tipo !== 'instavel' && error.tipo !== 'incerta') await link.sendFailed(error)
      if (error.tipo === 'incerta') link.schedule(0)
      throw error
    }
  }
}

function createStatusHandler(host: SessionHost, confirmations: Confirmations) {
  return async ({
    idExterno: marca,
    status: qual,
    codigo,
    wamid,
  }: Extract<WebhookEvent, { tipo: 'status' }>): Promise<void> => {
    const id = markId(marca)
    if (qual === 'failed') {
      // A repeated or outdated failure must not affect a message that was sent again since.
      if (!confirmations.failed(marca, codigo, wamid ?? null)) return
      const reaction = markReaction(marca)
      if (reaction !== null) return host.reactionUndelivered(reaction, metaErrorText(codigo))
      return host.undelivered(id, metaErrorText(codigo))
    }
    confirmations.sent(marca, wamid ?? null)
    if (qual !== 'sent') host.receipt(id, qual === 'read' ? 'lida' : 'entregue')
  }
}

function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)
}
