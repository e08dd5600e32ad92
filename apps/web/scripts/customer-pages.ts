import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type InlineConfig, type Plugin } from 'vite'

/**
 * Builds the pages for customers beside the panel: `chat.js`, which a site loads, the page `chat.html` of its frame, and
 * `cardapio.html`, the menu of a shop. They share no file with the panel, so a visitor loads nothing of it.
 */
export function customerPages(): Plugin {
  let root = ''
  let dist = ''
  const shared = (): InlineConfig => ({ root, configFile: false, publicDir: false, logLevel: 'warn' })
  const output = (): NonNullable<InlineConfig['build']> => ({
    ...{ outDir: dist, emptyOutDir: false, target: 'es2022', modulePreload: false },
  })
  const buildPage = (page: string, name: string) =>
    build({
      ...shared(),
      build: {
        ...output(),
        rolldownOptions: {
          treeshake: { manualPureFunctions: ['z'] },
          input: join(root, page),
          output: { entryFileNames: `assets/${name}-[hash:8].js`, assetFileNames: `assets/${name}-[hash:8][extname]` },
        },
      },
    })
  return {
    name: 'balcao:customer-pages',
    apply: 'build',
    configResolved(config) {
      root = config.root
      dist = join(config.root, config.build.outDir)
    },
    closeBundle: {
      sequential: true,
      async handler() {
        const entry = join(root, 'src/chat/loader.ts')
        await build({
          ...shared(),
          build: {
            ...output(),
            lib: { entry, formats: ['iife'], name: 'balcaoChat', fileName: () => 'chat.js' },
          },
        })
        await buildPage('src/chat/frame.html', 'chat')
        await writeFile(join(dist, 'chat.html'), await readFile(join(dist, 'src/chat/frame.html')))
        await rm(join(dist, 'src'), { recursive: true })
        await buildPage('cardapio.html', 'cardapio')
      },
    },
  }
}
