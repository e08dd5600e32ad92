import '#patches/index.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { openDeviceCredentials } from '#socket/credentials.ts'
import { createChatLock } from '#outbound/confirmations.ts'
import { decideClose, type CloseSituation } from '#close.ts'
import { externalIdRange, messageIdOf } from '#outbound/sent.ts'
import { serverAddress } from '#options.ts'

describe('serverAddress', () => {
  it("accepts WhatsApp's address and loopback, and refuses any other", () => {
    expect(serverAddress(undefined)).toBe('wss://web.whatsapp.com/ws/chat')
    expect(serverAddress('')).toBe('wss://web.whatsapp.com/ws/chat')
    for (const local of ['ws://127.0.0.1:9/ws', 'ws://[::1]:9/ws', 'ws://localhost:9/ws']) {
      expect(serverAddress(local)).toBe(local)
    }
    for (const other of [
      'wss://web.whatsapp.com.evil.test/ws',
      'wss://127.0.0.1.evil.test/ws',
      'ws://10.0.0.1/ws',
      'ws://user@evil.test:1/127.0.0.1',
      'http://127.0.0.1/ws',
    ]) {
      expect(() => serverAddress(other)).toThrow('WHATSAPP_WS_URL')
    }
  })
})

describe('createChatLock', () => {
  const NUNCA = async (): Promise<boolean> => false
  it('names the end of the lock with its time zone, or no end', async () => {
    const bloqueio = createChatLock(() => Date.UTC(2026, 10, 22, 12))
    bloqueio.noticed({ isActive: true, timeEnforcementEnds: new Date(Date.UTC(2026, 10, 22, 18)) })
    await expect(bloqueio.check('a', NUNCA)).rejects.toThrow('até 22/11/2026, 15:00 (horário de Brasília)')
    bloqueio.noticed({ isActive: true })
    await expect(bloqueio.check('a', NUNCA)).rejects.toThrow(/começar conversas por enquanto$/)
  })
})

describe('decideClose', () => {
  const de = (codigo: number | undefined, mais: Partial<CloseSituation> = {}) =>
    decideClose({
      ...{ code: codigo, paired: true, codesEnded: false },
      ...{ replacedAgain: false, restartedAgain: false, ...mais },
    })

  it.each([
    [515, { tipo: 'reabrir' }],
    [401, { tipo: 'encerrar', status: 'PARADO', motivo: 'desconectadoNoCelular' }],
    [402, { tipo: 'encerrar', status: 'ERRO', motivo: 'banidoPorUmTempo' }],
    [406, { tipo: 'encerrar', status: 'ERRO', motivo: 'banido' }],
    [403, { tipo: 'encerrar', status: 'ERRO', motivo: 'banido' }],
    [409, { tipo: 'encerrar', status: 'ERRO', motivo: 'clienteDesatualizado' }],
    [405, { tipo: 'encerrar', status: 'ERRO', motivo: 'clienteDesatualizado' }],
    [411, { tipo: 'encerrar', status: 'erro_auth', motivo: 'credenciaisInvalidas' }],
    [440, { tipo: 'esperar', motivo: 'substituido' }],
    [408, { tipo: 'esperar', motivo: 'semRede' }],
    [428, { tipo: 'esperar', motivo: 'semRede' }],
    [500, { tipo: 'esperar', motivo: 'servicoInstavel' }],
    [501, { tipo: 'esperar', motivo: 'servicoInstavel' }],
    [503, { tipo: 'esperar', motivo: 'servicoInstavel' }],
    [undefined, { tipo: 'esperar', motivo: 'semRede' }],
  ])('decides for close code %s', (codigo, expected) => {
    expect(de(codigo)).toEqual(expected)
  })

  it('ends an unpaired session after the last QR code and retries without network', () => {
    const ninguem = { paired: false, codesEnded: true }
    expect(de(408, ninguem)).toMatchObject({ tipo: 'encerrar', motivo: 'qrExpirado' })
    expect(de(408, { ...ninguem, codesEnded: false })).toMatchObject({ tipo: 'esperar', motivo: 'semRede' })
  })

  it('ends the session after a second replacement', () => {
    expect(de(440, { replacedAgain: true })).toMatchObject({ tipo: 'encerrar', motivo: 'substituido' })
  })

  it('reopens once after a restart request and then waits', () => {
    expect(de(515, { restartedAgain: true })).toEqual({ tipo: 'esperar', motivo: 'servicoInstavel' })
  })
})

describe('patchLibsignalQueue', () => {
  it('runs each libsignal step in the async context of its caller', async () => {
    const queue: unknown = createRequire(import.meta.url)('libsignal/src/queue_job.js')
    if (typeof queue !== 'function') throw new Error('unknown version of libsignal’s queue')
    const context = new AsyncLocalStorage<string>()
    const loose = Promise.withResolvers<void>()
    const seen: (string | undefined)[] = []
    const step = async (): Promise<void> => {
      await loose.promise
      seen.push(context.getStore())
    }
    const feitos = ['uma', 'outra'].map((conta) => context.run(conta, (): unknown => queue('o mesmo', step)))
    loose.resolve()
    await Promise.all(feitos)
    expect(seen).toEqual(['uma', 'outra'])
  })
})

describe('openDeviceCredentials', () => {
  const bytesDe = (value: unknown): Uint8Array[] => {
    if (value instanceof Uint8Array) return [value]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(bytesDe) : []
  }

  it('keeps new and loaded keys in separate memory instead of the buffer pool', async () => {
    let stored: unknown = null
    const salvarCredenciais = async (credenciais: unknown): Promise<void> => void (stored = credenciais)
    const fresh = openDeviceCredentials({ credentials: null, saveCredentials: salvarCredenciais }, () => undefined)
    await fresh.save()
    const parsed = openDeviceCredentials({ credentials: stored, saveCredentials: salvarCredenciais }, () => undefined)
    for (const { creds } of [fresh, parsed]) {
      const bytes = bytesDe(creds)
      expect(bytes.length).toBeGreaterThan(6)
      for (const { buffer, byteLength } of bytes) expect(buffer.byteLength).toBe(byteLength)
    }
    expect(parsed.creds).toEqual(fresh.creds)
  })
})

describe('messageIdOf', () => {
  const UUID = '019a5b3c-7d21-7abc-8def-0123456789ab'

  it('has the format of WhatsApp Web, is stable and leads back to the message', () => {
    expect(messageIdOf(UUID)).toBe('3EB0019A5B3C7D216789AB')
    expect(messageIdOf(UUID)).toHaveLength(22)
    const range = externalIdRange(messageIdOf(UUID))
    expect(range).toEqual({ de: '019a5b3c-7d21-0000-0000-000000000000', ate: '019a5b3c-7d21-ffff-ffff-ffffffffffff' })
  })

  it('rejects ids of other senders', () => {
    expect(externalIdRange('3AFF00112233445566AA')).toBeNull()
    expect(externalIdRange("3EB0' or true --")).toBeNull()
  })
})
