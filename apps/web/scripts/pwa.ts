import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** Addresses that the worker answers with `app.html` while the server is unreachable. */
const PAGES = [
  '/login',
  '/register',
  '/forgot-password',
  '/redefinir-senha',
  '/terms',
  '/privacy',
  '/ajuda',
  '/dashboard',
  '/simulador',
  '/admin',
]

/** Files that Vite copies unchanged and that the panel shows without a network. */
const FIXOS = ['/icon.svg', '/manifest.webmanifest']

/** Script files reachable from the panel's entry, lazy ones included. The landing page's own scripts are left out. */
function scriptsDoPainel(bundle: Rolldown.OutputBundle, arquivo: string, seen = new Set<string>()): Set<string> {
  const chunk = bundle[arquivo]
  if (chunk?.type !== 'chunk' || seen.has(arquivo)) return seen
  seen.add(arquivo)
  for (const child of [...chunk.imports, ...chunk.dynamicImports]) scriptsDoPainel(bundle, child, seen)
  return seen
}

/** Writes `sw.js`: `worker.mjs` with this build's version and file list in front. Runs after the plugins that change `app.html`. */
export function pwa(): Plugin {
  return {
    name: 'balcao:pwa',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_opcoes, bundle) {
        const page = bundle['app.html']
        const saidas = Object.values(bundle)
        const input = saidas.find((output) => output.type === 'chunk' && output.isEntry && output.name === 'app')
        if (page?.type !== 'asset' || input === undefined) return
        const folhas = saidas.map(({ fileName }) => fileName).filter((nome) => /^assets\/.*\.(css|woff2)$/.test(nome))
        const arquivos = [...scriptsDoPainel(bundle, input.fileName), ...folhas].map((nome) => `/${nome}`).toSorted()
        const lista = [...arquivos, ...FIXOS]
        const version = createHash('sha256')
          .update(page.source.toString() + lista.join())
          .digest('hex')
          .slice(0, 12)
        const constantes = Object.entries({ VERSAO: version, ARQUIVOS: lista, PAGINAS: PAGES })
          .map(([nome, value]) => `const ${nome} = ${JSON.stringify(value)}`)
          .join('\n')
        const worker = readFileSync(join(import.meta.dirname, 'worker.mjs'), 'utf8')
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: `${constantes}\n${worker}` })
      },
    },
  }
}
