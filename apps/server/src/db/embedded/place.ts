import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { copyBinaries, findBinaries, linkLibraries } from './binaries.ts'
import { folderHash } from './lock.ts'

/**
 * Folder for databases and programs that cannot stay in their own folder. Other users may traverse it but not list
 * it.
 */
const SHARED_ROOT = '/var/lib/balcao'

const MARKER_FILE = 'ONDE-ESTA-O-BANCO.txt'
const ORIGIN_FILE = 'pasta-de-dados.txt'

/**
 * Returns the folder outside DATA_DIR that holds its database, or null. Stays valid when DATA_DIR is moved. Throws
 * if that folder is missing or DATA_DIR is a copy.
 */
function findOutsideFolder(dataDir: string): string | null {
  const marca = join(dataDir, MARKER_FILE)
  if (!existsSync(marca)) return null
  const [, home = ''] = readFileSync(marca, 'utf8').trim().split('\n')
  if (!existsSync(home)) {
    throw new Error(
      `O banco de dados desta pasta estava em ${home}, que não existe mais. Recupere essa pasta ou apague ${marca}.`,
    )
  }
  const source = readFileSync(join(home, ORIGIN_FILE), 'utf8').trim()
  if (source !== dataDir) {
    if (existsSync(source) && realpathSync(source) === source) {
      throw new Error(
        `A pasta ${dataDir} é uma cópia de ${source}, cujo banco está em ${home}. Para um banco novo, apague ${marca}.`,
      )
    }
    writeFileSync(join(home, ORIGIN_FILE), `${dataDir}\n`, { mode: 0o600 })
  }
  return home
}

/**
 * Creates a folder outside DATA_DIR for its database. Each of the two folders gets a file with the path of the
 * other.
 */
function createOutsideFolder(dataDir: string): string {
  const home = join(SHARED_ROOT, folderHash(dataDir))
  mkdirSync(home, { recursive: true, mode: 0o711 })
  for (const pasta of [SHARED_ROOT, home]) chmodSync(pasta, 0o711)
  writeFileSync(join(home, ORIGIN_FILE), `${dataDir}\n`, { mode: 0o600 })
  writeFileSync(join(dataDir, MARKER_FILE), `${outsideFolderNotice(dataDir, home)}\n${home}\n`, { mode: 0o600 })
  return home
}

function outsideFolderNotice(dataDir: string, folder: string): string {
  return `O banco de dados está em ${folder}, porque o usuário que o executa não pode entrar em ${dataDir}.`
}

export interface ClusterPlace {
  readonly native: string
  readonly pgdata: string
  /** Private folder of the socket, short enough for the kernel. Null where the server listens on TCP. */
  readonly socketDir: string | null
  readonly serverLock: string
  readonly runAs: SystemUser | null
  /** Sentence for the administrator if the data are outside DATA_DIR. */
  readonly notice: string | null
}

const SOCKET_DIR_MAX = 80

/** Mode of root's DATA_DIR: the database's group may traverse it, others have no access. */
export const GROUP_TRAVERSE_MODE = 0o710

export function choosePlace(folder: string, tcp: boolean): ClusterPlace {
  const dataDir = realpathSync(folder)
  const native = findBinaries()
  linkLibraries(native)
  const fora = findOutsideFolder(dataDir)
  const pgdata = join(fora ?? dataDir, 'postgres')
  const serverLock = join(dataDir, 'trava-banco')
  const runAs = databaseUser(pgdata)
  if (runAs === null) {
    refuseForeign(pgdata)
    return { native, pgdata, serverLock, runAs, notice: null, socketDir: tcp ? null : socketDirFor(dataDir, null) }
  }
  const home = fora ?? homeForRoot(dataDir, runAs)
  return {
    serverLock,
    native: canReach(native, runAs) ? native : copyForUser(native),
    pgdata: join(home, 'postgres'),
    runAs,
    notice: home === dataDir ? null : outsideFolderNotice(dataDir, home),
    socketDir: tcp ? null : socketDirFor(home, runAs),
  }
}

function homeForRoot(dataDir: string, runAs: SystemUser): string {
  if (canReach(dirname(dataDir), runAs)) {
    chownSync(dataDir, lstatSync(dataDir).uid, runAs.gid)
    chmodSync(dataDir, GROUP_TRAVERSE_MODE)
    return dataDir
  }
  // Never creates a second, empty database beside an existing one.
  if (existsSync(join(dataDir, 'postgres'))) {
    throw new Error(
      `O banco está em ${dataDir}, onde o usuário que o executa (${runAs.uid}) não pode entrar. Inicie o Balcão com esse usuário.`,
    )
  }
  return createOutsideFolder(dataDir)
}

function refuseForeign(pgdata: string): void {
  if (process.getuid === undefined || !existsSync(pgdata)) return
  if (lstatSync(pgdata).uid === process.getuid()) return
  throw new Error(
    `O banco em ${pgdata} pertence a outro usuário. Inicie o Balcão com o mesmo usuário de antes (root, se foi ele).`,
  )
}

function copyForUser(native: string): string {
  const text = readFileSync(join(dirname(native), 'package.json'), 'utf8')
  const version = /"version":\s*"([^"]+)"/.exec(text)?.[1] ?? 'local'
  const destination = join(SHARED_ROOT, `postgresql-${version}`)
  mkdirSync(SHARED_ROOT, { recursive: true, mode: 0o711 })
  chmodSync(SHARED_ROOT, 0o711)
  return copyBinaries(native, destination)
}

function socketDirFor(folder: string, runAs: SystemUser | null): string {
  const perto = join(folder, 'socket')
  const socketDir = Buffer.byteLength(perto) > SOCKET_DIR_MAX ? `/tmp/balcao-${folderHash(folder)}` : perto
  mkdirSync(socketDir, { recursive: true, mode: 0o700 })
  const done = lstatSync(socketDir)
  // In /tmp another user may have created this name first.
  const donos = [process.getuid?.(), runAs?.uid]
  if (!done.isDirectory() || !donos.includes(done.uid))
    throw new Error(`A pasta ${socketDir} pertence a outro usuário.`)
  if (runAs !== null) chownSync(socketDir, runAs.uid, runAs.gid)
  chmodSync(socketDir, 0o700)
  return socketDir
}

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

function canReach(path: string, user: SystemUser): boolean {
  const { mode, uid, gid } = statSync(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return dirname(path) === path || canReach(dirname(path), user)
}
