import { EventEmitter, once } from 'node:events'
import { type BinaryNode, Curve, decodeBinaryNode } from 'baileys'
import { WebSocketServer } from 'ws'
import { createDirectory } from './directory.ts'
import { type Authority, createAuthority } from './authority.ts'
import { createServerConnection, type ServerConnection, type ConnectionEvents } from './connection.ts'
import { answerQuery } from './queries.ts'
import { activateDevice, confirmDelivery, deliverTo } from './delivery.ts'
import { type Introduction, createNoiseHandshake } from './noise.ts'
import { createPairing, type Pairing } from './pairing.ts'
import { unixTime, deviceNumberOf, childOf, childrenOf, SERVER, stanza } from './stanza.ts'
import type { LinkedDevice, Recipient, PhoneOwner, SentStanza, NetworkEvents, NetworkFaults } from './types.ts'

export interface FakeServerOptions {
  readonly refs?: number
  readonly authority?: Authority
}

/** WhatsApp's multi-device server on loopback: real handshake, real stanzas, delivery at least once. */
export interface FakeServer {
  readonly url: string
  readonly events: EventEmitter<NetworkEvents>
  readonly faults: NetworkFaults
  readonly pairing: Pairing
  readonly add: (quem: Recipient) => void
  readonly addOwner: (quem: PhoneOwner) => void
  readonly newId: (prefix: string) => string
  /** Ends every connection with a stream error, such as `503` for overload. */
  readonly endAll: (codigo: string) => void
  /** Locks all numbers for new chats until `ate`; null unlocks them. */
  readonly lockNewChats: (until: Date | null) => void
  readonly removeDevice: (aparelho: LinkedDevice) => void
  readonly decode: (bytes: Buffer) => Promise<BinaryNode>
  /** Cuts every connection without a close frame. */
  readonly cutAll: () => void
  readonly close: () => Promise<void>
}

export async function createFakeServer({
  refs = 6,
  authority = createAuthority(),
}: FakeServerOptions = {}): Promise<FakeServer> {
  const agenda = createDirectory()
  const eventos = new EventEmitter<NetworkEvents>()
  eventos.setMaxListeners(0)
  const failures: NetworkFaults = {}
  const estatica = Curve.generateKeyPair()
  const certificate = authority.issue(estatica.public)
  const donoDaLinha = new Map<ServerConnection, LinkedDevice>()
  const connections = new Set<ServerConnection>()
  let sequencia = 0
  const novoId = (prefix: string): string => prefix + (++sequencia).toString(16).toUpperCase().padStart(18, '0')
  const pareamento = createPairing({
    refs,
    newId: () => novoId(''),
    refusal: () => failures.refuseCode,
    requiresPasskey: () => failures.requirePasskey === true,
    exists: (numero) => agenda.findOwner(numero) !== undefined,
  })

  const remove = (aparelho: LinkedDevice): void => {
    aparelho.revoked = true
    aparelho.connection?.send(stanza('stream:error', { code: '401' }, [stanza('conflict', { type: 'device_removed' })]))
    aparelho.connection?.close()
  }

  const enter = (conexao: ServerConnection, { client, clientKey }: Introduction): void => {
    const dono = agenda.findOwner(String(client.username))
    const aparelho = dono?.devices.get(client.device ?? 0)
    const known = aparelho !== undefined && !aparelho.revoked && aparelho.noiseKey.equals(clientKey)
    const { primary, secondary, tertiary } = client.userAgent?.appVersion ?? {}
    if (failures.refuseVersion?.([primary, secondary, tertiary].join('.')) === true) {
      conexao.send(stanza('failure', { reason: '405', location: 'fake' }))
      return conexao.close()
    }
    if (!known || failures.refuseLogin !== undefined) {
      conexao.send(stanza('failure', { reason: failures.refuseLogin ?? '401', location: 'fake' }))
      return conexao.close()
    }
    aparelho.connection?.send(stanza('stream:error', {}, [stanza('conflict', { type: 'replaced' })]))
    aparelho.connection?.close()
    aparelho.connection = conexao
    donoDaLinha.set(conexao, aparelho)
    conexao.send(stanza('success', { t: unixTime(), lid: aparelho.lidJid, props: '0' }))
  }

  const gate: ConnectionEvents = {
    introduced: (conexao, quem) => {
      const registro = quem.client.devicePairingData
      if (registro?.eIdent?.length)
        pareamento.offer({ connection: conexao, noiseKey: quem.clientKey, registration: registro })
      else enter(conexao, quem)
    },
    received: async (conexao, recebida) => {
      const aparelho = donoDaLinha.get(conexao)
      if (aparelho === undefined) return pareamento.received(conexao, recebida)
      if (failures.loseStanza?.(recebida) === true) return
      await tratar(aparelho, conexao, recebida)
    },
    closed: (conexao) => {
      connections.delete(conexao)
      const aparelho = donoDaLinha.get(conexao)
      donoDaLinha.delete(conexao)
      if (aparelho?.connection === conexao) aparelho.connection = null
      if (aparelho !== undefined) eventos.emit('caiu', aparelho)
    },
    failed: (erro) => void eventos.emit('erro', erro),
  }

  const tratar = async (aparelho: LinkedDevice, conexao: ServerConnection, recebida: BinaryNode): Promise<void> => {
    const { id, to, type } = recebida.attrs
    switch (recebida.tag) {
      case 'iq':
        return consultar(aparelho, conexao, recebida)
      case 'message':
        return encaminhar({ device: aparelho, id: id ?? '', to: to ?? '', stanza: recebida }, conexao)
      case 'receipt':
        if (type !== 'retry' && type !== 'read') confirmDelivery(aparelho, recebida)
        conexao.send(stanza('ack', { class: 'receipt', id, from: to, type, t: unixTime() }))
        eventos.emit('recibo', { aparelho, stanza: recebida })
        return
      case 'ack':
        confirmDelivery(aparelho, recebida)
        eventos.emit('ack', { aparelho, stanza: recebida })
        return
      case 'presence':
      case 'chatstate':
        eventos.emit('presenca', { aparelho, stanza: recebida })
        return
      default:
    }
  }

  const consultar = async (aparelho: LinkedDevice, conexao: ServerConnection, iq: BinaryNode): Promise<void> => {
    const reply = await answerQuery(agenda, aparelho, iq)
    conexao.send(stanza('iq', { id: iq.attrs.id, from: iq.attrs.to ?? SERVER, type: 'result' }, reply))
    const request = childOf(iq)?.tag
    if (iq.attrs.xmlns === 'passive' && request === 'active') {
      activateDevice(aparelho)
      eventos.emit('conectou', aparelho)
    }
    if (request === 'remove-companion-device') {
      eventos.emit('saiu', aparelho)
      remove(aparelho)
    }
  }

  const encaminhar = async (sent: SentStanza, conexao: ServerConnection): Promise<void> => {
    const { id, to: para } = sent
    const error = failures.refuse?.(sent)
    if (failures.loseAck?.(sent) !== true) {
      conexao.send(stanza('ack', { class: 'message', id, from: para, t: unixTime(), error }))
    }
    eventos.emit('enviada', sent)
    if (error !== undefined || failures.loseMessage?.(sent) === true) return
    for (const { jid, enc } of recipientsOf(sent)) {
      if (deviceNumberOf(jid) === 0) await agenda.find(jid)?.deliver(sent, enc)
    }
  }

  const dismiss = (codigo: string): void => {
    for (const conexao of donoDaLinha.keys()) {
      conexao.send(stanza('stream:error', { code: codigo }))
      conexao.close()
    }
  }

  const bloquear = (until: Date | null): void => {
    const aviso = {
      is_active: until !== null,
      time_enforcement_ends: String(Math.floor((until?.getTime() ?? 0) / 1000)),
    }
    const data = { xwa2_notify_account_reachout_timelock: aviso }
    const content = stanza(
      'update',
      { op_name: 'NotificationUserReachoutTimelockUpdate' },
      Buffer.from(JSON.stringify({ data })),
    )
    for (const aparelho of donoDaLinha.values()) {
      deliverTo(
        aparelho,
        stanza('notification', { id: novoId(''), type: 'mex', from: SERVER, t: unixTime() }, [content]),
      )
    }
  }

  const cortarTudo = (): void => {
    for (const conexao of connections) conexao.cut()
  }

  const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  wss.on(
    'connection',
    (socket) => void connections.add(createServerConnection(socket, createNoiseHandshake(estatica, certificate), gate)),
  )
  await once(wss, 'listening')
  const endereco = wss.address()
  const porta = endereco !== null && typeof endereco === 'object' ? endereco.port : 0

  return {
    url: `ws://127.0.0.1:${porta}/ws/chat`,
    events: eventos,
    faults: failures,
    pairing: pareamento,
    add: agenda.add,
    addOwner: agenda.addOwner,
    newId: novoId,
    endAll: dismiss,
    lockNewChats: bloquear,
    removeDevice: remove,
    decode: async (bytes) => decodeBinaryNode(bytes),
    cutAll: cortarTudo,
    close: async () => {
      cortarTudo()
      await new Promise<void>((resolve) => wss.close(() => resolve()))
    },
  }
}

function recipientsOf({ to: para, stanza: sent }: SentStanza): { jid: string; enc: BinaryNode }[] {
  const direta = childOf(sent, 'enc')
  if (direta !== undefined) return [{ jid: para, enc: direta }]
  return childrenOf(childOf(sent, 'participants'), 'to').flatMap((to) => {
    const enc = childOf(to, 'enc')
    return enc === undefined ? [] : [{ jid: to.attrs.jid ?? '', enc }]
  })
}
