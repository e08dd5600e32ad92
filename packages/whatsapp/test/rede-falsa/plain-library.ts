import makeWASocket, {
  type AuthenticationCreds,
  DisconnectReason,
  initAuthCreds,
  type SignalKeyStore,
  type WASocket,
} from 'baileys'
import { Boom } from '@hapi/boom'
import { silentLogger } from '#socket/socket.ts'
import type { FakePhone } from './phone.ts'
import { createMemoryKeys } from './memory-keys.ts'
import { textOf } from './reading.ts'
import type { FakeServer } from './server.ts'

/** The library alone, without our code, to test the fake network. */
export interface PlainAccount {
  readonly creds: AuthenticationCreds
  readonly keys: SignalKeyStore
  readonly closeCodes: (number | undefined)[]
  readonly read: string[]
}

export function newPlainAccount(): PlainAccount {
  return { creds: initAuthCreds(), keys: createMemoryKeys(), closeCodes: [], read: [] }
}

/** Connects and scans the code if one is shown. Resolves once the connection is open. */
export function connectPlain(server: FakeServer, phone: FakePhone, account: PlainAccount): Promise<WASocket> {
  return new Promise((resolve, reject) => {
    const auth = { creds: account.creds, keys: account.keys }
    const sock = makeWASocket({ waWebSocketUrl: server.url, logger: silentLogger, auth })
    sock.ev.on('creds.update', (change) => void Object.assign(account.creds, change))
    sock.ev.on('messages.upsert', ({ messages }) => {
      for (const { key, message } of messages) {
        if (key.fromMe !== true && message) account.read.push(textOf(message))
      }
    })
    sock.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
      if (qr !== undefined) phone.scan(qr).catch(reject)
      if (connection === 'open') resolve(sock)
      if (connection !== 'close') return
      const erro = lastDisconnect?.error
      const code = erro instanceof Boom ? erro.output.statusCode : undefined
      account.closeCodes.push(code)
      if (code === DisconnectReason.restartRequired) connectPlain(server, phone, account).then(resolve, reject)
      else reject(erro ?? new Error('closed'))
    })
  })
}
