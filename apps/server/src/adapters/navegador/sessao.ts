import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import { singleFlight } from '#adapters/em-curso.ts'
import { type Connector, SendFailed, type OutboundMessage, type SessionHost } from '#ports/messaging.ts'
import { type OpenBrowser, openBrowser, withoutSandbox } from './abrir.ts'
import type { WebLibrary } from './biblioteca.ts'
import { createPairingCodes } from './codigos.ts'
import { createFindPerson, toWebAddress, type FindPerson } from './enderecos.ts'
import { createInbound } from './entrada.ts'
import { createSender, type WebSender } from './envio.ts'
import { BrowserFailure, classifyOpenFailure } from './falhas.ts'
import { decideWebClose, reconnectDelayMs } from './fechamento.ts'
import { isWebChat, ownAccountSchema } from './formas.ts'
import { createOwnMessages } from './nossas.ts'
import { WEB_DEFAULTS, type WebConnectionOptions } from './opcoes.ts'
import type { WebListeners } from './ouvir.ts'
import { requestPairingCode } from './pedir-codigo.ts'
import { withTimeout } from './prazo.ts'
import { createWebReceipts } from './recibos.ts'
import { createRecovery } from './recuperar.ts'
import { createPacer, UNPACED } from './ritmo.ts'
import { createHealthCheck } from './vigia.ts'
import { createLinkRecord } from './vinculo.ts'

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
  const vinculo = createLinkRecord(host, report)
  const nossas = createOwnMessages(host)
  const ritmo = options.unpaced === true ? UNPACED : createPacer()
  const emCurso = singleFlight()
  const inicioMs = Date.now()
  let biblioteca: WebLibrary | null = null
  let envio: WebSender | null = null
  let aberta: OpenBrowser | null = null
  let quem: FindPerson | null = null
  let iniciada = false
  let parada = false
  let pronta = false
  let conectada = false
  let tentativas = 0
  let semResposta = 0
  let olhadas = 0
  let ouvidaEm = 0
  let mexidaEm = 0
  let substituidaEm = -Infinity
  let volta: NodeJS.Timeout | undefined
  let soltarVaga: (() => void) | null = null
  let soltarVez: (() => void) | null = null
  let trabalho: Promise<void> = Promise.resolve()

  const passo = (fazer: () => Promise<void>): void => {
    trabalho = trabalho.then(fazer).catch((erro: unknown) => report(erro, 'session step failed'))
  }
  /** Ignores events of a browser that was already replaced. */
  const seAinda = (fazer: () => Promise<void>): void => {
    const minha = aberta
    passo(() => (aberta === minha && !parada ? fazer() : Promise.resolve()))
  }
  const contar: SessionHost['linkState'] = (estado) => (parada ? Promise.resolve() : host.linkState(estado))

  const buscar = async (idWeb: string): Promise<unknown> =>
    aberta === null ? null : withTimeout(aberta.client.getMessageById(idWeb), QUERY_MS)
  const recibo = createWebReceipts(host, nossas)
  const entrada = createInbound({ host, ownMessages: nossas, report, fetchMessage: buscar })
  const { inTurn, hold, recover } = createRecovery((bruta) => {
    if (quem !== null) entrada.arrived(bruta, quem, { antiga: true })
  })

  const fecharAberta = async (): Promise<void> => {
    const minha = aberta
    codigos.stop()
    hold()
    aberta = null
    quem = null
    pronta = false
    conectada = false
    semResposta = 0
    await minha?.close()
  }

  const perder = async (motivo: MotivoBot): Promise<void> => {
    await fecharAberta()
    if (parada) return
    await contar({ tipo: 'reconectando', motivo })
    volta = setTimeout(() => passo(abrirAgora), reconnectDelay(tentativas))
    tentativas += 1
  }

  const encerrar = async (status: StatusBot, motivo: MotivoBot): Promise<void> => {
    await fecharAberta()
    if (motivo === 'desconectadoNoCelular' || motivo === 'banido') {
      vinculo.forget()
      // A failure is harmless: the next link starts with an empty folder.
      await profiles.remove(contaId).catch((erro: unknown) => report(erro, 'profile folder not deleted'))
    }
    await contar({ tipo: 'encerrado', status, motivo })
  }

  const abrirAgora = async (): Promise<void> => {
    if (parada) return
    try {
      biblioteca ??= await options.loadLibrary()
      const { createFile } = biblioteca
      envio ??= createSender({ host, ownMessages: nossas, createFile, timeoutMs: prazoMs, startedMs: inicioMs })
      soltarVaga ??= options.slots.take()
      if (soltarVaga === null) throw new BrowserFailure('navegadorSemMemoria', 'browser limit reached')
      mexidaEm = performance.now()
      const vazia = !vinculo.exists()
      aberta = await openBrowser({ host, profiles, library: biblioteca, empty: vazia, loadTimeoutMs, report, on: ao, allowedPaths })
      quem = createFindPerson(aberta.client)
      if (estaDePe()) await aberta.load()
    } catch (erro) {
      if (parada) return
      report(erro, 'browser not opened')
      const { permanent, motivo } = classifyOpenFailure(erro)
      await (permanent ? encerrar('ERRO', motivo) : perder(motivo))
    }
  }
  const estaDePe = (): boolean => !parada

  const mostrar = (qrCode: string): void => {
    const duraMs = codigos.next()
    if (duraMs === null) return expirou()
    void contar({ tipo: 'pareando', qrCode, expiraEm: new Date(Date.now() + duraMs) })
  }
  const expirou = (): void => seAinda(() => encerrar('PARADO', 'qrExpirado'))
  const codigos = createPairingCodes(expirou, options.qrLifetimeMs)

  const autenticado = (): void => {
    mexidaEm = performance.now()
    if (codigos.isShowing()) void contar({ tipo: 'conectando' })
    codigos.stop()
    void vinculo.create()
  }

  const conectou = async (): Promise<void> => {
    // Written before the state: a bot that was shown as connected must reconnect without a new scan.
    if (!(await vinculo.create())) return perder('erroInterno')
    if (aberta === null) return
    pronta = true
    conectada = true
    tentativas = 0
    semResposta = 0
    ouvidaEm = performance.now()
    const { data: eu } = ownAccountSchema.safeParse(aberta.client.info)
    await contar({ tipo: 'conectado', como: eu?.pushname || eu?.wid.user || '' })
    await recover(aberta.client, vinculo.since())
  }

  const ao: WebListeners & { readonly caiu: () => void } = {
    code: mostrar,
    authenticated: autenticado,
    ready: () => seAinda(conectou),
    refused: () => seAinda(() => encerrar('erro_auth', 'credenciaisInvalidas')),
    stateChanged: (estado) => {
      if (estado === 'CONNECTED' && pronta && !conectada) seAinda(conectou)
      if (!RECONNECTING_STATES.has(estado) || !conectada) return
      // The page reconnects; until then no message is sent to it.
      conectada = false
      void contar({ tipo: 'reconectando', motivo: 'semRede' })
    },
    disconnected: (razao) => {
      const fechamento = decideWebClose(razao, performance.now() - substituidaEm < REPLACED_WINDOW_MS)
      if (razao === 'CONFLICT') substituidaEm = performance.now()
      report(razao, 'link ended by the page')
      const { motivo } = fechamento
      seAinda(() => (fechamento.tipo === 'esperar' ? perder(motivo) : encerrar(fechamento.status, motivo)))
    },
    caiu: () => seAinda(() => perder('navegadorCaiu')),
    message: (bruta) => {
      ouvidaEm = performance.now()
      inTurn(() => {
        if (quem !== null) entrada.arrived(bruta, quem)
      })
    },
    changed: (mudada) => {
      inTurn(() => {
        if (quem !== null) entrada.changed(mudada, quem)
      })
    },
    receipt: (mensagem, ack) => {
      if (!parada) recibo(mensagem, ack).catch((erro: unknown) => report(erro, 'receipt lost'))
    },
  }

  const olhar = async (): Promise<void> => {
    const atual = aberta
    if (atual === null || parada) return
    if (!pronta) {
      if (!codigos.isShowing() && performance.now() - mexidaEm > READY_TIMEOUT_MS) seAinda(() => perder('servicoInstavel'))
      return
    }
    try {
      const estado = await withTimeout(atual.client.getState(), QUERY_MS)
      semResposta = estado === 'CONNECTED' ? 0 : semResposta + 1
      if (estado === 'CONNECTED') ouvidaEm = performance.now()
      if (estado === 'CONNECTED' && !conectada) seAinda(conectou)
      olhadas += 1
      // Also finds messages of a reloaded page that emits no events.
      if (olhadas % RECOVER_EVERY === 0) await recover(atual.client, vinculo.since())
    } catch (erro) {
      report(erro, 'page not responding')
      semResposta += 1
    }
    await vinculo.advance(entrada.receivedUntil())
    const memoria = (await atual.memory().catch(() => null)) ?? 0
    const demais = memoria > maxMemoryBytes
    if (demais) report(`${Math.round(memoria / 2 ** 20)} MB`, 'browser over memory limit, reopening')
    if (atual === aberta && (demais || semResposta >= UNANSWERED_MAX)) seAinda(() => perder('navegadorCaiu'))
  }
  const vigia = createHealthCheck(healthCheckMs, olhar)

  const parar = async (despedir: (atual: OpenBrowser) => Promise<void>): Promise<void> => {
    const atual = aberta
    const comPagina = pronta
    parada = true
    entrada.close()
    vigia.stop()
    clearTimeout(volta)
    codigos.stop()
    if (atual !== null && comPagina) await despedir(atual)
    await atual?.close()
    await trabalho
    await fecharAberta()
  }
  const enviar = async (mensagem: OutboundMessage): Promise<void> => {
    await ritmo.turn(mensagem.endereco)
    if (aberta === null || envio === null || !conectada) throw new SendFailed(NO_CONNECTION_TEXT)
    await envio(aberta.client, mensagem)
    ouvidaEm = performance.now()
  }
  const liberar = (): void => {
    soltarVaga?.()
    soltarVez?.()
  }

  return {
    capabilities: { digitando: true },
    silenceMs: () => (conectada ? performance.now() - ouvidaEm : null),
    start: async () => {
      if (iniciada) return
      iniciada = true
      if (withoutSandbox) report('running as root', 'browser sandbox off, run the server as another user')
      await contar({ tipo: 'conectando' })
      // Opening takes seconds and must not delay other bots.
      if (!estaDePe()) return
      passo(async () => {
        soltarVez = await options.profileLocks.take(contaId)
        await abrirAgora()
      })
      vigia.start()
    },
    stop: async () => {
      try {
        await parar(() => vinculo.advance(entrada.receivedUntil()))
      } finally {
        liberar()
      }
    },
    logout: async () => {
      try {
        await parar((atual) => withTimeout(atual.client.logout(), QUERY_MS).catch(() => undefined))
        await profiles.remove(contaId)
      } finally {
        liberar()
      }
    },
    send: (mensagem) => emCurso(mensagem.idExterno, () => enviar(mensagem)),
    typing: (endereco) => {
      aberta?.client
        .getChatById(toWebAddress(endereco))
        .then((conversa) => (isWebChat(conversa) ? conversa.sendStateTyping() : undefined))
        .catch(() => undefined)
    },
    pairingCode: async (telefone) => {
      if (aberta === null || !codigos.isShowing() || vinculo.exists()) return null
      const codigo = await requestPairingCode(aberta.client, telefone)
      codigos.extend(CODE_MS)
      return { codigo, expiraEm: new Date(Date.now() + CODE_MS) }
    },
  }
}
