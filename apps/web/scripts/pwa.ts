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
  '/conta',
  '/seguranca',
  '/admin',
]

/** Files that Vite copies unchanged and that the panel shows without a network. */
const FIXED_FILES = ['/icon.svg', '/manifest.webmanifest']

/** Script files reachable from the panel's entry, lazy ones included. The landing page's own scripts are left out. */
function panelScripts(bundle: Rolldown.OutputBundle, file: string, seen = new Set<string>()): Set<string> {
  const chunk = bundle[file]
  if (chunk?.type !== 'chunk' || seen.has(file)) return seen
  seen.add(file)
  for (const child of [...chunk.imports, ...chunk.dynamicImports]) panelScripts(bundle, child, seen)
  return seen
}

/** Writes `sw.js`: `worker.mjs` with this build's version and file list in front. Runs after the plugins that change `app.html`. */
export function pwa(): Plugin {
  return {
    name: 'balcao:pwa',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['app.html']
        const outputs = Object.values(bundle)
        const input = outputs.find((output) => output.type === 'chunk' && output.isEntry && output.name === 'app')
        if (page?.type !== 'asset' || input === undefined) return
        const sheets = outputs.map(({ fileName }) => fileName).filter((name) => /^assets\/.*\.(css|woff2)$/.test(name))
        const files = [...panelScripts(bundle, input.fileName), ...sheets].map((name) => `/${name}`).toSorted()
        const list = [...files, ...FIXED_FILES]
        const version = createHash('sha256')
          .update(page.source.toString() + list.join())
          .digest('hex')
          .slice(0, 12)
        const constants = Object.entries({ VERSION: version, FILES: list, PAGES })
          .map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`)
          .join('\n')
        const worker = readFileSync(join(import.meta.dirname, 'worker.mjs'), 'utf8')
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: `${constants}\n${worker}` })
      },
    },
  }
}
