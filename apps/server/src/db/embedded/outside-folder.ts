import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderHash } from './lock.ts'

/**
 * Folder for databases and programs that cannot stay in their own folder. Other users may traverse it but not list
 * it.
 */
export const SHARED_ROOT = '/var/lib/balcao'

const MARKER_FILE = 'ONDE-ESTA-O-BANCO.txt'
const ORIGIN_FILE = 'pasta-de-dados.txt'

/**
 * Returns the folder outside DATA_DIR that holds its database, or null. Stays valid when DATA_DIR is moved. Throws
 * if that folder is missing or DATA_DIR is a copy.
 */
export function findOutsideFolder(dataDir: string): string | null {
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
export function createOutsideFolder(dataDir: string): string {
  const home = join(SHARED_ROOT, folderHash(dataDir))
  mkdirSync(home, { recursive: true, mode: 0o711 })
  for (const pasta of [SHARED_ROOT, home]) chmodSync(pasta, 0o711)
  writeFileSync(join(home, ORIGIN_FILE), `${dataDir}\n`, { mode: 0o600 })
  writeFileSync(join(dataDir, MARKER_FILE), `${outsideFolderNotice(dataDir, home)}\n${home}\n`, { mode: 0o600 })
  return home
}

export function outsideFolderNotice(dataDir: string, folder: string): string {
  return `O banco de dados está em ${folder}, porque o usuário que o executa não pode entrar em ${dataDir}.`
}
