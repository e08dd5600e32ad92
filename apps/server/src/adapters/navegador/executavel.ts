import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute, normalize } from 'node:path'
import { promisify } from 'node:util'
import { FalhaDoNavegador } from './falhas.ts'
import { lugaresDe } from './lugares.ts'

const VERSAO_MS = 5_000
const rodar = promisify(execFile)

export interface Procura {
  readonly permitidos: readonly string[]
  readonly plataforma?: NodeJS.Platform
}

/**
 * Returns the program for an account's `chromePath`; empty means the first one installed. An account's path is
 * executed here, so paths outside the list are not even opened. Throws `FalhaDoNavegador`.
 */
export async function acharExecutavel(
  pedido: string,
  { permitidos, plataforma = process.platform }: Procura,
): Promise<string> {
  const lista = [...permitidos, ...lugaresDe(plataforma)].map((caminho) => normalize(caminho))
  if (pedido !== '') return conferir(daLista(pedido, lista), plataforma)
  for (const caminho of lista) if (await existe(caminho)) return conferir(caminho, plataforma)
  throw new FalhaDoNavegador('navegadorNaoEncontrado', 'no browser is installed')
}

function daLista(pedido: string, lista: readonly string[]): string {
  const caminho = normalize(pedido)
  if (isAbsolute(pedido) && lista.includes(caminho)) return caminho
  throw new FalhaDoNavegador('navegadorNaoPermitido', 'path not in CHROME_PATHS and not a usual path')
}

const existe = (caminho: string): Promise<boolean> =>
  access(caminho).then(
    () => true,
    () => false,
  )

const conferidos = new Map<string, number>()

async function conferir(caminho: string, plataforma: NodeJS.Platform): Promise<string> {
  const dados = await stat(caminho).catch(() => null)
  if (dados === null) throw new FalhaDoNavegador('navegadorNaoEncontrado', 'no file at this path')
  const executavel = await access(caminho, constants.X_OK).then(
    () => dados.isFile(),
    () => false,
  )
  if (executavel && conferidos.get(caminho) === dados.mtimeMs) return caminho
  // On Windows, Chrome opens a window when started with `--version`.
  if (executavel && (plataforma === 'win32' || (await dizSerChrome(caminho)))) {
    conferidos.set(caminho, dados.mtimeMs)
    return caminho
  }
  throw new FalhaDoNavegador('navegadorInutilizavel', 'not a working Chrome')
}

async function dizSerChrome(caminho: string): Promise<boolean> {
  try {
    const { stdout } = await rodar(caminho, ['--version'], { timeout: VERSAO_MS, killSignal: 'SIGKILL' })
    return /Chrom(e|ium)/.test(stdout)
  } catch {
    return false
  }
}
