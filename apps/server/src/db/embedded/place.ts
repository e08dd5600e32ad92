import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyBinaries, findBinaries, linkLibraries } from './binaries.ts'
import { folderHash } from './lock.ts'

/** Where the database lives and who runs it. */
export interface Place {
  readonly native: string
  /** The cluster's folder (`PGDATA`). */
  readonly pgdata: string
  /** Private folder of the socket; its path is short enough for the kernel. */
  readonly socketDir: string
  /** Set when this process is root, which PostgreSQL refuses to be. */
  readonly runAs: { readonly uid: number; readonly gid: number } | null
  /** A sentence for the administrator when the data are not below DATA_DIR. */
  readonly aviso: string | null
}

const SOCKET_PATH_MAX = 90
const DE_TODOS = '/var/lib/balcao'

export function choosePlace(dataDir: string): Place {
  const native = findBinaries()
  linkLibraries(native)
  const runAs = process.getuid?.() === 0 ? unprivilegedUser() : null
  if (runAs === null) {
    return { native, runAs, aviso: null, pgdata: join(dataDir, 'postgres'), socketDir: socketDirFor(dataDir, null) }
  }
  if (reachable(dirname(dataDir), runAs) && reachable(native, runAs)) {
    // Root's own folder: others may pass through, and still neither list nor read it.
    chmodSync(dataDir, 0o711)
    return { native, runAs, aviso: null, pgdata: join(dataDir, 'postgres'), socketDir: socketDirFor(dataDir, runAs) }
  }
  return placeElsewhere(dataDir, native, runAs)
}

/** Root below a folder that the database's user cannot enter: its data and a copy of its program go where it can. */
function placeElsewhere(dataDir: string, native: string, runAs: { uid: number; gid: number }): Place {
  const casa = join(DE_TODOS, folderHash(dataDir))
  mkdirSync(casa, { recursive: true, mode: 0o711 })
  chmodSync(DE_TODOS, 0o711)
  const copia = copyBinaries(native, join(DE_TODOS, `postgresql-${binariesVersion(native)}`))
  chmodSync(dirname(copia), 0o755)
  const pgdata = join(casa, 'postgres')
  const aviso = `O banco de dados está em ${pgdata}, porque o usuário que o executa não pode entrar em ${dataDir}.`
  writeFileSync(join(dataDir, 'ONDE-ESTA-O-BANCO.txt'), `${aviso}\n`)
  return { native: copia, runAs, aviso, pgdata, socketDir: socketDirFor(casa, runAs) }
}

function binariesVersion(native: string): string {
  const texto = readFileSync(join(dirname(native), 'package.json'), 'utf8')
  return /"version":\s*"([^"]+)"/.exec(texto)?.[1] ?? 'local'
}

/** The user `postgres` where there is one, else `nobody`: PostgreSQL wants a user with a name. */
function unprivilegedUser(): { uid: number; gid: number } {
  const linhas = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((linha) => linha.split(':'))
  const linha = ['postgres', 'nobody']
    .map((nome) => linhas.find(([quem]) => quem === nome))
    .find((campos) => campos !== undefined)
  if (linha === undefined)
    throw new Error('Rodando como root e sem os usuários postgres ou nobody: use outro usuário ou DATABASE_URL.')
  return { uid: Number(linha[2]), gid: Number(linha[3]) }
}

/** Whether a user may pass through every folder down to `caminho`. */
function reachable(caminho: string, { uid, gid }: { uid: number; gid: number }): boolean {
  const { mode, uid: dono, gid: grupo } = statSync(caminho)
  const bit = dono === uid ? 0o100 : grupo === gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return dirname(caminho) === caminho || reachable(dirname(caminho), { uid, gid })
}

function socketDirFor(casa: string, runAs: { uid: number; gid: number } | null): string {
  const perto = join(casa, 'socket')
  const longe = `/tmp/balcao-${folderHash(casa)}`
  const socketDir = perto.length > SOCKET_PATH_MAX || process.platform === 'win32' ? longe : perto
  if (process.platform === 'win32') return socketDir
  mkdirSync(socketDir, { recursive: true, mode: 0o700 })
  const dono = runAs?.uid ?? process.getuid?.()
  // In a shared folder the name could have been taken by somebody else before us.
  if (statSync(socketDir).uid !== dono && runAs === null)
    throw new Error(`A pasta ${socketDir} pertence a outro usuário.`)
  if (runAs !== null) chownSync(socketDir, runAs.uid, runAs.gid)
  chmodSync(socketDir, 0o700)
  return socketDir
}

/** The parent of the cluster, made and owned so that the database's user may work in it. */
export function prepareParent(place: Place): void {
  const pai = dirname(place.pgdata)
  if (!existsSync(pai)) mkdirSync(pai, { recursive: true, mode: 0o700 })
}
