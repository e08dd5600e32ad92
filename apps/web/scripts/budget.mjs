// Measures each page's first load, gzip size in KB and number of script files, and fails above a limit.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = join(import.meta.dirname, '..', 'dist')
const manifest = JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8'))
// The server sends the stored files and compresses none.
if (!existsSync(join(DIST, 'app.html.br'))) throw new Error('budget: compressed files are missing')
const gzipKb = (name) => gzipSync(readFileSync(join(DIST, name)), { level: 9 }).length / 1024

function closure(key, seen = new Set()) {
  const item = manifest[key]
  if (item === undefined) throw new Error(`budget: ${key} is not in the manifest`)
  if (seen.has(item.file)) return seen
  seen.add(item.file)
  for (const child of item.imports ?? []) closure(child, seen)
  return seen
}

const scripts = (...keys) => {
  const names = new Set(keys.flatMap((key) => [...closure(key)]).filter((name) => name.endsWith('.js')))
  return [...names].reduce((sum, name) => sum + gzipKb(name), 0)
}
const sheets = [...new Set(Object.values(manifest).flatMap((item) => item.css ?? []))]
/** Uncompressed size: woff2 is a compressed format. */
const fontKb = () => {
  const name = Object.values(manifest).find(({ file }) => file.endsWith('.woff2'))?.file
  return readFileSync(join(DIST, name)).length / 1024
}
const screen = (path) => `src/features/${path}`
const app = 'app.html'
const panel = [app, 'src/app/dashboard-page.tsx']
const tabs = Object.keys(manifest).flatMap((key) => {
  const tab = /features\/(\w+)\/\1-tab\.tsx$/.exec(key)?.[1]
  return tab === undefined ? [] : [[key, tab]]
})
if (tabs.length === 0) throw new Error('budget: no tab was found')

/** Pictures of the landing page, which load when they scroll into view. */
const pictures = readdirSync(join(DIST, 'painel')).map((name) => [
  `landing, ${name}`,
  statSync(join(DIST, 'painel', name)).size / 1024,
  60,
])

const builtFiles = (name) =>
  readdirSync(join(DIST, 'assets'))
    .filter((file) => file.startsWith(`${name}-`) && /\.(js|css)$/.test(file))
    .map((file) => `assets/${file}`)
const sumKb = (files) => files.reduce((sum, name) => sum + gzipKb(name), 0)
/** The script of the chat on a site with the script and the style of its frame. */
const chatKb = sumKb(['chat.js', 'chat.html', ...builtFiles('chat')])
const menuKb = sumKb(['cardapio.html', ...builtFiles('cardapio')])

const LIMITS = [
  ['chat on the site', chatKb, 15],
  ['menu of a shop', menuKb, 60],
  ['landing, up front', scripts('index.html'), 3],
  ['landing, when idle', scripts('src/landing/demo-phone.tsx'), 112],
  ['landing, HTML with CSS', gzipKb('index.html'), 14],
  ...pictures,
  ['panel, HTML with frame', gzipKb('app.html'), 7],
  ['login', scripts(app, screen('auth/login/login-screen.tsx')), 160],
  ['register', scripts(app, screen('auth/cadastro/register-screen.tsx')), 160],
  ...tabs.map(([key, tab]) => [`dashboard + ${tab}`, scripts(...panel, key), 160]),
  ['simulador', scripts(app, screen('simulador/simulador-screen.tsx')), 160],
  ['admin', scripts(app, screen('admin/admin-screen.tsx')), 160],
  // It holds the text of the whole manual, which its search reads.
  ['ajuda', scripts(app, screen('ajuda/ajuda-screen.tsx')), 175],
  ['the font', fontKb(), 21],
  ['CSS of the panel', sheets.reduce((sum, name) => sum + gzipKb(name), 0), 15.6],
]

const files = (...keys) => new Set(keys.flatMap((key) => [...closure(key)])).size
const geral = tabs.find(([, tab]) => tab === 'geral')?.[0]
/** Files of the first screen that `app.html` does not request itself. Each costs a round trip after the first scripts. */
const page = readFileSync(join(DIST, 'app.html'), 'utf8')
const preloads = JSON.parse(/var screens = (\{.*\})/.exec(page)?.[1] ?? '{}')
const preloaded = new Set(['', '/dashboard', '/dashboard?geral'].flatMap((address) => preloads[address] ?? []))
const late = [...closure(geral, closure(panel[1], closure(app)))].filter(
  (file) => file !== `assets/${preloads.entry}.js` && !preloaded.has(file.replace(/^assets\/(.*)\.js$/, '$1')),
)
const FILE_LIMITS = [
  ['dashboard, not preloaded', late.length, 0],
  ['login, files', files(app, screen('auth/login/login-screen.tsx')), 12],
  ['dashboard + geral, files', files(...panel, geral), 17],
]

let passed = true
for (const [label, count, limit] of FILE_LIMITS) {
  const ok = count <= limit
  passed &&= ok
  process.stdout.write(`${ok ? ' ' : '!'} ${label.padEnd(26)} ${String(count).padStart(6)}     (≤ ${limit})\n`)
}
for (const [label, kb, limit] of LIMITS) {
  const ok = kb <= limit
  passed &&= ok
  process.stdout.write(`${ok ? ' ' : '!'} ${label.padEnd(26)} ${kb.toFixed(1).padStart(6)} KB  (≤ ${limit})\n`)
}
process.exit(passed ? 0 : 1)
