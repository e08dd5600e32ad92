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
function scriptsDoPainel(bundle: Rolldown.OutputBundle, arquivo: string, vistos = new Set<string>()): Set<string> {
  const chunk = bundle[arquivo]
  if (chunk?.type !== 'chunk' || vistos.has(arquivo)) return vistos
  vistos.add(arquivo)
  for (const filho of [...chunk.imports, ...chunk.dynamicImports]) scriptsDoPainel(bundle, filho, vistos)
  return vistos
}

/** Writes `sw.js`: `worker.mjs` with this build's version and file list in front. Runs after the plugins that change `app.html`. */
export function pwa(): Plugin {
  return {
    name: 'balcao:pwa',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_opcoes, bundle) {
        const pagina = bundle['app.html']
        const saidas = Object.values(bundle)
        const entrada = saidas.find((saida) => saida.type === 'chunk' && saida.isEntry && saida.name === 'app')
        if (pagina?.type !== 'asset' || entrada === undefined) return
        const folhas = saidas.map(({ fileName }) => fileName).filter((nome) => /^assets\/.*\.(css|woff2)$/.test(nome))
        const arquivos = [...scriptsDoPainel(bundle, entrada.fileName), ...folhas].map((nome) => `/${nome}`).toSorted()
        const lista = [...arquivos, ...FIXOS]
        const versao = createHash('sha256')
          .update(pagina.source.toString() + lista.join())
          .digest('hex')
          .slice(0, 12)
        const constantes = Object.entries({ VERSAO: versao, ARQUIVOS: lista, PAGINAS: PAGES })
          .map(([nome, valor]) => `const ${nome} = ${JSON.stringify(valor)}`)
          .join('\n')
        const worker = readFileSync(join(import.meta.dirname, 'worker.mjs'), 'utf8')
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: `${constantes}\n${worker}` })
      },
    },
  }
}
