import { randomUUID } from 'node:crypto'
import type { BinaryNode } from 'baileys'
import type { Directory } from './directory.ts'
import { deliverTo } from './delivery.ts'
import type { KeyBundle } from './signal-peer.ts'
import { unixTime, deviceNumberOf, bytesOf, toBytes, childOf, childrenOf, integerOf, SERVER, stanza } from './stanza.ts'
import type { LinkedDevice, SignedKey } from './types.ts'

/** Below this number of one-time keys the server requests more. */
const LOW_KEYS = 5

/** Keys of a linked device, with one of its one-time keys if any is left. */
export function bundleOfDevice(device: LinkedDevice): KeyBundle {
  const { registrationId, identity, signedKey } = device
  const deUmaVez = device.oneTimeKeys.shift()
  if (device.oneTimeKeys.length < LOW_KEYS) requestMoreKeys(device)
  return { registrationId, identity, signedKey, oneTimeKey: deUmaVez }
}

function requestMoreKeys(aparelho: LinkedDevice): void {
  const request = ({ tag, attrs }: BinaryNode): boolean => tag === 'notification' && attrs.type === 'encrypt'
  if (aparelho.pending.some(request)) return
  const count = stanza('count', { value: String(aparelho.oneTimeKeys.length) })
  deliverTo(
    aparelho,
    stanza('notification', { id: randomUUID(), type: 'encrypt', from: `@${SERVER}`, t: unixTime() }, [count]),
  )
}

/** Answers a client's `<iq>`. Unknown requests get an empty result. */
export async function answerQuery(directory: Directory, device: LinkedDevice, iq: BinaryNode): Promise<BinaryNode[]> {
  const request = childOf(iq)
  switch (`${iq.attrs.xmlns ?? ''}/${iq.attrs.type ?? ''}/${request?.tag ?? ''}`) {
    case 'encrypt/get/count':
      return [stanza('count', { value: String(device.oneTimeKeys.length) })]
    case 'encrypt/get/digest':
      return [stanza('digest', {}, [stanza('registration', {}, toBytes(device.registrationId, 4))])]
    case 'encrypt/get/key':
      return [
        stanza('list', {}, await Promise.all(childrenOf(request, 'user').map((user) => bundleOf(directory, user)))),
      ]
    case 'encrypt/set/rotate':
      device.signedKey = readSignedKey(childOf(request, 'skey'))
      return []
    case 'usync/get/usync': {
      const usuarios = childrenOf(childOf(request, 'list'), 'user').map((user) => devicesOf(directory, user))
      return [stanza('usync', { sid: request?.attrs.sid }, [stanza('list', {}, usuarios)])]
    }
    case 'privacy/get/privacy':
      return [stanza('privacy', {}, [stanza('category', { name: 'readreceipts', value: 'all' })])]
    case 'w:m/set/media_conn':
      return [stanza('media_conn', { auth: 'auth', ttl: '3600' }, [stanza('host', { hostname: 'mmg.whatsapp.net' })])]
    case 'w:sync:app:state/set/sync':
      return [stanza('sync', {}, childrenOf(request, 'collection').map(isUpToDate))]
    default:
      if (iq.attrs.xmlns === 'encrypt' && iq.attrs.type === 'set') storeKeys(device, iq)
      return []
  }
}

function isUpToDate({ attrs }: BinaryNode): BinaryNode {
  return stanza('collection', { name: attrs.name, version: attrs.version ?? '0', has_more_patches: 'false' })
}

function storeKeys(aparelho: LinkedDevice, iq: BinaryNode): void {
  aparelho.signedKey = readSignedKey(childOf(iq, 'skey'))
  for (const key of childrenOf(childOf(iq, 'list'), 'key')) {
    aparelho.oneTimeKeys.push({ id: integerOf(bytesOf(childOf(key, 'id'))), publica: bytesOf(childOf(key, 'value')) })
  }
}

function readSignedKey(skey: BinaryNode | undefined): SignedKey {
  return {
    id: integerOf(bytesOf(childOf(skey, 'id'))),
    publicKey: bytesOf(childOf(skey, 'value')),
    signature: bytesOf(childOf(skey, 'signature')),
  }
}

function devicesOf(agenda: Directory, user: BinaryNode): BinaryNode {
  const numero = bytesOf(childOf(user, 'contact')).toString().replace('+', '')
  const jid = user.attrs.jid ?? `${numero}@${SERVER}`
  const pessoa = agenda.find(jid)
  if (pessoa === undefined) return stanza('user', { jid }, [stanza('contact', { type: 'out' })])
  const enabled = [...(agenda.findOwner(jid)?.devices.values() ?? [])].filter(({ revoked }) => !revoked)
  const devices = [
    stanza('device', { id: '0' }),
    ...enabled.map(({ id }) => stanza('device', { id: String(id), 'key-index': String(id) })),
  ]
  return stanza('user', { jid }, [
    stanza('devices', {}, [stanza('device-list', {}, devices)]),
    ...(jid.endsWith('@lid') ? [] : [stanza('lid', { val: `${pessoa.lid}@lid` })]),
    stanza('contact', { type: 'in' }),
  ])
}

async function bundleOf(agenda: Directory, { attrs }: BinaryNode): Promise<BinaryNode> {
  const { jid = '' } = attrs
  const ligado = agenda.findOwner(jid)?.devices.get(deviceNumberOf(jid))
  const packet = ligado === undefined ? await agenda.find(jid)?.signal.newBundle() : bundleOfDevice(ligado)
  if (packet === undefined) return stanza('user', { jid }, [stanza('error', { code: '404', text: 'not-found' })])
  return stanza('user', { jid, t: unixTime() }, keyStanzas(packet))
}

/** A bundle of public keys in wire format, for answers of the server and receipts of a retry. */
export function keyStanzas({ registrationId, identity, signedKey, oneTimeKey }: KeyBundle): BinaryNode[] {
  return [
    stanza('registration', {}, toBytes(registrationId, 4)),
    stanza('type', {}, Buffer.from([5])),
    stanza('identity', {}, Buffer.from(identity)),
    stanza('skey', {}, [
      stanza('id', {}, toBytes(signedKey.id, 3)),
      stanza('value', {}, Buffer.from(signedKey.publicKey)),
      stanza('signature', {}, Buffer.from(signedKey.signature)),
    ]),
    ...(oneTimeKey === undefined
      ? []
      : [
          stanza('key', {}, [
            stanza('id', {}, toBytes(oneTimeKey.id, 3)),
            stanza('value', {}, Buffer.from(oneTimeKey.publica)),
          ]),
        ]),
  ]
}
