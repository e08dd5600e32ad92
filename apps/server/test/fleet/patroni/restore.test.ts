import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { freePort } from '#test/bot/program.ts'
import { type ArchivedServer, archiveAll, untilWritable } from '../archived-server.ts'
import type { LocalServer } from '../local-server.ts'
import { playRestoreDrill } from '../restore-drill.ts'
import { type Machine, type PatroniCluster, startPatroniCluster } from './cluster.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

it('a restore by pgBackRest to an instant sends nothing before the consent', async () => {
  const cluster = await startPatroniCluster()
  open.push(cluster.remove)
  await playRestoreDrill(archivedBy(cluster), open)
})

const secondNow = (): number => Math.floor(Date.now() / 1_000)

function archivedBy(cluster: PatroniCluster): ArchivedServer {
  const { url, connect, healthy, machines } = cluster
  return {
    ...{ url, connect },
    crash: async () => machines.forEach((machine) => machine.kill('all')),
    backUp: async () => {
      const primary = await healthy()
      await primary.run('pgbackrest', '--stanza=balcao', 'check')
      await primary.run('pgbackrest', '--stanza=balcao', '--type=full', 'backup')
      // Whole seconds are compared: an instant in the second of the end would be before the backup.
      const ended = secondNow()
      await waitUntil(() => secondNow() > ended)
    },
    archive: () => archiveAll(cluster),
    restoreTo: async (instant) => restore(cluster, machines[0], instant),
  }
}

/** On one machine, into a new folder, without Patroni. */
async function restore(
  { programs, password, user }: PatroniCluster,
  machine: Machine | undefined,
  instant: string,
): Promise<Pick<LocalServer, 'url' | 'connect'>> {
  if (machine === undefined) throw new Error('a cluster has machines')
  const folder = join(machine.files.root, 'restaurado')
  const target = ['--type=time', `--target=${instant}`, '--target-action=promote']
  await machine.run(
    'pgbackrest',
    ...['--stanza=balcao', `--pg1-path=${folder}`, '--archive-mode=off', ...target, 'restore'],
  )
  const port = await freePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`]
  // The settings that Patroni wrote name standbys, and a server alone would wait for them.
  const args = [...settings, 'synchronous_standby_names='].flatMap((setting) => ['-c', setting])
  const env = { ...process.env, ...machine.files.env }
  const server = spawn(join(programs, 'postgres'), ['-D', folder, ...args], {
    ...user,
    env,
    stdio: 'ignore',
    cwd: folder,
  })
  const ended = once(server, 'exit')
  open.push(async () => {
    server.kill('SIGQUIT')
    await ended
  })
  const connect = async (database = 'balcao'): Promise<Client> => {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password, database })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  await waitUntil(
    () =>
      connect().then(
        (client) => client.end().then(() => true),
        () => false,
      ),
    120_000,
  )
  await untilWritable({ connect })
  return { url: `postgres://balcao:${password}@127.0.0.1:${port}/balcao`, connect }
}
