import { setTimeout as dormir } from 'node:timers/promises'
import { Boom } from '@hapi/boom'
import { type BinaryNode, isPnUser, jidDecode, jidNormalizedUser, type WASocket } from 'baileys'
import { SendFailed } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost, Connector, LinkState } from '@balcao/connector/port'
import { type Fetch, createMediaServer, type UploadHost } from './outbound/media-server.ts'
import { createMissing } from './inbound/missing.ts'
import { createChatLock } from './chat-lock.ts'
import { createQrCodes } from './qr-codes.ts'
import { createConfirmations, ACK_TIMEOUT_MS, RESTRICTED } from './outbound/confirmations.ts'
import { openDeviceCredentials, type ConnectionKeys, createConnectionKeys } from './socket/credentials.ts'
import { unlinkDevice, unlinkOverSocket } from './unlink.ts'
import { createJournal } from './socket/journal.ts'
import { createInbound } from './inbound/inbound.ts'
import { createSentMessages } from './outbound/sent.ts'
import { decideClose, reconnectDelayMs } from './close.ts'
import { messageIdOf } from './message-id.ts'
import { createCalls } from './inbound/calls.ts'
import { openSocket, type SocketListeners } from './socket/socket.ts'
import { buildWireMessage } from './outbound/media.ts'
import { isUnreadable, type Self, jidOfAddress } from './inbound/message.ts'
import { createUnreadMessages } from './inbound/unread.ts'
import { createPhoneOfLid } from './inbound/phone-of-lid.ts'
import { requestCode } from './request-code.ts'
import type { LogFailure } from './log-failure.ts'
import { createResends } from './outbound/resends.ts'
import { createPacer, waitForTurn, UNPACED, type PacerOptions } from './pacer.ts'
import { createReconnects } from './reconnects.ts'

export interface ConnectionOptions {
  readonly url: string
  readonly mediaUrl?: string | undefined
  readonly fetchUrl?: Fetch
  readonly logFailure: LogFailure
  readonly version?: readonly [number, number, number]
  readonly qrMs?: number
  readonly pace?: 'livre' | PacerOptions
  /** Milliseconds before the n-th reconnect. */
  readonly delays?: (attempt: number) => number
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
export function createConnection(host: SessionHost, options: ConnectionOptions): Required<Connector> {
  const { logFailure, delays = reconnectDelayMs } = options
  const credenciais = openDeviceCredentials(host, (erro) => logFailure(erro, 'credentials not written'))
  const { creds } = credenciais
  const confirmations = createConfirmations(options.ackMs)
  const pacer = options.pace === 'livre' ? UNPACED : createPacer(options.pace)
  const bloqueio = createChatLock()
  const voltas = createReconnects(options.stableMs)
  const sent = createSentMessages(host, {
    logFailure,
    self: () => eu(),
    onDelivered: (id, aQuem) => reenvios.delivered(id, aQuem),
  })
  const store = createMediaServer(options.mediaUrl, options.fetchUrl)
  const parsed = createUnreadMessages()
  let line: WASocket | null = null
  let chaves: ConnectionKeys | null = null
  let open = false
  let iniciada = false
  let stopped = false
  let quadroEm: number | null = null
  let volta: NodeJS.Timeout | undefined

  const eu = (): Self => ({ jid: creds.me?.id ?? '', lid: creds.me?.lid ?? '' })
  const pareado = (): boolean => creds.account !== undefined
  const numeroDoLid = createPhoneOfLid(host.keys, () => line)
  const input = createInbound({
    host,
    mediaServer: store,
    unread: parsed,
    logFailure,
    self: eu,
    phoneOfLid: numeroDoLid,
    isOpen: (arrival) => ligacoes.isRinging(arrival.id) || ausentes.waitFor(arrival),
    contentArrived: (id) => ausentes.contentArrived(id),
    isMissing: (id) => ausentes.isMissing(id),
    externalIdOf: sent.externalIdOf,
  })
  const ligacoes = createCalls({ keys: host.keys, self: eu, onMissed: input.arrived, ringMs: options.ringMs })
  const ausentes = createMissing({ keys: host.keys, onMissing: input.arrived, waitMs: options.missingMs })
  const diario = createJournal({
    myId: () => creds.me?.id,
    myLid: () => creds.me?.lid,
    onEntry: (id, valor) => input.arrived({ id, valor }),
  })

  const count = (state: LinkState): void => {
    if (stopped) return
    host.linkState(state).catch((erro: unknown) => logFailure(erro, 'link state not stored'))
  }

  const codes = createQrCodes(count, options.qrMs)

  const abrir = async (): Promise<void> => {
    await chaves?.close()
    if (stopped) return
    codes.restart()
    // Deletes the number of a code request, because no phone has linked it yet.
    if (!pareado()) delete creds.me
    chaves = createConnectionKeys(host, semChaves)
    line = openSocket({ ...options, creds, keys: chaves, journal: diario, sentContent: sent.contentFor, on: listeners })
  }

  // Without its keys the library would refuse the message, and the server would delete it. With a closed connection
  // the server keeps it.
  const semChaves = (erro: unknown): void => {
    logFailure(erro, 'key store failed, connection closed')
    void line?.end(new Boom('key store', { statusCode: 428 }))
  }

  /** Closes the connection if the stanza could not be stored. The server repeats it on the next connection. */
  const stored = async (done: Promise<void>): Promise<void> => {
    await done.catch((erro: unknown) => {
      semChaves(erro)
      throw erro
    })
  }

  const fechou = (codigo: number | undefined): void => {
    ausentes.setConnected(false)
    open = false
    line = null
    quadroEm = null
    confirmations.rejectAll()
    if (stopped) return
    const closing = decideClose({
      code: codigo,
      paired: pareado(),
      codesEnded: codes.isLast(),
      ...voltas.closed(codigo),
    })
    switch (closing.tipo) {
      case 'reabrir':
        // The credentials of the pairing must be stored before the reconnect.
        void credenciais.save().then(abrir)
        return
      case 'esperar':
        count({ tipo: 'reconectando', motivo: closing.motivo })
        volta = setTimeout(() => void abrir(), delays(voltas.nextAttempt()))
        return
      case 'encerrar':
        count({ tipo: 'encerrado', status: closing.status, motivo: closing.motivo })
        finish()
        return
      default:
        return closing satisfies never
    }
  }

  const digitando = (jid: string): void => {
    const endereco = jidNormalizedUser(jid)
    if (isPnUser(endereco) === true) return host.typing({ endereco, telefone: jidDecode(endereco)?.user ?? '' })
    numeroDoLid(endereco)
      .then((numero) => host.typing({ endereco, telefone: jidDecode(numero ?? undefined)?.user ?? '' }))
      .catch(() => undefined)
  }

  const listeners: SocketListeners = {
    // Before a phone has linked, there is nothing to store.
    credentials: () => void (pareado() ? credenciais.save() : undefined),
    qrCode: codes.show,
    qrCodeRenewed: codes.replace,
    opened: () => {
      open = true
      voltas.opened()
      ausentes.setConnected(true)
      reenvios.resume()
      count({ tipo: 'conectado', como: creds.me?.name ?? jidDecode(creds.me?.id)?.user ?? '' })
    },
    closed: fechou,
    message: (mensagem) => {
      if (mensagem.key.fromMe === true) return
      input.reported(mensagem)
      if (isUnreadable(mensagem)) ausentes.sawUnreadable(mensagem).catch(semChaves)
    },
    missing: (stanza) => stored(ausentes.sawStanza(stanza)),
    frame: () => (quadroEm = performance.now()),
    ack: (ack) => {
      const { id = '', error } = ack.attrs
      const expected = confirmations.received(ack)
      if (error === undefined) return
      if (error !== RESTRICTED) return expected ? undefined : reenvios.refused(id)
      bloqueio.refused(ack.attrs.from ?? '')
      // The answer arrives as a `bloqueio` event.
      line?.fetchAccountReachoutTimelock().catch(() => undefined)
    },
    chatLock: bloqueio.noticed,
    call: (stanza) => stored(ligacoes.sawStanza(stanza)),
    receipt: (recibo: BinaryNode) => sent.receipt(recibo),
    resendRequest: (id, quem) => reenvios.requested(id, quem).catch(semChaves),
    typing: digitando,
  }

  const place = async (): Promise<UploadHost> => {
    const connection = await line?.refreshMediaConn(false)
    const [host] = connection?.hosts ?? []
    if (connection === undefined || host === undefined) throw new Error(NOT_CONNECTED)
    return { hostname: host.hostname, auth: connection.auth }
  }

  const deliver = async (mensagem: OutboundMessage): Promise<void> => {
    const chat = jidOfAddress(mensagem.endereco)
    const content = await buildWireMessage(mensagem, {
      mediaServer: store,
      uploadHost: place,
      readMedia: host.readMedia,
      chat,
      self: eu(),
    })
    if (line === null || !open) throw new SendFailed(NOT_CONNECTED)
    const messageId = messageIdOf(mensagem.idExterno)
    const escrita = diario.encryptFor(chat, () => line?.relayMessage(chat, content, { messageId }))
    // In parallel, because the library may wait a minute for a closed connection.
    await Promise.all([escrita, confirmations.waitFor(messageId)])
    const keys = parsed.takeAnswered(mensagem.endereco)
    // A lost read receipt is harmless.
    if (keys.length > 0) line?.readMessages(keys).catch(() => undefined)
  }

  const reenvios = createResends({
    ...{ keys: host.keys, delays, logFailure },
    isStopped: () => stopped,
    graceMs: options.ackMs ?? ACK_TIMEOUT_MS,
    resend: async (id, quem) => {
      const mensagem = await sent.find(id)
      if (mensagem === undefined) return
      // After several requests for one message the library ignores their keys, and the stored ones may be used up.
      // This fetches new ones.
      await line?.assertSessions([...quem], true)
      await deliver(mensagem)
    },
  })

  const finish = (): void => {
    stopped = true
    clearTimeout(volta)
    input.close()
    ligacoes.close()
    ausentes.close()
    confirmations.rejectAll()
  }

  const soltarLinha = async (): Promise<void> => {
    // A dead network never answers the close.
    await Promise.race([line?.end(undefined), dormir(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
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
      await input.recover()
      await abrir()
    },
    stop: async () => {
      finish()
      await soltarLinha()
      await reenvios.close()
    },
    logout: async () => {
      const sock = open ? line : null
      finish()
      const naLinha = sock !== null && (await unlinkOverSocket(sock))
      await soltarLinha()
      // Without this, the phone would keep listing a device whose keys are deleted.
      const left = sock === null && pareado() ? await unlinkDevice(creds, options) : naLinha || !pareado()
      if (!left) logFailure(new Error('no answer'), 'phone not notified of the logout')
    },
    send: async (mensagem) => {
      const chat = jidOfAddress(mensagem.endereco)
      await waitForTurn(pacer, mensagem, () => stopped)
      await bloqueio.check(chat, async () => (await line?.signalRepository.validateSession(chat))?.exists ?? false)
      await deliver(mensagem)
    },
    typing: (address) => {
      line?.sendPresenceUpdate('composing', jidOfAddress(address)).catch(() => undefined)
    },
    pairingCode: async (telefone) => {
      if (line === null || !codes.shownAny() || pareado()) return null
      const sock = line
      const codigo = await requestCode(sock, telefone)
      // The code is valid until the connection ends, with the last QR code.
      return codigo === null || line !== sock ? null : { codigo, expiraEm: codes.lastExpiresAt() }
    },
  }
}
