import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'

const MODULE = fileURLToPath(new URL('./prerender.tsx', import.meta.url))
const PAGE = /(^|\/)app\.html$/
const PLACEHOLDER = '<!--frame-->'

/** The panel's modules use these when they load. Node lacks them. */
const BROWSER = { addEventListener: () => undefined, localStorage: { getItem: () => null } }

async function likeBrowser<T>(run: () => Promise<T>): Promise<T> {
  const names = Object.keys(BROWSER)
  const own = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))
  for (const [name, value] of Object.entries(BROWSER)) {
    Object.defineProperty(globalThis, name, { value, configurable: true })
  }
  try {
    return await run()
  } finally {
    for (const [index, name] of names.entries()) {
      const before = own[index]
      if (before === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, before)
    }
  }
}

async function renderFrame(root: string): Promise<string> {
  const { module } = await runnerImport<{ renderFrame: () => Promise<string> }>(MODULE, {
    root,
    configFile: false,
    logLevel: 'error',
  })
  return module.renderFrame()
}

export function framePrerender(): Plugin {
  let root = process.cwd()
  return {
    name: 'balcao:frame',
    configResolved(config) {
      root = config.root
    },
    transformIndexHtml: {
      order: 'pre',
      handler: async (html, { path }) => {
        if (!PAGE.test(path)) return html
        if (!html.includes(PLACEHOLDER)) throw new Error('frame: app.html has no placeholder')
        const frame = await likeBrowser(() => renderFrame(root))
        return html.replace(PLACEHOLDER, () => frame)
      },
    },
  }
}
