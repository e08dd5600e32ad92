import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { startCluster } from '#db/embedded/cluster.ts'
import { lockFile } from '#db/embedded/lock.ts'
import { choosePlace } from '#db/embedded/place.ts'
import { findEmbedded } from '#db/embedded/supervisor.ts'
import {
  hasContainers,
  queryTarget,
  startInContainer,
  startOwner,
  type DatabaseOwner,
  spawnOwner,
  killOwner,
  createReadyFolder,
  newFolder,
  type ReadyFolder,
} from '#test/db/fixtures/owner-process.ts'
import { waitUntil } from '#test/app.ts'

let ready: ReadyFolder
let root: string
let dataDir: string
let open: DatabaseOwner[]

const abrir = async (folder = dataDir, ...args: string[]): Promise<DatabaseOwner> => {
  const fresh = await startOwner(folder, ...args)
  open.push(fresh)
  return fresh
}
const pidFile = ({ pgdata }: DatabaseOwner): string => join(pgdata, 'postmaster.pid')
const postmaster = (owner: DatabaseOwner): number => Number(readFileSync(pidFile(owner), 'utf8').split('\n')[0])

// A program started by a killed owner may still be writing here.
const SEMPRE = { recursive: true, force: true, maxRetries: 20 } as const

beforeAll(async () => {
  ready = await createReadyFolder()
})
afterAll(() => ready.remove())
beforeEach(() => {
  dataDir = newFolder()
  root = dirname(dataDir)
  open = []
})
afterEach(async () => {
  for (const aberto of open)
    if (aberto.process.exitCode === null && aberto.process.signalCode === null) await killOwner(aberto, 'SIGTERM')
  for (const { pgdata } of open) rmSync(dirname(pgdata), SEMPRE)
  rmSync(root, SEMPRE)
})

/** For all tests but those of the creation. */
const useReadyFolder = (): void => {
  beforeEach(() => ready.copyTo(dataDir))
}

describe('startEmbedded in an empty folder', () => {
  it('creates the database, stops it with its owner and keeps its data', async () => {
    const first = await abrir()
    expect(first.adopted).toBe(false)
    await queryTarget(first.target, 'CREATE TABLE notas AS SELECT 1 AS n')
    await killOwner(first, 'SIGTERM')
    expect(existsSync(join(first.pgdata, 'postmaster.pid'))).toBe(false)
    const second = await abrir()
    expect(second.adopted).toBe(false)
    expect(await queryTarget(second.target, 'SELECT n FROM notas')).toEqual([{ n: 1 }])
  })

  it('keeps fsync on, sorts by bytes and listens on no network address', async () => {
    const { target } = await abrir()
    const [line] = await queryTarget(
      target,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
              current_setting('listen_addresses') AS rede, current_setting('data_checksums') AS somas,
              current_setting('log_min_error_statement') AS registro,
              (SELECT datlocprovider::text || ':' || datlocale FROM pg_database WHERE datname = 'balcao') AS lingua`,
    )
    expect(line).toEqual({ fsync: 'on', commit: 'on', rede: '', somas: 'on', registro: 'panic', lingua: 'b:C.UTF-8' })
    expect(statSync(target.host).mode & 0o777).toBe(0o700)
    expect(statSync(dataDir).mode & 0o007).toBe(0)
  })

  it('creates the cluster again after a killed creation', async () => {
    const processo = spawnOwner(dataDir)
    const meias = (): string[] =>
      existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('postgres.novo-')) : []
    const comecada = (): boolean => meias().some((name) => existsSync(join(dataDir, name, 'PG_VERSION')))
    while (!comecada() && processo.exitCode === null) await sleep(5)
    await killOwner({ process: processo })
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    const { target } = await abrir()
    expect(await queryTarget(target, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  it('works with a long path that contains spaces and quotes', async () => {
    dataDir = join(dataDir, `loja da Ana's ${'x'.repeat(90)}`)
    mkdirSync(dirname(dataDir), { recursive: true })
    const { target, pgdata } = await abrir()
    expect(pgdata.startsWith(dataDir)).toBe(true)
    expect(await queryTarget(target, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
    rmSync(target.host, { recursive: true, force: true })
  })
})

describe('startEmbedded', () => {
  useReadyFolder()

  it('adopts the server and its data after its owner was killed', async () => {
    const dead = await abrir()
    await queryTarget(dead.target, 'CREATE TABLE notas AS SELECT 1 AS n')
    const pid = postmaster(dead)
    await killOwner(dead)
    const herdeiro = await abrir()
    expect(herdeiro.adopted).toBe(true)
    expect(postmaster(herdeiro)).toBe(pid)
    expect(await queryTarget(herdeiro.target, 'SELECT n FROM notas')).toEqual([{ n: 1 }])
  })

  it('recovers committed rows after owner and server were killed', async () => {
    const dead = await abrir()
    await queryTarget(dead.target, 'CREATE TABLE notas (n int)')
    await queryTarget(dead.target, 'INSERT INTO notas SELECT generate_series(1, 500)')
    process.kill(postmaster(dead), 'SIGKILL')
    await killOwner(dead)
    const herdeiro = await abrir()
    expect(herdeiro.adopted).toBe(false)
    expect(await queryTarget(herdeiro.target, 'SELECT count(*) AS n FROM notas')).toEqual([{ n: 500 }])
  })

  it('starts if the old pid file names a process of another program', async () => {
    const first = await abrir()
    await killOwner(first, 'SIGTERM')
    const lines = [process.pid, first.pgdata, 1, 5432, first.target.host, '', '  1 1', 'ready']
    writeFileSync(join(first.pgdata, 'postmaster.pid'), `${lines.join('\n')}\n`)
    const second = await abrir()
    expect(postmaster(second)).not.toBe(process.pid)
  })

  it('logs no refused statement and empties a large log while the server runs', async () => {
    const owner = await abrir(dataDir, '--log')
    const log = join(owner.pgdata, 'server.log')
    const before = statSync(log).size
    // The daily limit refuses with a cast error, about once a second: here for three minutes.
    const pool = createPool(owner.target, { max: 1 })
    for (let n = 0; n < 200; n += 1) await pool.query("SELECT 'limite'::int").catch(() => undefined)
    await pool.end()
    expect(statSync(log).size).toBe(before)
    appendFileSync(log, 'x'.repeat(5_000_001))
    await waitUntil(() => statSync(log).size === 0)
    // The server still appends.
    await expect(queryTarget({ ...owner.target, database: 'nenhum' }, 'SELECT 1')).rejects.toThrow()
    await waitUntil(() => /FATAL/.test(readFileSync(log, 'utf8')))
    expect(statSync(log).size).toBeLessThan(10_000)
    await killOwner(owner, 'SIGTERM')
  })

  it('listens on the loopback with a password if tcp is set', async () => {
    const { target } = await abrir(dataDir, '--tcp')
    expect(target).toMatchObject({ host: '127.0.0.1' })
    expect(await queryTarget(target, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
    await expect(queryTarget({ ...target, password: 'palpite' }, 'SELECT 1')).rejects.toThrow(
      /password authentication failed/,
    )
  })
})

describe('logins', () => {
  useReadyFolder()

  const refused = /password authentication failed/

  it('asks ordinary connections for a password and lets them only take the working role', async () => {
    const { target, poolTarget } = await abrir()
    await queryTarget(target, 'CREATE TABLE notas AS SELECT 1 AS n')
    await queryTarget(target, 'GRANT SELECT ON notas TO balcao_app')
    expect(await queryTarget(poolTarget, 'SELECT n FROM notas', 'balcao_app')).toEqual([{ n: 1 }])
    for (const leave of ['RESET ROLE', 'SET ROLE NONE', 'RESET SESSION AUTHORIZATION']) {
      for (const act of ['CREATE ROLE x', 'CREATE TABLE x ()', 'SET ROLE balcao', `COPY notas TO PROGRAM 'true'`]) {
        await expect(queryTarget(poolTarget, `${leave}; ${act}`, 'balcao_app')).rejects.toThrow(/permission denied/)
      }
    }
    await expect(queryTarget(poolTarget, 'SELECT n FROM notas')).rejects.toThrow('permission denied for table notas')
    for (const login of [target, poolTarget]) {
      await expect(queryTarget({ ...login, password: 'palpite' }, 'SELECT 1')).rejects.toThrow(refused)
    }
    for (const name of ['postgres-senha', 'postgres-senha-app']) {
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
    }
  })

  // SIGTERM: the next start starts the server. SIGKILL: the next start adopts it.
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'secures a cluster without passwords of an earlier version, %s',
    async (end) => {
      const old = await abrir()
      await queryTarget(old.target, 'CREATE TABLE notas AS SELECT 1 AS n')
      const rules = join(old.pgdata, 'pg_hba.conf')
      writeFileSync(rules, 'local all all trust\nlocal replication all trust\n')
      await queryTarget(old.target, 'ALTER ROLE balcao PASSWORD NULL; DROP ROLE balcao_login; SELECT pg_reload_conf()')
      for (const name of ['postgres-senha', 'postgres-senha-app']) rmSync(join(dataDir, name))
      await killOwner(old, end)
      const { target, poolTarget, adopted } = await abrir()
      expect(adopted).toBe(end === 'SIGKILL')
      expect(await queryTarget(target, 'SELECT n FROM notas')).toEqual([{ n: 1 }])
      expect(await queryTarget(poolTarget, 'SELECT 1 AS n', 'balcao_app')).toEqual([{ n: 1 }])
      expect(readFileSync(rules, 'utf8')).not.toContain('trust')
      await expect(queryTarget({ ...target, password: 'palpite' }, 'SELECT 1')).rejects.toThrow(refused)
    },
  )

  it('opens a restored folder without its password file and refuses a wrong one', async () => {
    const first = await abrir()
    await queryTarget(first.target, 'CREATE TABLE notas AS SELECT 1 AS n')
    await killOwner(first, 'SIGTERM')
    writeFileSync(join(dataDir, 'postgres-senha'), 'x'.repeat(43))
    await expect(startOwner(dataDir)).rejects.toThrow(/postgres-senha não é a deste banco.*apague o arquivo/)
    rmSync(join(dataDir, 'postgres-senha'))
    process.kill(postmaster(first), 'SIGINT')
    const { target } = await abrir()
    expect(await queryTarget(target, 'SELECT n FROM notas')).toEqual([{ n: 1 }])
  })
})

describe('findEmbedded', () => {
  useReadyFolder()

  it('finds a running server and writes no password file without the lock', async () => {
    const owner = await abrir()
    expect(await findEmbedded({ dataDir })).toEqual(owner.target)
    const files = ['postgres-senha', 'postgres-senha-app'].map((name) => join(dataDir, name))
    for (const file of files) rmSync(file)
    expect(await findEmbedded({ dataDir })).toBe(null)
    expect(files.filter((file) => existsSync(file))).toEqual([])
  })
})

describe('lockDataDir', () => {
  useReadyFolder()

  it('refuses a second process through any path and names the pid', async () => {
    const first = await abrir()
    const atalho = `${dataDir}-atalho`
    symlinkSync(dataDir, atalho)
    for (const path of [dataDir, atalho]) {
      await expect(startOwner(path)).rejects.toThrow(`já está em uso pelo processo ${first.process.pid}`)
    }
    expect(await queryTarget(first.target, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  it('stays held by a stopped owner that cannot answer', async () => {
    const first = await abrir()
    first.process.kill('SIGSTOP')
    await expect(startOwner(dataDir)).rejects.toThrow('já está em uso por outro processo')
    first.process.kill('SIGCONT')
  })
})

describe('keepRunning', () => {
  useReadyFolder()

  it.each(['socket', 'tcp'])('starts a server on %s again at its address after it was killed', async (kind) => {
    const owner = await abrir(dataDir, '--watch', `--${kind}`)
    await queryTarget(owner.target, 'CREATE TABLE notas AS SELECT 1 AS n')
    const first = postmaster(owner)
    process.kill(first, 'SIGKILL')
    await waitUntil(() => Promise.resolve(existsSync(pidFile(owner)) && postmaster(owner) !== first))
    const notas = (): Promise<unknown> => queryTarget(owner.target, 'SELECT n FROM notas').catch(() => null)
    await waitUntil(async () => (await notas()) !== null)
    expect(await notas()).toEqual([{ n: 1 }])
  })

  it('stops within the deadline of a shutdown while the server restarts', async () => {
    const owner = await abrir(dataDir, '--watch')
    process.kill(postmaster(owner), 'SIGKILL')
    const since = performance.now()
    await killOwner(owner, 'SIGTERM')
    expect(performance.now() - since).toBeLessThan(9_000)
    const next = await abrir()
    expect(await queryTarget(next.target, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  })
})

describe.skipIf(process.platform !== 'linux')('a data folder shared by containers', () => {
  useReadyFolder()

  const hold = (name: string): (() => void) => {
    const lock = lockFile(join(dataDir, name))
    if (typeof lock === 'string') throw new Error(`${name} is ${lock}`)
    return lock.close
  }

  // Without the right to create namespaces, the next test shows the same lock.
  it.runIf(hasContainers)('refuses a start in a second container within 2 s and leaves the server alone', async () => {
    const first = await abrir()
    const before = readFileSync(pidFile(first), 'utf8')
    const second = startInContainer(dataDir)
    expect(second).toMatchObject({ code: 1, said: expect.stringContaining('já está em uso') })
    expect(second.ms).toBeLessThan(2_000)
    expect(readFileSync(pidFile(first), 'utf8')).toBe(before)
    expect(await queryTarget(first.target, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  it('refuses a start while another process holds the lock of the folder', async () => {
    rmSync(dataDir, { recursive: true })
    mkdirSync(dataDir)
    const release = hold('trava')
    await expect(startOwner(dataDir)).rejects.toThrow('já está em uso por outro processo ou contêiner')
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    release()
    expect(await queryTarget((await abrir()).target, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  it('holds the lock of the database while the server lives, also without its owner', async () => {
    const first = await abrir()
    expect(lockFile(join(dataDir, 'trava-banco'))).toBe('taken')
    await killOwner(first)
    expect(lockFile(join(dataDir, 'trava-banco'))).toBe('taken')
    const heir = await abrir()
    expect(heir.adopted).toBe(true)
    await killOwner(heir, 'SIGTERM')
    hold('trava-banco')()
  })

  it('keeps the pid file and starts no server while another server holds the lock', async () => {
    const first = await abrir()
    await killOwner(first, 'SIGTERM')
    const release = hold('trava-banco')
    const lines = [process.pid, first.pgdata, 1, 5432, first.target.host, '', '  1 1', 'ready']
    writeFileSync(join(first.pgdata, 'postmaster.pid'), `${lines.join('\n')}\n`)
    await expect(startCluster(choosePlace(dataDir, false), {}, null)).rejects.toThrow('Outro PostgreSQL ainda usa')
    expect(postmaster(first)).toBe(process.pid)
    release()
    expect(postmaster(await abrir())).not.toBe(process.pid)
  })
})

describe.skipIf(process.getuid?.() !== 0)('startEmbedded as root in a folder closed to the database user', () => {
  beforeEach(() => chmodSync(root, 0o700))

  it('puts the database outside DATA_DIR and reports the folder', async () => {
    const first = await abrir()
    expect(first.pgdata).toMatch(/^\/var\/lib\/balcao\/[0-9a-f]{16}\/postgres$/)
    expect(first.avisos).toEqual([expect.stringContaining(dirname(first.pgdata))])
    expect(readFileSync(join(dataDir, 'ONDE-ESTA-O-BANCO.txt'), 'utf8')).toContain(dirname(first.pgdata))
    expect(statSync(first.pgdata).uid).not.toBe(0)
    await queryTarget(first.target, 'CREATE TABLE notas AS SELECT 1 AS n')
    await killOwner(first, 'SIGTERM')
    const second = await abrir()
    expect(await queryTarget(second.target, 'SELECT n FROM notas')).toEqual([{ n: 1 }])
  })

  it('finds the database after DATA_DIR was moved and refuses a copy', async () => {
    const first = await abrir()
    await queryTarget(first.target, 'CREATE TABLE notas AS SELECT 1 AS n')
    await killOwner(first, 'SIGTERM')
    const copy = join(root, 'copia')
    mkdirSync(copy)
    const marca = readFileSync(join(dataDir, 'ONDE-ESTA-O-BANCO.txt'))
    writeFileSync(join(copy, 'ONDE-ESTA-O-BANCO.txt'), marca)
    await expect(startOwner(copy)).rejects.toThrow('é uma cópia de')
    rmSync(dataDir, { recursive: true })
    const moved = await abrir(copy)
    expect(moved.pgdata).toBe(first.pgdata)
    expect(await queryTarget(moved.target, 'SELECT n FROM notas')).toEqual([{ n: 1 }])
  })
})
