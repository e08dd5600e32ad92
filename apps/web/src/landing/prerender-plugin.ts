import { fileURLToPath } from 'node:url'
import { type Plugin, type Rolldown, runnerImport } from 'vite'

const MODULE = fileURLToPath(new URL('./prerender.tsx', import.meta.url))
const PAGE = /(^|\/)index\.html$/
const MANIFEST = '.vite/manifest.json'
const PLACEHOLDER = '<!--landing-->'

async function renderLanding(root: string): Promise<string> {
  const { module } = await runnerImport<{ renderLanding: () => string }>(MODULE, {
    root,
    configFile: false,
    logLevel: 'error',
  })
  return module.renderLanding()
}

/** Replaces links to built style sheets with inline `<style>`, which saves a request before the first paint. */
function inlineStyles(html: string, sheets: ReadonlyMap<string, string>): { html: string; used: string[] } {
  const used: string[] = []
  const inlined = html.replaceAll(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (link, file: string) => {
    const css = sheets.get(file)
    if (css === undefined) return link
    used.push(file)
    return `<style>${css.trim()}</style>`
  })
  return { html: inlined, used }
}

function mentions(output: Rolldown.OutputAsset | Rolldown.OutputChunk, file: string): boolean {
  if (output.fileName === file) return false
  const nome = file.split('/').at(-1) ?? file
  return (output.type === 'asset' ? output.source.toString() : output.code).includes(nome)
}

function withoutSheets(manifest: string, sheets: readonly string[]): string {
  const without = (key: string, value: unknown): unknown =>
    key === 'css' && Array.isArray(value) ? value.filter((file) => !sheets.includes(String(file))) : value
  return JSON.stringify(JSON.parse(manifest, without), null, 2)
}

/**
 * Prerenders the landing page into `index.html`, in development and in the build. The build also inlines its style
 * sheets.
 */
export function landingPrerender(): Plugin {
  let root = process.cwd()
  return {
    name: 'balcao:landing',
    configResolved(config) {
      root = config.root
    },
    transformIndexHtml: {
      order: 'pre',
      handler: async (html, { path }) => {
        if (!PAGE.test(path) || !html.includes(PLACEHOLDER)) return html
        const pagina = await renderLanding(root)
        return html.replace(PLACEHOLDER, () => pagina)
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const sheets = new Map<string, string>()
        for (const [file, output] of Object.entries(bundle)) {
          if (output.type === 'asset' && file.endsWith('.css')) sheets.set(file, output.source.toString())
        }
        const page = bundle['index.html']
        if (page?.type !== 'asset') return
        const { html, used } = inlineStyles(page.source.toString(), sheets)
        page.source = html
        const others = Object.values(bundle).filter(
          ({ fileName }) => fileName !== 'index.html' && fileName !== MANIFEST,
        )
        const alone = used.filter((file) => !others.some((output) => mentions(output, file)))
        for (const file of alone) delete bundle[file]
        const manifest = bundle[MANIFEST]
        if (manifest?.type === 'asset') manifest.source = withoutSheets(manifest.source.toString(), alone)
      },
    },
  }
}
