// Finds the browsers of the tests, or installs them.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { binOf, fail, nodeBinary, say, toolEnv } from './toolchain.mjs'

const LUGARES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** Chromium without a user interface, which needs a sixth less CPU. A package of Debian. */
const SHELL = '/usr/lib/chromium/chromium-headless-shell'

const works = (caminho) =>
  existsSync(caminho) && spawnSync(caminho, ['--version', '--no-sandbox'], { timeout: 20_000 }).status === 0

function installed() {
  const pedidos = (process.env.CHROME_PATHS ?? '').split(/[:;,](?!\\)/).filter((caminho) => caminho !== '')
  return [...pedidos, ...LUGARES].find(works)
}

const mayInstall = () => process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function apt(stderr, ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', stderr], env }).status === 0
}

function installWithApt() {
  if (!mayInstall()) return false
  say('instalando o Chromium com o apt-get (um a dois minutos)…')
  apt(2, 'update', '-qq')
  // On Ubuntu the package `chromium` only refers to a snap, so `chromium-browser` is tried next.
  for (const pacote of ['chromium', 'chromium-browser']) {
    apt(2, 'install', '-y', '-qq', '--no-install-recommends', pacote, 'fonts-liberation', 'fonts-noto-color-emoji')
    if (installed() !== undefined) return true
  }
  return false
}

function downloadWithPlaywright() {
  say('baixando o Chromium do Playwright…')
  spawnSync(nodeBinary(), [binOf('playwright-core'), 'install', 'chromium-headless-shell'], {
    stdio: ['ignore', 2, 2],
    env: toolEnv(),
  })
  const codigo = `import('playwright-core').then((p) => process.stdout.write(p.chromium.executablePath()))`
  const caminho = spawnSync(nodeBinary(), ['-e', codigo], { encoding: 'utf8', env: toolEnv() }).stdout.trim()
  return works(caminho) ? caminho : undefined
}

/** The path of the headless shell, or of the given browser where the system has none. */
export function ensureShell(chromium) {
  if (works(SHELL)) return SHELL
  const install = () => apt('ignore', 'install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell')
  // The lists of packages may be missing or old.
  if (mayInstall() && (install() || (apt('ignore', 'update', '-qq') && install())) && works(SHELL)) return SHELL
  return chromium
}

/** The path of a working Chromium. Ends the process with a message if none can be installed. */
export function ensureChromium() {
  const achado = installed() ?? (installWithApt() ? installed() : undefined) ?? downloadWithPlaywright()
  if (achado !== undefined) return achado
  return fail(
    'os testes precisam de um Chromium e nenhum foi encontrado nem pôde ser instalado. Instale-o (por exemplo: apt-get install chromium) ou diga onde ele está em CHROME_PATHS.',
  )
}
