import { createHmac, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { Curve, proto } from 'baileys'
import { bundleOfDevice } from './queries.ts'
import { unwrapKey, wrapKey, handshakeSecret } from './typed-code.ts'
import { deliverTo } from './delivery.ts'
import { readCiphertext, textOf } from './reading.ts'
import { createSignalPeer } from './signal-peer.ts'
import type { FakeServer } from './server.ts'
import { unixTime, SERVER, stanza } from './stanza.ts'
import type { LinkedDevice, PhoneOwner, NetworkPerson, ReceivedMessage } from './types.ts'

const ACCOUNT_SIGNATURE_PREFIX = Buffer.from([6, 0])
const DEVICE_SIGNATURE_PREFIX = Buffer.from([6, 1])

/** The owner's phone. It scans codes and receives a copy of every sent message. */
export interface FakePhone extends PhoneOwner {
  readonly scan: (qrCode: string) => Promise<LinkedDevice>
  readonly typeCode: (code: string) => Promise<LinkedDevice>
  /** The owner writes to a customer on the phone. Linked devices get a copy. */
  readonly write: (cliente: NetworkPerson, texto: string, como?: 'numero' | 'lid') => Promise<string>
  readonly copies: readonly ReceivedMessage[]
}

async function historySync(): Promise<proto.IMessage> {
  const { INITIAL_BOOTSTRAP: syncType } = proto.HistorySync.HistorySyncType
  const conteudo = proto.HistorySync.encode({ syncType, progress: 100, conversations: [] }).finish()
  const { HISTORY_SYNC_NOTIFICATION: type } = proto.Message.ProtocolMessage.Type
  const historySyncNotification = {
    ...{ syncType: proto.Message.HistorySyncType.INITIAL_BOOTSTRAP, progress: 100, chunkOrder: 1 },
    initialHistBootstrapInlinePayload: await promisify(deflate)(conteudo),
  }
  return { protocolMessage: { type, historySyncNotification } }
}

interface ScannedCode {
  readonly ref: string
  readonly identity: Buffer
  readonly secret: Buffer
}

export function createFakePhone(server: FakeServer, person: NetworkPerson): FakePhone {
  const sinal = createSignalPeer()
  const aparelhos = new Map<number, LinkedDevice>()
  const copias: ReceivedMessage[] = []
  const atualizados = new Set<LinkedDevice>()

  const enviarAo = async (
    aparelho: LinkedDevice,
    mensagem: proto.IMessage,
    attrs: Record<string, string>,
  ): Promise<void> => {
    const { type: tipo, body } = await sinal.encrypt(aparelho.jid, mensagem, () => bundleOfDevice(aparelho))
    const todos = { type: 'text', t: unixTime(), from: `${person.numero}@${SERVER}`, ...attrs }
    deliverTo(aparelho, stanza('message', todos, [stanza('enc', { v: '2', type: tipo }, body)]))
  }

  // A new device gets a history sync. Before that the library buffers its events.
  server.events.on('conectou', (aparelho) => {
    if (aparelho.owner !== celular || atualizados.has(aparelho)) return
    atualizados.add(aparelho)
    void historySync().then((mensagem) => enviarAo(aparelho, mensagem, { id: server.newId('3A'), category: 'peer' }))
  })

  const ligar = async (code: ScannedCode): Promise<LinkedDevice> => {
    const details = deviceDetails(aparelhos.size + 1)
    const { public: publica, private: privada } = sinal.identity
    const identidade = proto.ADVSignedDeviceIdentity.encode({
      details,
      accountSignatureKey: publica,
      accountSignature: Curve.sign(privada, Buffer.concat([ACCOUNT_SIGNATURE_PREFIX, details, code.identity])),
    }).finish()
    const hmac = createHmac('sha256', code.secret).update(identidade).digest()
    const sealed = proto.ADVSignedDeviceIdentityHMAC.encode({ details: identidade, hmac }).finish()
    const confirmed = await server.pairing.confirm(celular, code.ref, sealed)
    checkCountersignature(confirmed.countersigned, Buffer.concat([details, code.identity, publica]), code.identity)
    confirmed.restart()
    return confirmed.device
  }

  const celular: FakePhone = {
    ...person,
    signal: sinal,
    devices: aparelhos,
    copies: copias,
    deliver: async ({ device, id }, enc) => {
      // An unreadable copy must not stop the delivery to customers.
      const mensagem = await sinal.decrypt(device.jid, readCiphertext(enc)).catch(() => undefined)
      if (mensagem !== undefined) copias.push({ id, message: mensagem, text: textOf(mensagem) })
    },
    scan: async (qrCode) => ligar(parseCode(qrCode)),
    typeCode: async (code) => {
      const { ref, wrappedKey } = await server.pairing.requestFor(person.numero)
      const doAparelho = await unwrapKey(wrappedKey, code)
      const efemera = Curve.generateKeyPair()
      const { bundle, identity } = await server.pairing.exchange(ref, {
        wrappedKey: await wrapKey(efemera.public, code),
        identity: sinal.identity.public,
      })
      const keys = { own: sinal.identity, ephemeral: efemera, deviceEphemeral: doAparelho, identity: identity }
      return ligar({ ref, identity, secret: handshakeSecret(bundle, keys) })
    },
    write: async (cliente, texto, como = 'lid') => {
      const id = server.newId('3A')
      const numero = `${cliente.numero}@${SERVER}`
      const [recipient, alternative] =
        como === 'lid'
          ? [`${cliente.lid}@lid`, { peer_recipient_pn: numero }]
          : [numero, { peer_recipient_lid: `${cliente.lid}@lid` }]
      const copy = { deviceSentMessage: { destinationJid: recipient, message: { conversation: texto } } }
      // The sender of a copy is the phone, by number and LID.
      const attrs = { id, recipient, ...alternative, sender_lid: `${person.lid}@lid`, notify: person.nome }
      for (const aparelho of aparelhos.values()) await enviarAo(aparelho, copy, attrs)
      return id
    },
  }
  server.addOwner(celular)
  return celular
}

function parseCode(qrCode: string): ScannedCode {
  const [ref, , identidade, segredo] = qrCode.slice(qrCode.indexOf('#') + 1).split(',')
  if (!ref || !identidade || !segredo) throw new Error('not a WhatsApp pairing code')
  return { ref, identity: Buffer.from(identidade, 'base64'), secret: Buffer.from(segredo, 'base64') }
}

function deviceDetails(keyIndex: number): Buffer {
  const { E2EE } = proto.ADVEncryptionType
  const timestamp = Math.floor(Date.now() / 1000)
  const rawId = randomBytes(4).readUInt32BE()
  return Buffer.from(
    proto.ADVDeviceIdentity.encode({ rawId, timestamp, keyIndex, accountType: E2EE, deviceType: E2EE }).finish(),
  )
}

/** Checks that the device signed our data with the identity of its code. */
function checkCountersignature(countersigned: Buffer, content: Buffer, identity: Buffer): void {
  const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(countersigned)
  const signed = Buffer.concat([DEVICE_SIGNATURE_PREFIX, content])
  if (!deviceSignature || !Curve.verify(identity, signed, deviceSignature)) {
    throw new Error('device did not countersign')
  }
}
