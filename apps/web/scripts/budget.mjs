// Weighs what each page loads, compressed, and fails when it is more than was agreed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = join(import.meta.dirname, '..', 'dist')
const manifest = JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8'))
const gzipKb = (arquivo) => gzipSync(readFileSync(join(DIST, arquivo)), { level: 9 }).length / 1024

/** Every file that a module brings with it, its static imports included. */
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
/** As it travels: a woff2 is compressed already. */
const manifestFont = () => {
  const arquivo = Object.values(manifest).find(({ file }) => file.endsWith('.woff2'))?.file
  return readFileSync(join(DIST, arquivo)).length / 1024
}
const tela = (nome) => `src/features/${nome}`
const app = 'app.html'
const painel = [app, 'src/app/dashboard-page.tsx']
/** Every tab of the panel, whoever built it. */
const tabs = Object.keys(manifest).flatMap((chave) => {
  const aba = /features\/(\w+)\/\1-tab\.tsx$/.exec(chave)?.[1]
  return aba === undefined ? [] : [[chave, aba]]
})
if (tabs.length === 0) throw new Error('budget: no tab was found')

const LIMITES = [
  ['landing, up front', scripts('index.html'), 3],
  ['landing, when idle', scripts('src/landing/ilha.tsx'), 83],
  ['landing, HTML with CSS', gzipKb('index.html'), 14],
  ['login', scripts(app, tela('auth/login-screen.tsx')), 116],
  ['register', scripts(app, tela('auth/register-screen.tsx')), 116],
  ...tabs.map(([chave, aba]) => [`dashboard + ${aba}`, scripts(...painel, chave), 140]),
  ['simulador', scripts(app, tela('simulador/simulador-screen.tsx')), 140],
  ['admin', scripts(app, tela('admin/admin-screen.tsx')), 140],
  ['ajuda', scripts(app, tela('ajuda/ajuda-screen.tsx')), 140],
  ['the font', manifestFont(), 21],
  ['CSS of the panel', sheets.reduce((soma, arquivo) => soma + gzipKb(arquivo), 0), 15],
]

let passou = true
for (const [nome, kb, limite] of LIMITES) {
  const ok = kb <= limite
  passou &&= ok
  process.stdout.write(`${ok ? ' ' : '!'} ${nome.padEnd(26)} ${kb.toFixed(1).padStart(6)} KB  (≤ ${limite})\n`)
}
process.exit(passou ? 0 : 1)
