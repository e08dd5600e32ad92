import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ConnectorFactory, SessionHost } from '@balcao/connector/port'
import { type TestAppOptions, waitUntil } from '#test/app.ts'
import { saveConfig } from '#test/builders.ts'
import { pause, SHORT } from '#test/fleet/faults.ts'
import { createFleet } from '#test/nodes/fleet.ts'
import { FakePage } from './fake-page.ts'
import { CHROME_PATH, createNavegadorOver } from './recording-host.ts'

/** Two nodes of one data folder in this process: the first stands still during a send, and the second takes its bot. */

const CUSTOMER = '5511910000001@c.us'
const MENU = 'Escolha de 1 a 3'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

/** Resolves `reached` when the first node stands still, until `goOn`. */
interface Standstill {
  readonly reached: Promise<void>
  readonly goOn: () => void
  readonly stand: () => Promise<void>
}

function createStandstill(): Standstill {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: continued, resolve: goOn } = Promise.withResolvers<void>()
  const stand = (): Promise<void> => {
    reach()
    return continued
  }
  return { reached, goOn, stand }
}

type Stop = (page: FakePage, stand: Standstill['stand']) => (host: SessionHost) => SessionHost

const beforeClaim: Stop = (_page, stand) => (host) => ({
  ...host,
  beginSend: async (id) => {
    await stand()
    return host.beginSend(id)
  },
})
const behindClaim: Stop = (_page, stand) => (host) => ({
  ...host,
  beginSend: async (id) => {
    const begunBefore = await host.beginSend(id)
    await stand()
    return begunBefore
  },
})
const beforeWire: Stop = (page, stand) => (host) => ({
  ...host,
  maySend: () => {
    const { client } = page
    const send = client.sendMessage.bind(client)
    client.sendMessage = async (...args) => {
      await stand()
      return send(...args)
    }
    return host.maySend()
  },
})

const LONG_CASES = [
  { where: 'before the claim', stop: beforeClaim, most: 0 },
  { where: 'between the last check and the page', stop: beforeWire, most: 1 },
]

const sentTo = ({ messages }: FakePage): string[] =>
  messages.flatMap(({ id, body }) => (id.fromMe && id.remote === CUSTOMER ? [body] : []))

describe('a node that stands still while it sends through the page', () => {
  it.for([{ where: 'between the claim and the last check', stop: behindClaim, most: 0 }, ...(SHORT ? [] : LONG_CASES)])(
    'loses no message and repeats at most $most when stopped $where',
    async ({ stop, most }) => {
      const page = new FakePage()
      const standstill = createStandstill()
      const dataDir = await mkdtemp('/tmp/balcao-parado-')
      open.push(() => rm(dataDir, { recursive: true, force: true }))
      const fleet = await createFleet(0)
      open.push(fleet.close)
      const newFactory = (): ConnectorFactory =>
        createNavegadorOver(page, { dir: join(dataDir, 'navegadores') }).factory
      const optionsOf = (navegador: ConnectorFactory): TestAppOptions => ({
        ...{ connectors: { navegador }, timings: { searchMs: 50, retryWaitsMs: [20, 40, 60, 80] } },
        settings: { dataDir, conectorPadrao: 'navegador' },
      })
      const standing = stop(page, standstill.stand)
      const factory = newFactory()
      const { app: first } = await fleet.start(optionsOf((host) => factory(standing(host))))
      await saveConfig(first, (config) => ({
        ...config,
        whatsapp: { ...config.whatsapp, conector: 'navegador', chromePath: CHROME_PATH },
        menu: { ...config.menu, menuPrincipal: MENU, mensagens: { ...config.menu.mensagens, boasVindas: '' } },
      }))
      await first.request('POST', '/bot/iniciar')
      const status = async (): Promise<unknown> => (await first.request('GET', '/bot/status')).body['status']
      await waitUntil(async () => (await status()) === 'AGUARDANDO_QR')
      page.scan()
      await waitUntil(async () => (await status()) === 'CONECTADO')
      page.says({ from: CUSTOMER, name: 'Ana', text: 'oi' })
      await standstill.reached

      // Another node condemned the one that stands still.
      await first.sql('update nos set morto_em = now()')
      const second = await fleet.start(optionsOf(newFactory()))
      await waitUntil(() => sentTo(page).length > 0)
      await waitUntil(async () => (await second.app.sql('select 1 from saida')).length === 0)
      expect(await second.app.sql('select no from bots')).toEqual([{ no: second.id }])
      expect(sentTo(page)).toEqual([expect.stringContaining(MENU)])
      await waitUntil(() => !first.deps.fleet.maySend())
      standstill.goOn()
      await pause(300)
      expect(sentTo(page).length - 1).toBeLessThanOrEqual(most)
      expect(new Set(sentTo(page)).size).toBe(1)
    },
  )
})
