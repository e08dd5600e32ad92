import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Removes a pid file whose number belongs to some other program by now (a reboot, a new container): PostgreSQL would take that
 * program for its own server and refuse to start. A dead number it handles itself, and better: it also looks for what the dead
 * server left in memory. So nothing is removed while any process still works in the cluster's folder.
 */
export function removeStalePid(pgdata: string, socketDir: string | null): void {
  if (process.platform !== 'linux') return
  const arquivos = [
    join(pgdata, 'postmaster.pid'),
    ...(socketDir === null ? [] : [join(socketDir, '.s.PGSQL.5432.lock')]),
  ]
  const enganosos = arquivos.filter(
    (arquivo) => existsSync(arquivo) && isAlive(readFileSync(arquivo, 'utf8').split('\n')[0] ?? ''),
  )
  if (enganosos.length === 0 || someoneWorksIn(pgdata)) return
  for (const arquivo of enganosos) rmSync(arquivo, { force: true })
}

function isAlive(pid: string): boolean {
  return pid !== '' && existsSync(`/proc/${pid}`)
}

/** Every process of a PostgreSQL server has the cluster as its working folder. */
function someoneWorksIn(pgdata: string): boolean {
  return readdirSync('/proc').some((nome) => /^\d+$/.test(nome) && workingFolder(nome) === pgdata)
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // Gone meanwhile, or somebody else's: the server would be ours.
    return null
  }
}
