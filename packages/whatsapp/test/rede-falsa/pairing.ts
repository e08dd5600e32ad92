import { randomBytes } from 'node:crypto'
import type { proto } from 'baileys'
import type { ServerConnection } from './connection.ts'
import { createCodeRequests, type CodeRequests, type CodeRequestOptions } from './code-requests.ts'
import { unixTime, bytesOf, childOf, integerOf, SERVER, stanza } from './stanza.ts'
import type { LinkedDevice, PhoneOwner } from './types.ts'

type Registration = proto.ClientPayload.IDevicePairingRegistrationData

interface UnpairedClient {
  readonly connection: ServerConnection
  readonly noiseKey: Buffer
  readonly registration: Registration
}

export interface Pairing extends Pick<CodeRequests, 'received' | 'requestFor' | 'exchange'> {
  readonly offer: (visitor: UnpairedClient) => void
  /** Retires the secret of every code on screen. Resolves once the clients acknowledged the notice. */
  readonly renew: () => Promise<void>
  /** Confirms a code for the owner's phone. Resolves once the client has countersigned. */
  readonly confirm: (dono: PhoneOwner, ref: string, identidadeSelada: Uint8Array) => Promise<ConfirmedDevice>
}

export interface ConfirmedDevice {
  readonly device: LinkedDevice
  readonly countersigned: Buffer
  /** Closes the connection so that the client returns as a linked device. */
  readonly restart: () => void
}

export interface PairingOptions extends CodeRequestOptions {
  readonly refs: number
  readonly requiresPasskey: () => boolean
}

export function createPairing({ refs, requiresPasskey, ...opcoes }: PairingOptions): Pairing {
  const ofertas = new Map<string, UnpairedClient>()
  const avisados = new Map<string, () => void>()
  const { newId } = opcoes
  const requests = createCodeRequests(opcoes)
  return {
    received: (conexao, recebida) => {
      if (recebida.tag === 'ack') avisados.get(recebida.attrs.id ?? '')?.()
      else requests.received(conexao, recebida)
    },
    renew: async () => {
      const connections = new Set(
        [...ofertas.values()].map(({ connection }) => connection).filter((uma) => uma.isOpen()),
      )
      const avisar = (conexao: ServerConnection): Promise<void> =>
        new Promise((resolve) => {
          const attrs = { id: newId(), from: SERVER, type: 'companion_reg_refresh', t: unixTime() }
          avisados.set(attrs.id, resolve)
          conexao.send(stanza('notification', attrs, [stanza('companion_reg_refresh')]))
        })
      await Promise.all([...connections].map(avisar))
    },
    requestFor: requests.requestFor,
    exchange: requests.exchange,
    offer: (visitor) => {
      ofertas.set(requests.add(visitor.connection), visitor)
      const fresh = Array.from({ length: refs }, () => `2@${randomBytes(24).toString('base64')}`)
      for (const ref of fresh) ofertas.set(ref, visitor)
      const nos = fresh.map((ref) => stanza('ref', {}, Buffer.from(ref)))
      const attrs = { from: SERVER, type: 'set', id: newId(), xmlns: 'md' }
      visitor.connection.send(stanza('iq', attrs, [stanza('pair-device', {}, nos)]))
    },
    confirm: async (dono, ref, identidadeSelada) => {
      const visitor = ofertas.get(ref)
      if (visitor === undefined || !visitor.connection.isOpen()) throw new Error('invalid pairing code')
      if (requiresPasskey()) {
        const pedido = { id: newId(), from: SERVER, type: 'passkey_prologue_request', t: unixTime() }
        visitor.connection.send(stanza('notification', pedido, [stanza('passkey_request_options')]))
        throw new Error('phone waits for a passkey')
      }
      ofertas.delete(ref)
      const aparelho = toDevice(dono, visitor)
      const attrs = { from: SERVER, type: 'set', id: newId(), xmlns: 'md', t: unixTime() }
      const reply = await visitor.connection.request(
        stanza('iq', attrs, [
          stanza('pair-success', {}, [
            stanza('device-identity', {}, Buffer.from(identidadeSelada)),
            stanza('biz', { name: dono.nome }),
            stanza('device', { jid: aparelho.jid, lid: aparelho.lidJid }),
            stanza('platform', { name: 'smba' }),
          ]),
        ]),
      )
      return {
        device: aparelho,
        countersigned: bytesOf(childOf(childOf(reply, 'pair-device-sign'), 'device-identity')),
        restart: () => {
          dono.devices.set(aparelho.id, aparelho)
          visitor.connection.send(stanza('stream:error', { code: '515' }))
          visitor.connection.close()
        },
      }
    },
  }
}

function toDevice(dono: PhoneOwner, { noiseKey, registration }: UnpairedClient): LinkedDevice {
  const { eIdent, eRegid, eSkeyId, eSkeyVal, eSkeySig } = registration
  if (!eIdent || !eRegid || !eSkeyId || !eSkeyVal || !eSkeySig) throw new Error('incomplete registration')
  const id = dono.devices.size + 1
  return {
    owner: dono,
    id,
    jid: `${dono.numero}:${id}@${SERVER}`,
    lidJid: `${dono.lid}:${id}@lid`,
    noiseKey,
    identity: Buffer.from(eIdent),
    registrationId: integerOf(eRegid),
    signedKey: { id: integerOf(eSkeyId), publicKey: Buffer.from(eSkeyVal), signature: Buffer.from(eSkeySig) },
    oneTimeKeys: [],
    pending: [],
    revoked: false,
    connection: null,
  }
}
