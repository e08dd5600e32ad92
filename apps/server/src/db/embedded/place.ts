import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyBinaries, findBinaries, linkLibraries } from './binaries.ts'
import { DE_TODOS, elsewhereNotice, findElsewhere, makeElsewhere } from './elsewhere.ts'
import { folderHash } from './lock.ts'
import { databaseUser, reachable, type SystemUser } from './user.ts'

export interface Place {
  readonly native: string
  readonly pgdata: string
  /** Private folder of the socket, short enough for the kernel. Null where the server listens on TCP. */
  readonly socketDir: string | null
  readonly runAs: SystemUser | null
  /** Sentence for the administrator if the data are outside DATA_DIR. */
  readonly aviso: string | null
}

const SOCKET_DIR_MAX = 80

/** Mode of root's DATA_DIR: the database's group may traverse it, others have no access. */
export const BY_GROUP = 0o710

export function choosePlace(pasta: string, tcp: boolean): Place {
  const dataDir = realpathSync(pasta)
  const native = findBinaries()
  linkLibraries(native)
  const fora = findElsewhere(dataDir)
  const pgdata = join(fora ?? dataDir, 'postgres')
  const runAs = databaseUser(pgdata)
  if (runAs === null) {
    refuseForeign(pgdata)
    return { native, pgdata, runAs, aviso: null, socketDir: tcp ? null : socketDirFor(dataDir, null) }
  }
  const casa = fora ?? homeForRoot(dataDir, runAs)
  return {
    native: reachable(native, runAs) ? native : copyForUser(native),
    pgdata: join(casa, 'postgres'),
    runAs,
    aviso: casa === dataDir ? null : elsewhereNotice(dataDir, casa),
    socketDir: tcp ? null : socketDirFor(casa, runAs),
  }
}

function homeForRoot(dataDir: string, runAs: SystemUser): string {
  if (reachable(dirname(dataDir), runAs)) {
    chownSync(dataDir, lstatSync(dataDir).uid, runAs.gid)
    chmodSync(dataDir, BY_GROUP)
    return dataDir
  }
  // Never creates a second, empty database beside an existing one.
  if (existsSync(join(dataDir, 'postgres'))) {
    throw new Error(
      `O banco está em ${dataDir}, onde o usuário que o executa (${runAs.uid}) não pode entrar. Inicie o Balcão com esse usuário.`,
    )
  }
  return makeElsewhere(dataDir)
}

function refuseForeign(pgdata: string): void {
  if (process.getuid === undefined || !existsSync(pgdata)) return
  if (lstatSync(pgdata).uid === process.getuid()) return
  throw new Error(
    `O banco em ${pgdata} pertence a outro usuário. Inicie o Balcão com o mesmo usuário de antes (root, se foi ele).`,
  )
}

function copyForUser(native: string): string {
  const texto = readFileSync(join(dirname(native), 'package.json'), 'utf8')
  const versao = /"version":\s*"([^"]+)"/.exec(texto)?.[1] ?? 'local'
  const destino = join(DE_TODOS, `postgresql-${versao}`)
  mkdirSync(DE_TODOS, { recursive: true, mode: 0o711 })
  chmodSync(DE_TODOS, 0o711)
  return copyBinaries(native, destino)
}

function socketDirFor(casa: string, runAs: SystemUser | null): string {
  const perto = join(casa, 'socket')
  const socketDir = Buffer.byteLength(perto) > SOCKET_DIR_MAX ? `/tmp/balcao-${folderHash(casa)}` : perto
  mkdirSync(socketDir, { recursive: true, mode: 0o700 })
  const feita = lstatSync(socketDir)
  // In /tmp another user may have created this name first.
  const donos = [process.getuid?.(), runAs?.uid]
  if (!feita.isDirectory() || !donos.includes(feita.uid))
    throw new Error(`A pasta ${socketDir} pertence a outro usuário.`)
  if (runAs !== null) chownSync(socketDir, runAs.uid, runAs.gid)
  chmodSync(socketDir, 0o700)
  return socketDir
}
