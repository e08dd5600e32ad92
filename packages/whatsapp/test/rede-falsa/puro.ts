import makeWASocket, {
  type AuthenticationCreds,
  DisconnectReason,
  initAuthCreds,
  type SignalKeyStore,
  type WASocket,
} from 'baileys'
import { Boom } from '@hapi/boom'
import { mudo } from '#mudo.ts'
import type { Celular } from './celular.ts'
import { createChavesEmMemoria } from './chaves-em-memoria.ts'
import { textoDe } from './leitura.ts'
import type { ServidorFalso } from './servidor.ts'

/** The library alone, without our code, to test the fake network. */
export interface Conta {
  readonly creds: AuthenticationCreds
  readonly chaves: SignalKeyStore
  readonly fechamentos: (number | undefined)[]
  readonly lidas: string[]
}

export function novaConta(): Conta {
  return { creds: initAuthCreds(), chaves: createChavesEmMemoria(), fechamentos: [], lidas: [] }
}

/** Connects and scans the code if one is shown. Resolves once the connection is open. */
export function conectarPuro(servidor: ServidorFalso, celular: Celular, conta: Conta): Promise<WASocket> {
  return new Promise((resolve, reject) => {
    const auth = { creds: conta.creds, keys: conta.chaves }
    const sock = makeWASocket({ waWebSocketUrl: servidor.url, logger: mudo, auth })
    sock.ev.on('creds.update', (mudanca) => void Object.assign(conta.creds, mudanca))
    sock.ev.on('messages.upsert', ({ messages }) => {
      for (const { key, message } of messages) {
        if (key.fromMe !== true && message) conta.lidas.push(textoDe(message))
      }
    })
    sock.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
      if (qr !== undefined) celular.escanear(qr).catch(reject)
      if (connection === 'open') resolve(sock)
      if (connection !== 'close') return
      const erro = lastDisconnect?.error
      const codigo = erro instanceof Boom ? erro.output.statusCode : undefined
      conta.fechamentos.push(codigo)
      if (codigo === DisconnectReason.restartRequired) conectarPuro(servidor, celular, conta).then(resolve, reject)
      else reject(erro ?? new Error('closed'))
    })
  })
}
