// Measures each page's first load, gzip size in KB and number of script files, and fails above a limit.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = join(import.meta.dirname, '..', 'dist')
const manifest = JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8'))
// The server sends the stored files and compresses none.
if (!existsSync(join(DIST, 'app.html.br'))) throw new Error('budget: compressed files are missing')
const gzipKb = (arquivo) => gzipSync(readFileSync(join(DIST, arquivo)), { level: 9 }).length / 1024

function closure(chave, vistos = new Set()) {
  const item = manifest[chave]
  if (item === undefined) throw new Error(`budget: ${chave} is not in the manifest`)
  if (vistos.has(item.file)) return vistos
  vistos.add(item.file)
  for (const filho of item.imports ?? []) closure(filho, vistos)
  return vistos
}

const scripts = (...chaves) => {
  const arquivos = new Set(chaves.flatMap((chave) => [...closure(chave)]).filter((arquivo) => arquivo.endsWith('.js')))
  return [...arquivos].reduce((soma, arquivo) => soma + gzipKb(arquivo), 0)
}
const sheets = [...new Set(Object.values(manifest).flatMap((item) => item.css ?? []))]
/** Uncompressed size: woff2 is a compressed format. */
const manifestFont = () => {
  const arquivo = Object.values(manifest).find(({ file }) => file.endsWith('.woff2'))?.file
  return readFileSync(join(DIST, arquivo)).length / 1024
}
const tela = (nome) => `src/features/${nome}`
const app = 'app.html'
const painel = [app, 'src/app/dashboard-page.tsx']
const tabs = Object.keys(manifest).flatMap((chave) => {
  const aba = /features\/(\w+)\/\1-tab\.tsx$/.exec(chave)?.[1]
  return aba === undefined ? [] : [[chave, aba]]
})
if (tabs.length === 0) throw new Error('budget: no tab was found')

const LIMITES = [
  ['landing, up front', scripts('index.html'), 3],
  ['landing, when idle', scripts('src/landing/demo-phone.tsx'), 87],
  ['landing, HTML with CSS', gzipKb('index.html'), 14],
  ['panel, HTML with frame', gzipKb('app.html'), 6],
  ['login', scripts(app, tela('auth/login/login-screen.tsx')), 160],
  ['register', scripts(app, tela('auth/cadastro/register-screen.tsx')), 160],
  ...tabs.map(([chave, aba]) => [`dashboard + ${aba}`, scripts(...painel, chave), 160]),
  ['simulador', scripts(app, tela('simulador/simulador-screen.tsx')), 160],
  ['admin', scripts(app, tela('admin/admin-screen.tsx')), 160],
  ['ajuda', scripts(app, tela('ajuda/ajuda-screen.tsx')), 160],
  ['the font', manifestFont(), 21],
  ['CSS of the panel', sheets.reduce((soma, arquivo) => soma + gzipKb(arquivo), 0), 15],
]

const files = (...chaves) => new Set(chaves.flatMap((chave) => [...closure(chave)])).size
const geral = tabs.find(([, aba]) => aba === 'geral')?.[0]
/** Files of the first screen that `app.html` does not request itself. Each costs a round trip after the first scripts. */
const page = readFileSync(join(DIST, 'app.html'), 'utf8')
const screens = JSON.parse(/var screens = (\{.*\})/.exec(page)?.[1] ?? '{}')
const preloaded = new Set(['/dashboard', '/dashboard?geral'].flatMap((screen) => screens[screen] ?? []))
const late = [...closure(geral, closure(painel[1], closure(app)))].filter(
  (file) => !page.includes(`"/${file}"`) && !preloaded.has(file.replace(/^assets\/(.*)\.js$/, '$1')),
)
const FILE_LIMITS = [
  ['dashboard, not preloaded', late.length, 0],
  ['login, files', files(app, tela('auth/login/login-screen.tsx')), 12],
  ['dashboard + geral, files', files(...painel, geral), 16],
]

let passou = true
for (const [nome, count, limite] of FILE_LIMITS) {
  const ok = count <= limite
  passou &&= ok
  process.stdout.write(`${ok ? ' ' : '!'} ${nome.padEnd(26)} ${String(count).padStart(6)}     (≤ ${limite})\n`)
}
for (const [nome, kb, limite] of LIMITES) {
  const ok = kb <= limite
  passou &&= ok
  process.stdout.write(`${ok ? ' ' : '!'} ${nome.padEnd(26)} ${kb.toFixed(1).padStart(6)} KB  (≤ ${limite})\n`)
}
process.exit(passou ? 0 : 1)
