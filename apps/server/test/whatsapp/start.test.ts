import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createWhatsappFactory } from '#adapters/whatsapp/connector.ts'
import { createRecordingHost } from '#test/navegador/recording-host.ts'

it('keeps a session restartable when its store fails at the start', async () => {
  const { host, states } = createRecordingHost()
  const chaves = { ...host.keys, clear: () => Promise.reject(new Error('no database')) }
  const factory = createWhatsappFactory({ url: 'ws://127.0.0.1:9/ws/chat', log: pino({ level: 'silent' }) })
  const conector = factory({ ...host, keys: chaves })
  await expect(conector.start()).rejects.toThrow('no database')
  await conector.stop()
  expect(states.map(({ tipo }) => tipo)).toEqual(['conectando'])
})
