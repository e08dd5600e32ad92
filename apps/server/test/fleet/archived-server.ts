import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ensureCluster } from '#db/embedded/cluster.ts'
import type { ClusterPlace } from '#db/embedded/place.ts'
import { waitUntil } from '#test/app.ts'
import { createFiles, type LocalServer, serverOf } from './local-server.ts'

const run = promisify(execFile)

const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'operations', 'backups.md')
/** Folder and instant in the recipe. */
const [PAGE_WAL, PAGE_INSTANT] = ['/copias/wal', '2026-11-21 14:59:00+00']
const DURABLE = { fsync: 'on', full_page_writes: 'on' }
const REMOVED_WHILE_READ = 1

/** A PostgreSQL server with an archive of its log. */
export interface ArchivedServer extends Pick<LocalServer, 'url' | 'connect' | 'crash'> {
  /** Base backup of the running server. */
  readonly backUp: () => Promise<void>
  /** Resolves when the archive contains everything that was committed before. */
  readonly archive: () => Promise<void>
  /** Restores the base backup and the archive into a new server, up to an instant. Resolves when it is writable. */
  readonly restoreTo: (instant: string) => Promise<Pick<LocalServer, 'url' | 'connect'>>
}

/** A stopped server on the disk, archived as docs/operations/backups.md describes it. */
export async function createArchivedServer(): Promise<ArchivedServer & Pick<LocalServer, 'start' | 'remove'>> {
  const password = randomBytes(16).toString('hex')
  const files = await createFiles(password, tmpdir())
  await ensureCluster(files.place, password)
  const server = serverOf(files)
  const [wal, base] = [join(files.folder, 'wal'), join(files.folder, 'base.tar')]
  createOwnedFolder(wal, files.place)
  const archiving = { archive_mode: 'on', archive_command: settingsOf('archive_command', wal).archive_command ?? '' }
  const restored: LocalServer[] = []
  return {
    ...{ url: server.url, connect: server.connect, crash: server.crash },
    start: () => server.start({ ...DURABLE, ...archiving }),
    backUp: async () => removeUnneeded(wal, await backUp(server, files.place, base)),
    archive: () => archiveAll(server),
    restoreTo: async (instant) => {
      const fresh = await createFiles(password, tmpdir())
      createOwnedFolder(fresh.place.pgdata, fresh.place)
      await run('tar', ['-xf', base, '-C', fresh.place.pgdata])
      writeRecovery(fresh.place, settingsOf('recovery_target_time', wal), instant)
      restored.push(serverOf(fresh))
      return startRestored(serverOf(fresh))
    },
    remove: async () => {
      for (const one of [...restored, server]) await one.remove()
    },
  }
}

function createOwnedFolder(path: string, { runAs }: ClusterPlace): void {
  mkdirSync(path, { mode: 0o700 })
  if (runAs !== null) chownSync(path, runAs.uid, runAs.gid)
}

/** The settings of the recipe in the block that contains `name`, with this folder for the log. */
function settingsOf(name: string, wal: string): Readonly<Record<string, string>> {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/```ini\n(.*?)```/gs)].map(([, text = '']) => text)
  const block = blocks.find((text) => text.includes(name)) ?? ''
  const settings = [...block.matchAll(/^\s*(\w+) = (?:'([^'\n]*)'|(\w+))/gm)]
  return Object.fromEntries(
    settings.map(([, key, quoted, bare]) => [key, (quoted ?? bare ?? '').replaceAll(PAGE_WAL, wal)]),
  )
}

/** The embedded binaries contain no `pg_basebackup`. Returns the label, which names the first segment that the backup needs. */
async function backUp(server: LocalServer, place: ClusterPlace, file: string): Promise<string> {
  const client = await server.connect()
  await client.query("select pg_backup_start('ensaio', true)")
  const without = ['./pg_wal/*', './postmaster.*', './server.log*'].map((path) => `--exclude=${path}`)
  const args = ['--ignore-failed-read', ...without, '-cf', file, '-C', place.pgdata, '.']
  await run('tar', args).catch((failed: { readonly code?: unknown }) => {
    if (failed.code !== REMOVED_WHILE_READ) throw failed
  })
  const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop()')
  await client.end()
  const label = rows[0]?.label ?? ''
  await run('tar', ['-rf', file, '-C', writeLabel(place, label), 'backup_label'])
  return label
}

/** As `pg_archivecleanup` in the recipe, so that the disk needs no room for the log of the whole data. */
function removeUnneeded(wal: string, label: string): void {
  const [, first = ''] = /^START WAL.*\(file (.*)\)$/m.exec(label) ?? []
  for (const name of readdirSync(wal)) if (name < first) rmSync(join(wal, name))
}

/** Returns the folder of the file. The server's user must own the file. */
function writeLabel(place: ClusterPlace, label: string): string {
  const folder = mkdtempSync(join(dirname(place.pgdata), 'rotulo-'))
  const file = join(folder, 'backup_label')
  writeFileSync(file, label)
  if (place.runAs !== null) chownSync(file, place.runAs.uid, place.runAs.gid)
  return folder
}

/** Resolves when the archive contains everything that was committed before. */
export async function archiveAll(server: Pick<LocalServer, 'connect'>): Promise<void> {
  const client = await server.connect()
  const { rows } = await client.query<{ last: string }>('select pg_walfile_name(pg_switch_wal()) as last')
  await waitUntil(async () => {
    const archived = await client.query<{ wal: string }>('select last_archived_wal as wal from pg_stat_archiver')
    return (archived.rows[0]?.wal ?? '') >= (rows[0]?.last ?? '')
  })
  await client.end()
}

function writeRecovery({ pgdata }: ClusterPlace, settings: Readonly<Record<string, string>>, instant: string): void {
  writeFileSync(join(pgdata, 'recovery.signal'), '')
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replace(PAGE_INSTANT, instant)}'`)
  appendFileSync(join(pgdata, 'postgresql.auto.conf'), `\n${lines.join('\n')}\n`)
}

async function startRestored(server: LocalServer): Promise<LocalServer> {
  await server.start(DURABLE)
  await untilWritable(server)
  return server
}

/** Waits for the end of a recovery. */
export async function untilWritable(server: Pick<LocalServer, 'connect'>): Promise<void> {
  const client = await server.connect()
  const writable = async (): Promise<boolean> =>
    (await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')).rows[0]?.standby === false
  await waitUntil(writable, 600_000)
  await client.end()
}
