import { chownSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { loadSecretFile, syncFolder } from '#lib/durable-files.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import type { ClusterPlace } from './place.ts'

export const SUPERUSER = 'balcao'
/** Login of ordinary connections. Its only right is to take the working role. */
export const APP_LOGIN = 'balcao_login'

export interface Passwords {
  readonly superuser: string
  readonly app: string
}

/** The stored passwords of this folder's database. The first call creates them. */
export function loadPasswords(dataDir: string): Passwords {
  return {
    superuser: loadSecretFile(superuserFile(dataDir)),
    app: loadSecretFile(join(dataDir, 'postgres-senha-app')),
  }
}

export function superuserFile(dataDir: string): string {
  return join(dataDir, 'postgres-senha')
}

/**
 * Admits the superuser without a password on the private socket, from the next start until `secureLogins`. For a
 * cluster of an earlier version or a restored folder, which lack the password file.
 */
export function admitOnSocket(place: ClusterPlace, dataDir: string): void {
  if (place.socketDir === null || existsSync(superuserFile(dataDir))) return
  if (existsSync(join(place.pgdata, 'PG_VERSION'))) writeRules(place, [`local all ${SUPERUSER} trust`])
}

/** Sets the stored passwords and requires them of every connection. Needs a connection as superuser. */
export async function secureLogins(client: Client, place: ClusterPlace, passwords: Passwords): Promise<void> {
  const [superuser, app] = [passwords.superuser, passwords.app].map((password) => client.escapeLiteral(password))
  // A random password of 256 bits needs no key stretching, which would slow every connection down.
  await client.query(`SET scram_iterations = 1; SET password_encryption = 'scram-sha-256';
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_ROLE}') THEN
        CREATE ROLE ${APP_ROLE} NOLOGIN NOBYPASSRLS;
      END IF;
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_LOGIN}') THEN
        CREATE ROLE ${APP_LOGIN};
      END IF;
    END $$;
    ALTER ROLE ${SUPERUSER} PASSWORD ${superuser};
    ALTER ROLE ${APP_LOGIN} LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
      PASSWORD ${app};
    GRANT ${APP_ROLE} TO ${APP_LOGIN}`)
  const { rowCount } = await client.query("SELECT 1 FROM pg_hba_file_rules WHERE auth_method = 'trust' LIMIT 1")
  if (rowCount === 0) return
  writeRules(place, [])
  await client.query('SELECT pg_reload_conf()')
}

/** Every login of this machine needs its password, except by `first`. */
function writeRules({ pgdata, runAs }: ClusterPlace, first: readonly string[]): void {
  const path = join(pgdata, 'pg_hba.conf')
  const rules = [...first, 'local all all scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256']
  const text = `# Written by Balcão.\n${rules.join('\n')}\n`
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  const partial = `${path}.novo`
  writeFileSync(partial, text, { mode: 0o600, flush: true })
  if (runAs !== null) chownSync(partial, runAs.uid, runAs.gid)
  renameSync(partial, path)
  syncFolder(pgdata)
}
