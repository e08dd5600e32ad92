import '#patches/index.ts'
import { DisconnectReason, type WASocket } from 'baileys'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakePhone, createFakePhone } from '#test/rede-falsa/phone.ts'
import { type FakeCustomer, createFakeCustomer } from '#test/rede-falsa/customer.ts'
import { type PlainAccount, connectPlain, newPlainAccount } from '#test/rede-falsa/plain-library.ts'
import { createFakeServer, type FakeServer } from '#test/rede-falsa/server.ts'
import { textOf } from '#test/rede-falsa/reading.ts'
import { eventually } from './eventually.ts'

/** Runs the library against the fake network without our code, to prove that the network speaks the protocol. */

let server: FakeServer
let celular: FakePhone
let ana: FakeCustomer

beforeEach(async () => {
  server = await createFakeServer()
  celular = createFakePhone(server, { numero: '5511990000001', lid: '100000000000001', nome: 'Floricultura' })
  ana = createFakeCustomer(server, { numero: '5511987654321', lid: '200000000000001', nome: 'Ana' })
})
afterEach(() => server.close())

/** Resolves once the library has processed the first history sync. */
async function atualizada({ creds }: PlainAccount, sock: WASocket): Promise<void> {
  while (creds.accountSyncCounter === 0) {
    await new Promise<void>((resolve) => sock.ev.on('creds.update', () => resolve()))
  }
}

describe('createFakeServer', () => {
  it('pairs by QR code and carries encrypted messages both ways', async () => {
    const conta = newPlainAccount()
    const sock = await connectPlain(server, celular, conta)
    expect(conta.closeCodes).toEqual([DisconnectReason.restartRequired])
    expect(celular.devices.get(1)?.oneTimeKeys.length).toBeGreaterThan(100)

    sock.ev.on('messages.upsert', ({ messages }) => {
      for (const { key, message } of messages) {
        if (key.fromMe === true || !message) continue
        void sock.sendMessage(key.remoteJid ?? '', { text: `eco: ${textOf(message)}` })
      }
    })
    await ana.say(celular, 'oi')
    expect(await ana.nth(1)).toMatchObject({ text: 'eco: oi' })
    await ana.say(celular, 'de novo', { como: 'numero' })
    expect(await ana.nth(2)).toMatchObject({ text: 'eco: de novo' })
    expect(celular.copies.map(({ text: texto }) => texto)).toEqual(['eco: oi', 'eco: de novo'])
    await sock.end(undefined)
  })

  it('starts a session without one-time keys and requests new ones', async () => {
    const conta = newPlainAccount()
    const sock = await connectPlain(server, celular, conta)
    const [device] = celular.devices.values()
    device?.oneTimeKeys.splice(0)
    const parsed: string[] = []
    sock.ev.on('messages.upsert', ({ messages }) => {
      for (const { key, message } of messages) if (key.fromMe !== true) parsed.push(message ? textOf(message) : '?')
    })
    await ana.say(celular, 'oi')
    await eventually(() => expect(parsed).toEqual(['oi']))
    await eventually(() => expect(device?.oneTimeKeys.length).toBeGreaterThan(0))
    await sock.end(undefined)
  })

  it('stores unconfirmed messages and delivers them after a reconnect', async () => {
    const conta = newPlainAccount()
    const first = await connectPlain(server, celular, conta)
    // Before the first history sync the library buffers its events.
    await atualizada(conta, first)
    await first.end(undefined)
    await ana.say(celular, 'um')
    await ana.say(celular, 'dois')
    expect(celular.devices.get(1)?.pending.length).toBe(2)

    const confirmadas = new Promise<void>((resolve) => {
      server.events.on('recibo', ({ aparelho }) => {
        if (aparelho.pending.length === 0) resolve()
      })
    })
    const sock = await connectPlain(server, celular, conta)
    await confirmadas
    await eventually(() => expect(conta.read).toEqual(['um', 'dois']))
    await sock.end(undefined)
  })

  it('refuses a removed device', async () => {
    const conta = newPlainAccount()
    const sock = await connectPlain(server, celular, conta)
    const device = celular.devices.get(1)
    if (device === undefined) throw new Error('device not linked')
    const caiu = new Promise((resolve) =>
      sock.ev.on('connection.update', (u) => u.connection === 'close' && resolve(u)),
    )
    server.removeDevice(device)
    await caiu
    await expect(connectPlain(server, celular, conta)).rejects.toThrow('Connection Failure')
    expect(conta.closeCodes.at(-1)).toBe(DisconnectReason.loggedOut)
  })

  it('refuses a foreign code', async () => {
    await expect(celular.scan('https://wa.me/settings/linked_devices#x,a,b,c,1')).rejects.toThrow(
      'invalid pairing code',
    )
  })
})
