import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute, normalize } from 'node:path'
import { promisify } from 'node:util'
import { BrowserFailure } from '#adapters/navegador/failures.ts'
import { browserEnvironment } from './library.ts'

const VERSION_TIMEOUT_MS = 5_000
const INSTALL_PATHS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files\\Chromium\\Application\\chrome.exe',
  ],
}
const run = promisify(execFile)

/** Parses `CHROME_PATHS`, separated by `:`, `;` or `,`. A colon after a drive letter belongs to the path. */
export function parseChromePaths(list: string | undefined): string[] {
  return (list ?? '')
    .split(/[:;,](?!\\)/)
    .map((path) => path.trim())
    .filter((path) => path !== '')
}

export interface ExecutableSearch {
  readonly allowedPaths: readonly string[]
  readonly home: string
  readonly platform?: NodeJS.Platform
}

/**
 * Returns the program for an account's `chromePath`; empty means the first one installed. An account's path is
 * executed here, so paths outside the list are not even opened. Throws `BrowserFailure`.
 */
export async function findExecutable(
  requested: string,
  { allowedPaths, home, platform = process.platform }: ExecutableSearch,
): Promise<string> {
  const paths = [...allowedPaths, ...(INSTALL_PATHS[platform] ?? [])].map((path) => normalize(path))
  if (requested !== '') return checkProgram(pathFromList(requested, paths), { home, platform })
  for (const path of paths) if (await exists(path)) return checkProgram(path, { home, platform })
  throw new BrowserFailure('navegadorNaoEncontrado', 'no browser is installed')
}

function pathFromList(requested: string, paths: readonly string[]): string {
  const path = normalize(requested)
  if (isAbsolute(requested) && paths.includes(path)) return path
  throw new BrowserFailure('navegadorNaoPermitido', 'path not in CHROME_PATHS and not a usual path')
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const checkedPrograms = new Map<string, number>()

async function checkProgram(
  path: string,
  { home, platform }: { readonly home: string; readonly platform: NodeJS.Platform },
): Promise<string> {
  const data = await stat(path).catch(() => null)
  if (data === null) throw new BrowserFailure('navegadorNaoEncontrado', 'no file at this path')
  const executable = await access(path, constants.X_OK).then(
    () => data.isFile(),
    () => false,
  )
  if (executable && checkedPrograms.get(path) === data.mtimeMs) return path
  // On Windows, Chrome opens a window when started with `--version`.
  if (executable && (platform === 'win32' || (await reportsChrome(path, home)))) {
    checkedPrograms.set(path, data.mtimeMs)
    return path
  }
  throw new BrowserFailure('navegadorInutilizavel', 'not a working Chrome')
}

async function reportsChrome(path: string, home: string): Promise<boolean> {
  try {
    const env = browserEnvironment(home)
    const { stdout } = await run(path, ['--version'], { timeout: VERSION_TIMEOUT_MS, killSignal: 'SIGKILL', env })
    return /Chrom(e|ium)/.test(stdout)
  } catch {
    return false
  }
}
