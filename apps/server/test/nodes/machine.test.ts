import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, afterEach, expect, it } from 'vitest'
import type { ConnectorFactory } from '@balcao/connector/port'
import { type TestApp, type TestAppOptions, waitUntil } from '#test/app.ts'
import { createFleet, type FleetNode, type TestFleet } from './fleet.ts'

let fleet: TestFleet | undefined
afterEach(() => fleet?.close())
const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** A browser that links the phone at once. */
const navegador: ConnectorFactory = (host) => ({
  silenceMs: () => 0,
  start: async () => {
    if (host.credentials === null) await host.saveCredentials({ perfil: 'novo' })
    await host.linkState({ tipo: 'conectado', como: 'Loja' })
  },
  stop: () => Promise.resolve(),
  logout: () => Promise.resolve(),
  send: () => Promise.resolve(),
  typing: () => undefined,
})

async function options(): Promise<TestAppOptions> {
  const dataDir = await mkdtemp('/tmp/balcao-maquina-')
  folders.push(dataDir)
  return {
    ...{ connectors: { navegador }, timings: { searchMs: 50, machinesMs: 50 } },
    settings: { dataDir, conectorPadrao: 'navegador' },
  }
}

const statusAt = async ({ app }: FleetNode): Promise<unknown> => {
  const { status, motivo = null } = (await app.request('GET', '/bot/status')).body
  return { status, motivo }
}
const folderOf = async ({ app, id }: FleetNode): Promise<unknown> =>
  (await app.sql('select pasta from nos where id = $1', [id]))[0]?.['pasta']
const botFolder = async (app: TestApp): Promise<unknown> => (await app.sql('select pasta from bots'))[0]?.['pasta']
const CONNECTED = { status: 'CONECTADO', motivo: null }
const MISSING = { status: 'ERRO', motivo: 'maquinaFora' }

it('leaves a browser link to its machine and moves it only when the owner asks', async () => {
  fleet = await createFleet(0)
  const settings = await options()
  const first = await fleet.start(settings)
  const { config } = (await first.app.request('GET', '/config')).body
  await first.app.request('PUT', '/config', {
    ...Object(config),
    whatsapp: { ...Object(config).whatsapp, clientId: 'loja' },
  })
  await first.app.request('POST', '/bot/iniciar')
  await expect.poll(() => statusAt(first)).toEqual(CONNECTED)
  const folder = await folderOf(first)
  await expect.poll(() => botFolder(first.app)).toBe(folder)

  const second = await fleet.start(await options())
  await first.app.close()
  await waitUntil(async () => (await second.app.sql('select 1 from bots where no is null')).length === 1)
  await second.app.sql(`update bots set livre_desde = now() - interval '1 minute'`)
  await expect.poll(() => statusAt(second)).toEqual(MISSING)

  const back = await fleet.start(settings)
  await expect.poll(() => statusAt(second)).toEqual(CONNECTED)
  expect(await folderOf(back)).toBe(folder)
  expect(await second.app.sql('select no from bots')).toEqual([{ no: back.id }])

  await back.app.close()
  await second.app.sql(`update bots set livre_desde = now() - interval '1 minute' where no is null`)
  await expect.poll(() => statusAt(second)).toEqual(MISSING)
  await second.app.request('POST', '/bot/limpar-sessao')
  await second.app.request('POST', '/bot/iniciar')
  await expect.poll(() => statusAt(second)).toEqual(CONNECTED)
  expect(await botFolder(second.app)).toBe(await folderOf(second))
})
