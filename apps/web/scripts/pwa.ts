import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { TELAS } from './route-preloads.ts'

/** What is not made by the bundler and a panel without network still shows. */
const FIXOS = ['/icon.svg', '/manifest.webmanifest']

/** Every module file the panel may ever ask for, the lazy ones included; the landing page's own are left out. */
function scriptsDoPainel(bundle: Rolldown.OutputBundle, arquivo: string, vistos = new Set<string>()): Set<string> {
  const chunk = bundle[arquivo]
  if (chunk?.type !== 'chunk' || vistos.has(arquivo)) return vistos
  vistos.add(arquivo)
  for (const filho of [...chunk.imports, ...chunk.dynamicImports]) scriptsDoPainel(bundle, filho, vistos)
  return vistos
}

/** Writes `sw.js`: the worker, with the list of this build's files in front of it. Comes after whoever changes `app.html`. */
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
        const constantes = Object.entries({ VERSAO: versao, ARQUIVOS: lista, PAGINAS: Object.keys(TELAS) })
          .map(([nome, valor]) => `const ${nome} = ${JSON.stringify(valor)}`)
          .join('\n')
        const worker = readFileSync(join(import.meta.dirname, 'worker.mjs'), 'utf8')
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: `${constantes}\n${worker}` })
      },
    },
  }
}
