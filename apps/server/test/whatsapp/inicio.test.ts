import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createWhatsapp } from '#adapters/whatsapp/connector.ts'
import { createHospede } from '#test/navegador/hospede.ts'

it('keeps a session restartable when its store fails at the start', async () => {
  const { host, estados } = createHospede()
  const chaves = { ...host.chaves, apagar: () => Promise.reject(new Error('no database')) }
  const factory = createWhatsapp({ url: 'ws://127.0.0.1:9/ws/chat', log: pino({ level: 'silent' }) })
  const conector = factory({ ...host, chaves })
  await expect(conector.start()).rejects.toThrow('no database')
  await conector.stop()
  expect(estados.map(({ tipo }) => tipo)).toEqual(['conectando'])
})
