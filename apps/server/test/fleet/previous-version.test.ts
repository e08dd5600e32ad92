import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { createSockets } from '#test/realtime/sockets.ts'
import { givenShop, Ledger } from './ledger.ts'
import { createLocalServer, type LocalServer } from './local-server.ts'
import { ASSETS, buildOldVersion, type OldVersion } from './previous-version.ts'
import { at, type NodeProcess, type Processes, requireRunning, startProcesses } from './processes.ts'
import { type Proxy, startProxy } from './proxy.ts'

/** Of the load. */
const MINUTES = Number(process.env['FALHAS_MINUTOS'] ?? 2)
/**
 * 50 messages a second: each customer writes the next one a second after the last one was accepted. The bot stops
 * answering a customer after 15 answers within a minute.
 */
const CUSTOMERS = 50
const MESSAGES = 12
const PAUSE_MS = 1_000
const ROUND_S = MESSAGES * (PAUSE_MS / 1_000)
const env = { PARADA_ESPERA_S: '1', DRENAGEM_S: '10' }
const NEW_MAIN = join(import.meta.dirname, '..', '..', 'start.mjs')
/** Level of errors in pino's lines. */
const ERROR_LINE = /"level":[56]0/

let old: OldVersion
let server: LocalServer
let fleet: Processes
let proxy: Proxy
beforeAll(async () => {
  old = await buildOldVersion()
  server = await createLocalServer()
  await server.start()
  // The first node prepares the database, so its schema is the one of the version before.
  fleet = await startProcesses({
    databaseUrl: server.url,
    size: 1,
    env,
    main: (n) => (n === 0 ? old.main : NEW_MAIN),
  })
  proxy = await startProxy({ urls: () => fleet.nodes.map(({ url }) => url) })
})
afterAll(async () => {
  await proxy?.close()
  await fleet?.close()
  await server?.remove()
  await old?.remove()
})

/** Restarts a node behind the proxy. */
async function restart(node: NodeProcess): Promise<void> {
  expect(await node.terminate()).toBe(0)
  await node.start()
  await waitUntil(() => proxy.ready().includes(node.url))
}

/** Files of a panel that a node does not serve as they were built. */
async function missingFiles({ url }: NodeProcess, assets: string): Promise<string[]> {
  const names = (await readdir(assets)).filter((name) => /\.(?:js|css)$/.test(name))
  expect(names.length).toBeGreaterThan(10)
  const missing: string[] = []
  for (const name of names) {
    const answer = await fetch(`${url}/assets/${name}`, { headers: { connection: 'close' } })
    if (!answer.ok || (await answer.text()) !== (await readFile(join(assets, name), 'utf8'))) missing.push(name)
  }
  return missing
}

it('this version and the one before serve one database without an error, and each other’s panels', async () => {
  process.stdout.write(`version before: ${old.commit}, ${MINUTES} min\n`)
  const [oldNode] = fleet.nodes
  if (oldNode === undefined) throw new Error('no process started')
  const shop = await givenShop(oldNode)
  const sockets = createSockets(proxy.url)
  const { socket } = await sockets.connect(shop)
  const ledger = new Ledger(() => [proxy.url])
  const round = () => ledger.burst([shop], { customers: CUSTOMERS, messages: MESSAGES, pauseMs: PAUSE_MS })

  const bursts = [round()]
  const newNode = await fleet.add()
  await waitUntil(() => proxy.ready().length === 2)
  const addLine = () => at(newNode, shop).request('POST', '/linhas', { nome: 'Filial', conector: 'simulador' })
  expect(await addLine()).toMatchObject({ status: 409, body: { codigo: 'atualizacaoEmAndamento' } })
  await bursts[0]?.done
  const rounds = Math.max(3, Math.round((MINUTES * 60) / ROUND_S))
  for (let n = 1; n < rounds; n += 1) {
    const burst = round()
    bursts.push(burst)
    // The version before on the new schema, then this one again.
    if (n % 3 === 1) await restart(oldNode)
    if (n % 3 === 2) await restart(newNode)
    await burst.done
  }
  await ledger.exact()
  expect(bursts.flatMap((burst) => burst.refused())).toEqual([])
  for (const node of [oldNode, newNode])
    for (const assets of [old.assets, ASSETS]) expect(await missingFiles(node, assets)).toEqual([])
  await waitUntil(() => socket.connected)
  sockets.close()
  requireRunning(fleet)
  expect(
    fleet.nodes.flatMap((node) =>
      node
        .output()
        .split('\n')
        .filter((line) => ERROR_LINE.test(line)),
    ),
  ).toEqual([])
  const slowest = Math.round(bursts[0]?.slowestMs() ?? 0)
  // From the first line that is added, the database refuses nodes of the version before.
  await oldNode.terminate()
  expect(await addLine()).toMatchObject({ status: 201 })
  // It may answer its first requests before it is refused.
  await oldNode.start().catch(() => undefined)
  await oldNode.exited()
  expect(oldNode.output()).toContain('use a versão atual do programa')
  process.stdout.write(`messages: ${ledger.acceptedIds().length}, slowest 202: ${slowest} ms\n`)
})
