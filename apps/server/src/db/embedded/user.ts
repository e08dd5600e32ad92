import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/**
 * Returns the user that runs the database, or null if this process is not root. PostgreSQL refuses to run as root.
 * An existing cluster keeps its owner.
 */
export function databaseUser(pgdata: string): SystemUser | null {
  if (process.getuid?.() !== 0) return null
  if (!existsSync(pgdata)) return unprivilegedUser()
  const { uid, gid } = statSync(pgdata)
  if (uid !== 0) return { uid, gid }
  throw new Error(
    `O banco em ${pgdata} pertence ao root, que não pode executá-lo. Corrija com: chown -R postgres "${pgdata}"`,
  )
}

/** The user `postgres`, else `nobody`: PostgreSQL requires a uid with an entry in /etc/passwd. */
function unprivilegedUser(): SystemUser {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    "Rodando como root e sem os usuários 'postgres' ou 'nobody': use outro usuário, ou informe DATABASE_URL.",
  )
}

export function canReach(path: string, user: SystemUser): boolean {
  const { mode, uid, gid } = statSync(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return dirname(path) === path || canReach(dirname(path), user)
}
