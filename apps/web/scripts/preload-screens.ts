import type { Plugin, Rolldown } from 'vite'

/**
 * Moves the files of the panel from the tags of `app.html` into its last script, with the files of each screen. Without
 * it the browser learns their names in three steps: from the panel's entry, from the dashboard, and from the tab.
 */

const PLACEHOLDER = 'var screens = {}'
/** The first paint needs the style sheet and the font, and no script file. */
const SCRIPT_TAG =
  /^ *<(?:script type="module"|link rel="modulepreload")[^>]* (?:src|href)="\/assets\/([^"]+)\.js">(?:<\/script>)?\n/gm
/** Lines of the scripts in the page. Each first visit would load them. */
const COMMENT_LINE = /^ *\/\/.*\n/gm
const TAB = /features\/(\w+)\/\1-tab\.tsx$/

type Bundle = Rolldown.OutputBundle

function filesOf(bundle: Bundle, file: string, known: ReadonlySet<string>, seen = new Set<string>()): Set<string> {
  const chunk = bundle[file]
  if (chunk?.type !== 'chunk' || seen.has(file) || known.has(file)) return seen
  seen.add(file)
  for (const child of chunk.imports) filesOf(bundle, child, known, seen)
  return seen
}

function chunkOf(bundle: Bundle, source: string): string {
  for (const output of Object.values(bundle)) {
    if (output.type === 'chunk' && Object.keys(output.modules).some((id) => id.endsWith(source))) return output.fileName
  }
  throw new Error(`preload: no chunk contains ${source}`)
}

/** Files by path, and by path and tab for the dashboard. File names without folder and extension. */
function screens(bundle: Bundle): Readonly<Record<string, readonly string[]>> {
  const known = filesOf(bundle, chunkOf(bundle, 'src/app/main.tsx'), new Set())
  const of = (source: string, before: ReadonlySet<string>) => filesOf(bundle, chunkOf(bundle, source), before)
  const short = (files: ReadonlySet<string>) => [...files].map((file) => file.replace(/^assets\/(.*)\.js$/, '$1'))
  const dashboard = of('src/app/dashboard-page.tsx', known)
  const inDashboard = new Set([...known, ...dashboard])
  const tabs = Object.values(bundle)
    .flatMap((output) => (output.type === 'chunk' ? Object.keys(output.modules) : []))
    .flatMap((id) => (TAB.exec(id)?.[1] === undefined ? [] : [[TAB.exec(id)?.[1] ?? '', id]]))
  return {
    '/login': short(of('features/auth/login/login-screen.tsx', known)),
    '/register': short(of('features/auth/cadastro/register-screen.tsx', known)),
    '/dashboard': short(dashboard),
    ...Object.fromEntries(tabs.map(([tab = '', id = '']) => [`/dashboard?${tab}`, short(of(id, inDashboard))])),
  }
}

export function preloadScreens(): Plugin {
  return {
    name: 'balcao:preload',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['app.html']
        if (page?.type !== 'asset') return
        const html = page.source.toString()
        if (!html.includes(PLACEHOLDER)) throw new Error('preload: app.html has no placeholder')
        const [entry, ...before] = Array.from(html.matchAll(SCRIPT_TAG), ([, name = '']) => name)
        if (entry === undefined) throw new Error('preload: app.html has no entry')
        const files = { entry, '': before, ...screens(bundle) }
        page.source = html
          .replaceAll(SCRIPT_TAG, '')
          .replace(PLACEHOLDER, () => `var screens = ${JSON.stringify(files)}`)
          .replaceAll(COMMENT_LINE, '')
      },
    },
  }
}
