import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderHash } from './lock.ts'

/**
 * Folder for databases and programs that cannot stay in their own folder. Other users may traverse it but not list
 * it.
 */
export const DE_TODOS = '/var/lib/balcao'

const MARCA = 'ONDE-ESTA-O-BANCO.txt'
const ORIGEM = 'pasta-de-dados.txt'

/**
 * Returns the folder outside DATA_DIR that holds its database, or null. Stays valid when DATA_DIR is moved. Throws
 * if that folder is missing or DATA_DIR is a copy.
 */
export function findElsewhere(dataDir: string): string | null {
  const marca = join(dataDir, MARCA)
  if (!existsSync(marca)) return null
  const [, casa = ''] = readFileSync(marca, 'utf8').trim().split('\n')
  if (!existsSync(casa)) {
    throw new Error(
      `O banco de dados desta pasta estava em ${casa}, que não existe mais. Recupere essa pasta ou apague ${marca}.`,
    )
  }
  const origem = readFileSync(join(casa, ORIGEM), 'utf8').trim()
  if (origem !== dataDir) {
    if (existsSync(origem) && realpathSync(origem) === origem) {
      throw new Error(
        `A pasta ${dataDir} é uma cópia de ${origem}, cujo banco está em ${casa}. Para um banco novo, apague ${marca}.`,
      )
    }
    writeFileSync(join(casa, ORIGEM), `${dataDir}\n`, { mode: 0o600 })
  }
  return casa
}

/**
 * Creates a folder outside DATA_DIR for its database. Each of the two folders gets a file with the path of the
 * other.
 */
export function makeElsewhere(dataDir: string): string {
  const casa = join(DE_TODOS, folderHash(dataDir))
  mkdirSync(casa, { recursive: true, mode: 0o711 })
  for (const pasta of [DE_TODOS, casa]) chmodSync(pasta, 0o711)
  writeFileSync(join(casa, ORIGEM), `${dataDir}\n`, { mode: 0o600 })
  writeFileSync(join(dataDir, MARCA), `${elsewhereNotice(dataDir, casa)}\n${casa}\n`, { mode: 0o600 })
  return casa
}

export function elsewhereNotice(dataDir: string, casa: string): string {
  return `O banco de dados está em ${casa}, porque o usuário que o executa não pode entrar em ${dataDir}.`
}
