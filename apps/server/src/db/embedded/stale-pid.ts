import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Removes pid files whose pid now belongs to another program, as after a reboot or in a new container. PostgreSQL
 * would take that program for its own server and refuse to start.
 * Files with a dead pid stay: PostgreSQL handles them and also checks the shared memory of the dead server. Removes
 * nothing while a process runs in the cluster's folder.
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
  if (enganosos.length === 0 || hasProcessIn(pgdata)) return
  for (const arquivo of enganosos) rmSync(arquivo, { force: true })
}

function isAlive(pid: string): boolean {
  return pid !== '' && existsSync(`/proc/${pid}`)
}

/** Every process of a PostgreSQL server has the cluster as its working folder. */
function hasProcessIn(pgdata: string): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && workingFolder(name) === pgdata)
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // The process has ended or belongs to another user. Our server would be readable.
    return null
  }
}
