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
  /** What the operator of this server allows beside the places of installers. */
  readonly permitidos: readonly string[]
  readonly plataforma?: NodeJS.Platform
}

/**
 * The program to run for an account's `chromePath`; empty means the first that is installed. What an account writes is run
 * here, so nothing outside the list is opened, not even to look at it. Throws `FalhaDoNavegador`.
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
  throw new FalhaDoNavegador('navegadorNaoPermitido', 'the path is neither in CHROME_PATHS nor a usual place')
}

const existe = (caminho: string): Promise<boolean> =>
  access(caminho).then(
    () => true,
    () => false,
  )

/** Programs that were asked already, as they were then. */
const conferidos = new Map<string, number>()

async function conferir(caminho: string, plataforma: NodeJS.Platform): Promise<string> {
  const dados = await stat(caminho).catch(() => null)
  if (dados === null) throw new FalhaDoNavegador('navegadorNaoEncontrado', 'nothing is at the path')
  const executavel = await access(caminho, constants.X_OK).then(
    () => dados.isFile(),
    () => false,
  )
  if (executavel && conferidos.get(caminho) === dados.mtimeMs) return caminho
  // On Windows, asked for its version, Chrome opens a window.
  if (executavel && (plataforma === 'win32' || (await dizSerChrome(caminho)))) {
    conferidos.set(caminho, dados.mtimeMs)
    return caminho
  }
  throw new FalhaDoNavegador('navegadorInutilizavel', 'the program at the path is no Chrome that runs')
}

async function dizSerChrome(caminho: string): Promise<boolean> {
  try {
    const { stdout } = await rodar(caminho, ['--version'], { timeout: VERSAO_MS, killSignal: 'SIGKILL' })
    return /Chrom(e|ium)/.test(stdout)
  } catch {
    return false
  }
}
