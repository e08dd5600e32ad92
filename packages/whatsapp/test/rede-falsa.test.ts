import '#remendos/index.ts'
import { DisconnectReason, type WASocket } from 'baileys'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Celular, createCelular } from './rede-falsa/celular.ts'
import { type ClienteFalso, createCliente } from './rede-falsa/cliente.ts'
import { type Conta, conectarPuro, novaConta } from './rede-falsa/puro.ts'
import { createServidor, type ServidorFalso } from './rede-falsa/servidor.ts'
import { textoDe } from './rede-falsa/leitura.ts'
import { quando } from './quando.ts'

/** Runs the library against the fake network without our code, to prove that the network speaks the protocol. */

let servidor: ServidorFalso
let celular: Celular
let ana: ClienteFalso

beforeEach(async () => {
  servidor = await createServidor()
  celular = createCelular(servidor, { numero: '5511990000001', lid: '100000000000001', nome: 'Floricultura' })
  ana = createCliente(servidor, { numero: '5511987654321', lid: '200000000000001', nome: 'Ana' })
})
afterEach(() => servidor.fechar())

/** Resolves once the library has processed the first history sync. */
async function atualizada({ creds }: Conta, sock: WASocket): Promise<void> {
  while (creds.accountSyncCounter === 0) {
    await new Promise<void>((resolve) => sock.ev.on('creds.update', () => resolve()))
  }
}

describe('createServidor', () => {
  it('pairs by QR code and carries encrypted messages both ways', async () => {
    const conta = novaConta()
    const sock = await conectarPuro(servidor, celular, conta)
    expect(conta.fechamentos).toEqual([DisconnectReason.restartRequired])
    expect(celular.aparelhos.get(1)?.deUmaVez.length).toBeGreaterThan(100)

    sock.ev.on('messages.upsert', ({ messages }) => {
      for (const { key, message } of messages) {
        if (key.fromMe === true || !message) continue
        void sock.sendMessage(key.remoteJid ?? '', { text: `eco: ${textoDe(message)}` })
      }
    })
    await ana.diz(celular, 'oi')
    expect(await ana.nesima(1)).toMatchObject({ texto: 'eco: oi' })
    await ana.diz(celular, 'de novo', { como: 'numero' })
    expect(await ana.nesima(2)).toMatchObject({ texto: 'eco: de novo' })
    expect(celular.copias.map(({ texto }) => texto)).toEqual(['eco: oi', 'eco: de novo'])
    await sock.end(undefined)
  })

  it('starts a session without one-time keys and requests new ones', async () => {
    const conta = novaConta()
    const sock = await conectarPuro(servidor, celular, conta)
    const [aparelho] = celular.aparelhos.values()
    aparelho?.deUmaVez.splice(0)
    const lidas: string[] = []
    sock.ev.on('messages.upsert', ({ messages }) => {
      for (const { key, message } of messages) if (key.fromMe !== true) lidas.push(message ? textoDe(message) : '?')
    })
    await ana.diz(celular, 'oi')
    await quando(() => expect(lidas).toEqual(['oi']))
    await quando(() => expect(aparelho?.deUmaVez.length).toBeGreaterThan(0))
    await sock.end(undefined)
  })

  it('stores unconfirmed messages and delivers them after a reconnect', async () => {
    const conta = novaConta()
    const primeira = await conectarPuro(servidor, celular, conta)
    // Before the first history sync the library buffers its events.
    await atualizada(conta, primeira)
    await primeira.end(undefined)
    await ana.diz(celular, 'um')
    await ana.diz(celular, 'dois')
    expect(celular.aparelhos.get(1)?.pendentes.length).toBe(2)

    const confirmadas = new Promise<void>((resolve) => {
      servidor.eventos.on('recibo', ({ aparelho }) => {
        if (aparelho.pendentes.length === 0) resolve()
      })
    })
    const sock = await conectarPuro(servidor, celular, conta)
    await confirmadas
    await quando(() => expect(conta.lidas).toEqual(['um', 'dois']))
    await sock.end(undefined)
  })

  it('refuses a removed device', async () => {
    const conta = novaConta()
    const sock = await conectarPuro(servidor, celular, conta)
    const aparelho = celular.aparelhos.get(1)
    if (aparelho === undefined) throw new Error('device not linked')
    const caiu = new Promise((resolve) =>
      sock.ev.on('connection.update', (u) => u.connection === 'close' && resolve(u)),
    )
    servidor.remover(aparelho)
    await caiu
    await expect(conectarPuro(servidor, celular, conta)).rejects.toThrow('Connection Failure')
    expect(conta.fechamentos.at(-1)).toBe(DisconnectReason.loggedOut)
  })

  it('refuses a foreign code', async () => {
    await expect(celular.escanear('https://wa.me/settings/linked_devices#x,a,b,c,1')).rejects.toThrow(
      'invalid pairing code',
    )
  })
})
