import { setTimeout as dormir } from 'node:timers/promises'
import { Boom } from '@hapi/boom'
import { type BinaryNode, isPnUser, jidDecode, jidNormalizedUser, type WASocket } from 'baileys'
import { type OutboundMessage, type SessionHost, type Connector, type LinkState, SendFailed } from './anfitriao.ts'
import { type Fetch, createMediaServer, type UploadHost } from './armazem.ts'
import { createMissing } from './ausentes.ts'
import { createChatLock } from './bloqueio.ts'
import { createQrCodes } from './codigos-na-tela.ts'
import { createConfirmations, ACK_TIMEOUT_MS, RESTRICTED } from './confirmacoes.ts'
import { openDeviceCredentials, type ConnectionKeys, createConnectionKeys } from './credenciais.ts'
import { unlinkDevice, unlinkOverSocket } from './desvincular.ts'
import { createJournal } from './diario.ts'
import { createInbound } from './entrada.ts'
import { createSentMessages } from './enviadas.ts'
import { decideClose, reconnectDelayMs } from './fechamento.ts'
import { messageIdOf } from './id.ts'
import { createCalls } from './ligacao.ts'
import { openSocket, type SocketListeners } from './linha.ts'
import { buildWireMessage } from './midia.ts'
import { isUnreadable, type Self, jidOfAddress } from './mensagem.ts'
import { createUnreadMessages } from './nao-lidas.ts'
import { createPhoneOfLid } from './numero-do-lid.ts'
import { requestCode } from './pedir-codigo.ts'
import type { LogFailure } from './registro.ts'
import { createResends } from './reenvios.ts'
import { createPacer, waitForTurn, UNPACED, type PacerOptions } from './ritmo.ts'
import { createReconnects } from './voltas.ts'

export interface ConnectionOptions {
  readonly url: string
  readonly mediaUrl?: string | undefined
  readonly fetchUrl?: Fetch
  readonly logFailure: LogFailure
  readonly version?: readonly [number, number, number]
  readonly qrMs?: number
  readonly pace?: 'livre' | PacerOptions
  /** Milliseconds before the n-th reconnect. */
  readonly delays?: (tentativa: number) => number
  readonly stableMs?: number
  readonly ackMs?: number
  readonly ringMs?: number
  readonly missingMs?: number
}

const CLOSE_TIMEOUT_MS = 3_000
const NOT_CONNECTED = 'sem conexão com o WhatsApp'

/**
 * Creates the connection of one conta to one phone. It reconnects automatically until `stop`, `logout` or a final
 * close code.
 */
export function createConnection(host: SessionHost, options: ConnectionOptions): Connector {
  const { logFailure, delays = reconnectDelayMs } = options
  const credenciais = openDeviceCredentials(host, (erro) => logFailure(erro, 'credentials not written'))
  const { creds } = credenciais
  const confirmacoes = createConfirmations(options.ackMs)
  const ritmo = options.pace === 'livre' ? UNPACED : createPacer(options.pace)
  const bloqueio = createChatLock()
  const voltas = createReconnects(options.stableMs)
  const enviadas = createSentMessages(host, {
    logFailure,
    self: () => eu(),
    onDelivered: (id, aQuem) => reenvios.delivered(id, aQuem),
  })
  const armazem = createMediaServer(options.mediaUrl, options.fetchUrl)
  const lidas = createUnreadMessages()
  let linha: WASocket | null = null
  let chaves: ConnectionKeys | null = null
  let aberta = false
  let iniciada = false
  let parada = false
  let quadroEm: number | null = null
  let volta: NodeJS.Timeout | undefined

  const eu = (): Self => ({ jid: creds.me?.id ?? '', lid: creds.me?.lid ?? '' })
  const pareado = (): boolean => creds.account !== undefined
  const numeroDoLid = createPhoneOfLid(host.keys, () => linha)
  const entrada = createInbound({
    host,
    mediaServer: armazem,
    unread: lidas,
    logFailure,
    self: eu,
    phoneOfLid: numeroDoLid,
    isOpen: (chegada) => ligacoes.isRinging(chegada.id) || ausentes.waitFor(chegada),
    contentArrived: (id) => ausentes.contentArrived(id),
    isMissing: (id) => ausentes.isMissing(id),
    externalIdOf: enviadas.externalIdOf,
  })
  const ligacoes = createCalls({ keys: host.keys, self: eu, onMissed: entrada.arrived, ringMs: options.ringMs })
  const ausentes = createMissing({ keys: host.keys, onMissing: entrada.arrived, waitMs: options.missingMs })
  const diario = createJournal({
    myId: () => creds.me?.id,
    myLid: () => creds.me?.lid,
    onEntry: (id, valor) => entrada.arrived({ id, valor }),
  })

  const contar = (estado: LinkState): void => {
    if (parada) return
    host.linkState(estado).catch((erro: unknown) => logFailure(erro, 'link state not stored'))
  }

  const codigos = createQrCodes(contar, options.qrMs)

  const abrir = async (): Promise<void> => {
    await chaves?.close()
    if (parada) return
    codigos.restart()
    // Deletes the number of a code request, because no phone has linked it yet.
    if (!pareado()) delete creds.me
    chaves = createConnectionKeys(host, semChaves)
    linha = openSocket({ ...options, creds, keys: chaves, journal: diario, sentContent: enviadas.contentFor, on: ouvintes })
  }

  // Without its keys the library would refuse the message, and the server would delete it. With a closed connection
  // the server keeps it.
  const semChaves = (erro: unknown): void => {
    logFailure(erro, 'key store failed, connection closed')
    void linha?.end(new Boom('key store', { statusCode: 428 }))
  }

  /** Closes the connection if the stanza could not be stored. The server repeats it on the next connection. */
  const guardado = async (feito: Promise<void>): Promise<void> => {
    await feito.catch((erro: unknown) => {
      semChaves(erro)
      throw erro
    })
  }

  const fechou = (codigo: number | undefined): void => {
    ausentes.setConnected(false)
    aberta = false
    linha = null
    quadroEm = null
    confirmacoes.rejectAll()
    if (parada) return
    const fechamento = decideClose({
      code: codigo,
      paired: pareado(),
      codesEnded: codigos.isLast(),
      ...voltas.closed(codigo),
    })
    switch (fechamento.tipo) {
      case 'reabrir':
        // The credentials of the pairing must be stored before the reconnect.
        void credenciais.save().then(abrir)
        return
      case 'esperar':
        contar({ tipo: 'reconectando', motivo: fechamento.motivo })
        volta = setTimeout(() => void abrir(), delays(voltas.nextAttempt()))
        return
      case 'encerrar':
        contar({ tipo: 'encerrado', status: fechamento.status, motivo: fechamento.motivo })
        encerrar()
        return
      default:
        return fechamento satisfies never
    }
  }

  const digitando = (jid: string): void => {
    const endereco = jidNormalizedUser(jid)
    if (isPnUser(endereco) === true) return host.typing({ endereco, telefone: jidDecode(endereco)?.user ?? '' })
    numeroDoLid(endereco)
      .then((numero) => host.typing({ endereco, telefone: jidDecode(numero ?? undefined)?.user ?? '' }))
      .catch(() => undefined)
  }

  const ouvintes: SocketListeners = {
    // Before a phone has linked, there is nothing to store.
    credentials: () => void (pareado() ? credenciais.save() : undefined),
    qrCode: codigos.show,
    qrCodeRenewed: codigos.replace,
    opened: () => {
      aberta = true
      voltas.opened()
      ausentes.setConnected(true)
      reenvios.resume()
      contar({ tipo: 'conectado', como: creds.me?.name ?? jidDecode(creds.me?.id)?.user ?? '' })
    },
    closed: fechou,
    message: (mensagem) => {
      if (mensagem.key.fromMe === true) return
      entrada.reported(mensagem)
      if (isUnreadable(mensagem)) ausentes.sawUnreadable(mensagem).catch(semChaves)
    },
    missing: (stanza) => guardado(ausentes.sawStanza(stanza)),
    frame: () => (quadroEm = performance.now()),
    ack: (ack) => {
      const { id = '', error } = ack.attrs
      const esperada = confirmacoes.received(ack)
      if (error === undefined) return
      if (error !== RESTRICTED) return esperada ? undefined : reenvios.refused(id)
      bloqueio.refused(ack.attrs.from ?? '')
      // The answer arrives as a `bloqueio` event.
      linha?.fetchAccountReachoutTimelock().catch(() => undefined)
    },
    chatLock: bloqueio.noticed,
    call: (stanza) => guardado(ligacoes.sawStanza(stanza)),
    receipt: (recibo: BinaryNode) => enviadas.receipt(recibo),
    resendRequest: (id, quem) => reenvios.requested(id, quem).catch(semChaves),
    typing: digitando,
  }

  const lugar = async (): Promise<UploadHost> => {
    const conexao = await linha?.refreshMediaConn(false)
    const [host] = conexao?.hosts ?? []
    if (conexao === undefined || host === undefined) throw new Error(NOT_CONNECTED)
    return { hostname: host.hostname, auth: conexao.auth }
  }

  const entregar = async (mensagem: OutboundMessage): Promise<void> => {
    const chat = jidOfAddress(mensagem.endereco)
    const conteudo = await buildWireMessage(mensagem, { mediaServer: armazem, uploadHost: lugar, readMedia: host.readMedia, chat, self: eu() })
    if (linha === null || !aberta) throw new SendFailed(NOT_CONNECTED)
    const messageId = messageIdOf(mensagem.idExterno)
    const escrita = diario.encryptFor(chat, () => linha?.relayMessage(chat, conteudo, { messageId }))
    // In parallel, because the library may wait a minute for a closed connection.
    await Promise.all([escrita, confirmacoes.waitFor(messageId)])
    const keys = lidas.takeAnswered(mensagem.endereco)
    // A lost read receipt is harmless.
    if (keys.length > 0) linha?.readMessages(keys).catch(() => undefined)
  }

  const reenvios = createResends({
    ...{ keys: host.keys, delays, logFailure },
    isStopped: () => parada,
    graceMs: options.ackMs ?? ACK_TIMEOUT_MS,
    resend: async (id, quem) => {
      const mensagem = await enviadas.find(id)
      if (mensagem === undefined) return
      // After several requests for one message the library ignores their keys, and the stored ones may be used up.
      // This fetches new ones.
      await linha?.assertSessions([...quem], true)
      await entregar(mensagem)
    },
  })

  const encerrar = (): void => {
    parada = true
    clearTimeout(volta)
    entrada.close()
    ligacoes.close()
    ausentes.close()
    confirmacoes.rejectAll()
  }

  const soltarLinha = async (): Promise<void> => {
    // A dead network never answers the close.
    await Promise.race([linha?.end(undefined), dormir(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    await chaves?.close()
  }

  return {
    silenceMs: () => (quadroEm === null ? null : performance.now() - quadroEm),
    start: async () => {
      if (iniciada) return
      iniciada = true
      await host.linkState({ tipo: 'conectando' })
      // Keys of earlier credentials would not match the new ones.
      if (credenciais.isNew) await host.keys.clear()
      // Messages of an earlier process come before those of the new connection.
      await entrada.recover()
      await abrir()
    },
    stop: async () => {
      encerrar()
      await soltarLinha()
      await reenvios.close()
    },
    logout: async () => {
      const sock = aberta ? linha : null
      encerrar()
      const naLinha = sock !== null && (await unlinkOverSocket(sock))
      await soltarLinha()
      // Without this, the phone would keep listing a device whose keys are deleted.
      const saiu = sock === null && pareado() ? await unlinkDevice(creds, options) : naLinha || !pareado()
      if (!saiu) logFailure(new Error('no answer'), 'phone not notified of the logout')
    },
    send: async (mensagem) => {
      const chat = jidOfAddress(mensagem.endereco)
      await waitForTurn(ritmo, mensagem, () => parada)
      await bloqueio.check(chat, async () => (await linha?.signalRepository.validateSession(chat))?.exists ?? false)
      await entregar(mensagem)
    },
    typing: (endereco) => {
      linha?.sendPresenceUpdate('composing', jidOfAddress(endereco)).catch(() => undefined)
    },
    pairingCode: async (telefone) => {
      if (linha === null || !codigos.shownAny() || pareado()) return null
      const sock = linha
      const codigo = await requestCode(sock, telefone)
      // The code is valid until the connection ends, with the last QR code.
      return codigo === null || linha !== sock ? null : { codigo, expiraEm: codigos.lastExpiresAt() }
    },
  }
}
