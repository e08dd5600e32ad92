import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import { singleFlight } from '@balcao/connector/single-flight'
import { SendFailed } from '@balcao/connector/errors'
import type { Connector, OutboundMessage, SessionHost } from '@balcao/connector/port'
import { type OpenBrowser, openBrowser, withoutSandbox } from './browser/launch.ts'
import type { WebLibrary } from './browser/library.ts'
import { createPairingCodes } from './qr-codes.ts'
import { createInbound } from './inbound.ts'
import { WebSender } from './sender.ts'
import { BrowserFailure, classifyOpenFailure, decideWebClose, withTimeout } from './failures.ts'
import { createFindPerson, type FindPerson, isWebChat, ownAccountSchema, toWebAddress } from './shapes.ts'
import { createWebReceipts, OwnMessages } from './own-messages.ts'
import { reconnectDelayMs } from './reconnect.ts'
import { WEB_DEFAULTS, type WebConnectionOptions } from './options.ts'
import type { WebListeners } from './browser/listen.ts'
import { requestPairingCode } from './request-code.ts'
import { createRecovery } from './recovery.ts'
import { createPacer, UNPACED } from './pacer.ts'
import { createHealthCheck } from './watchdog.ts'
import { createLinkRecord } from './link.ts'

const CODE_MS = 3 * 60_000
const QUERY_MS = 10_000
const UNANSWERED_MAX = 3
const RECOVER_EVERY = 10
/** Timeout from scan to loaded page: a phone with many chats is slow. */
const READY_TIMEOUT_MS = 5 * 60_000
const REPLACED_WINDOW_MS = 10 * 60_000
const NO_CONNECTION_TEXT = 'sem conexão com o WhatsApp'
const RECONNECTING_STATES: ReadonlySet<unknown> = new Set(['OPENING', 'PAIRING', 'TIMEOUT'])

/** Links one account to one phone through its own browser. Reopens the browser after failures. */
export function createConnection(host: SessionHost, options: WebConnectionOptions): Connector {
  const { contaId } = host
  const { report, profiles, allowedPaths, reconnectDelay = reconnectDelayMs } = options
  const { loadTimeoutMs, sendTimeoutMs: prazoMs, healthCheckMs, maxMemoryBytes } = { ...WEB_DEFAULTS, ...options }
  const link = createLinkRecord(host, report)
  const ours = new OwnMessages(host)
  const pacer = options.unpaced === true ? UNPACED : createPacer()
  const inFlight = singleFlight()
  const inicioMs = Date.now()
  let biblioteca: WebLibrary | null = null
  let envio: WebSender | null = null
  let open: OpenBrowser | null = null
  let quem: FindPerson | null = null
  let iniciada = false
  let stopped = false
  let pronta = false
  let connected = false
  let attempts = 0
  let semResposta = 0
  let olhadas = 0
  let ouvidaEm = 0
  let mexidaEm = 0
  let substituidaEm = -Infinity
  let volta: NodeJS.Timeout | undefined
  let soltarVaga: (() => void) | null = null
  let soltarVez: (() => void) | null = null
  let work: Promise<void> = Promise.resolve()

  const step = (run: () => Promise<void>): void => {
    work = work.then(run).catch((error: unknown) => report(error, 'session step failed'))
  }
  /** Ignores events of a browser that was already replaced. */
  const seAinda = (run: () => Promise<void>): void => {
    const mine = open
    step(() => (open === mine && !stopped ? run() : Promise.resolve()))
  }
  const count: SessionHost['linkState'] = (state) => (stopped ? Promise.resolve() : host.linkState(state))

  const fetch = async (idWeb: string): Promise<unknown> =>
    open === null ? null : withTimeout(open.client.getMessageById(idWeb), QUERY_MS)
  const recibo = createWebReceipts(host, ours)
  const input = createInbound({ host, ownMessages: ours, report, fetchMessage: fetch })
  const { inTurn, hold, recover } = createRecovery((raw) => {
    if (quem !== null) input.arrived(raw, quem, { antiga: true })
  })

  const fecharAberta = async (): Promise<void> => {
    const mine = open
    codes.stop()
    hold()
    open = null
    quem = null
    pronta = false
    connected = false
    semResposta = 0
    await mine?.close()
  }

  const perder = async (motivo: MotivoBot): Promise<void> => {
    await fecharAberta()
    if (stopped) return
    await count({ tipo: 'reconectando', motivo })
    volta = setTimeout(() => step(abrirAgora), reconnectDelay(attempts))
    attempts += 1
  }

  const finish = async (status: StatusBot, motivo: MotivoBot): Promise<void> => {
    await fecharAberta()
    if (motivo === 'desconectadoNoCelular' || motivo === 'banido') {
      link.forget()
      // A failure is harmless: the next link starts with an empty folder.
      await profiles.remove(contaId).catch((error: unknown) => report(error, 'profile folder not deleted'))
    }
    await count({ tipo: 'encerrado', status, motivo })
  }

  const abrirAgora = async (): Promise<void> => {
    if (stopped) return
    try {
      biblioteca ??= await options.loadLibrary()
      const { createFile } = biblioteca
      envio ??= new WebSender({ host, ownMessages: ours, createFile, timeoutMs: prazoMs, startedMs: inicioMs })
      soltarVaga ??= options.slots.take()
      if (soltarVaga === null) throw new BrowserFailure('navegadorSemMemoria', 'browser limit reached')
      mexidaEm = performance.now()
      const vazia = !link.exists()
      open = await openBrowser({
        host,
        profiles,
        library: biblioteca,
        empty: vazia,
        loadTimeoutMs,
        report,
        on: ao,
        allowedPaths,
      })
      quem = createFindPerson(open.client)
      if (estaDePe()) await open.load()
    } catch (error) {
      if (stopped) return
      report(error, 'browser not opened')
      const { permanent, motivo } = classifyOpenFailure(error)
      await (permanent ? finish('ERRO', motivo) : perder(motivo))
    }
  }
  const estaDePe = (): boolean => !stopped

  const show = (qrCode: string): void => {
    const duraMs = codes.next()
    if (duraMs === null) return expired()
    void count({ tipo: 'pareando', qrCode, expiraEm: new Date(Date.now() + duraMs) })
  }
  const expired = (): void => seAinda(() => finish('PARADO', 'qrExpirado'))
  const codes = createPairingCodes(expired, options.qrLifetimeMs)

  const autenticado = (): void => {
    mexidaEm = performance.now()
    if (codes.isShowing()) void count({ tipo: 'conectando' })
    codes.stop()
    void link.create()
  }

  const conectou = async (): Promise<void> => {
    // Written before the state: a bot that was shown as connected must reconnect without a new scan.
    if (!(await link.create())) return perder('erroInterno')
    if (open === null) return
    pronta = true
    connected = true
    attempts = 0
    semResposta = 0
    ouvidaEm = performance.now()
    const { data: eu } = ownAccountSchema.safeParse(open.client.info)
    await count({ tipo: 'conectado', como: eu?.pushname || eu?.wid.user || '' })
    await recover(open.client, link.since())
  }

  const ao: WebListeners & { readonly crashed: () => void } = {
    code: show,
    authenticated: autenticado,
    ready: () => seAinda(conectou),
    refused: () => seAinda(() => finish('erro_auth', 'credenciaisInvalidas')),
    stateChanged: (state) => {
      if (state === 'CONNECTED' && pronta && !connected) seAinda(conectou)
      if (!RECONNECTING_STATES.has(state) || !connected) return
      // The page reconnects; until then no message is sent to it.
      connected = false
      void count({ tipo: 'reconectando', motivo: 'semRede' })
    },
    disconnected: (razao) => {
      const closing = decideWebClose(razao, performance.now() - substituidaEm < REPLACED_WINDOW_MS)
      if (razao === 'CONFLICT') substituidaEm = performance.now()
      report(razao, 'link ended by the page')
      const { motivo } = closing
      seAinda(() => (closing.tipo === 'esperar' ? perder(motivo) : finish(closing.status, motivo)))
    },
    crashed: () => seAinda(() => perder('navegadorCaiu')),
    message: (raw) => {
      ouvidaEm = performance.now()
      inTurn(() => {
        if (quem !== null) input.arrived(raw, quem)
      })
    },
    changed: (mudada) => {
      inTurn(() => {
        if (quem !== null) input.changed(mudada, quem)
      })
    },
    receipt: (mensagem, ack) => {
      if (!stopped) recibo(mensagem, ack).catch((error: unknown) => report(error, 'receipt lost'))
    },
  }

  const look = async (): Promise<void> => {
    const current = open
    if (current === null || stopped) return
    if (!pronta) {
      if (!codes.isShowing() && performance.now() - mexidaEm > READY_TIMEOUT_MS)
        seAinda(() => perder('servicoInstavel'))
      return
    }
    try {
      const state = await withTimeout(current.client.getState(), QUERY_MS)
      semResposta = state === 'CONNECTED' ? 0 : semResposta + 1
      if (state === 'CONNECTED') ouvidaEm = performance.now()
      if (state === 'CONNECTED' && !connected) seAinda(conectou)
      olhadas += 1
      // Also finds messages of a reloaded page that emits no events.
      if (olhadas % RECOVER_EVERY === 0) await recover(current.client, link.since())
    } catch (error) {
      report(error, 'page not responding')
      semResposta += 1
    }
    await link.advance(input.receivedUntil())
    const memoria = (await current.memory().catch(() => null)) ?? 0
    const demais = memoria > maxMemoryBytes
    if (demais) report(`${Math.round(memoria / 2 ** 20)} MB`, 'browser over memory limit, reopening')
    if (current === open && (demais || semResposta >= UNANSWERED_MAX)) seAinda(() => perder('navegadorCaiu'))
  }
  const vigia = createHealthCheck(healthCheckMs, look)

  const parar = async (dismiss: (current: OpenBrowser) => Promise<void>): Promise<void> => {
    const current = open
    const comPagina = pronta
    stopped = true
    input.close()
    vigia.stop()
    clearTimeout(volta)
    codes.stop()
    if (current !== null && comPagina) await dismiss(current)
    await current?.close()
    await work
    await fecharAberta()
  }
  const enviar = async (mensagem: OutboundMessage): Promise<void> => {
    await pacer.turn(mensagem.endereco)
    if (open === null || envio === null || !connected) throw new SendFailed(NO_CONNECTION_TEXT)
    await envio.send(open.client, mensagem)
    ouvidaEm = performance.now()
  }
  const release = (): void => {
    soltarVaga?.()
    soltarVez?.()
  }

  return {
    silenceMs: () => (connected ? performance.now() - ouvidaEm : null),
    start: async () => {
      if (iniciada) return
      iniciada = true
      if (withoutSandbox) report('running as root', 'browser sandbox off, run the server as another user')
      await count({ tipo: 'conectando' })
      // Opening takes seconds and must not delay other bots.
      if (!estaDePe()) return
      step(async () => {
        soltarVez = await options.profileLocks.take(contaId)
        await abrirAgora()
      })
      vigia.start()
    },
    stop: async () => {
      try {
        await parar(() => link.advance(input.receivedUntil()))
      } finally {
        release()
      }
    },
    logout: async () => {
      try {
        await parar((current) => withTimeout(current.client.logout(), QUERY_MS).catch(() => undefined))
        await profiles.remove(contaId)
      } finally {
        release()
      }
    },
    send: (mensagem) => inFlight(mensagem.idExterno, () => enviar(mensagem)),
    typing: (address) => {
      open?.client
        .getChatById(toWebAddress(address))
        .then((conversa) => (isWebChat(conversa) ? conversa.sendStateTyping() : undefined))
        .catch(() => undefined)
    },
    pairingCode: async (telefone) => {
      if (open === null || !codes.isShowing() || link.exists()) return null
      const codigo = await requestPairingCode(open.client, telefone)
      codes.extend(CODE_MS)
      return { codigo, expiraEm: new Date(Date.now() + CODE_MS) }
    },
  }
}
