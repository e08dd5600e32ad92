import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type InlineConfig, type Plugin } from 'vite'

/**
 * Builds the chat on the site beside the panel: `chat.js`, which the site loads, and the page `chat.html` of the frame.
 * They share no file with the panel, so a visitor loads nothing of it.
 */
export function chat(): Plugin {
  let root = ''
  let dist = ''
  const shared = (): InlineConfig => ({ root, configFile: false, publicDir: false, logLevel: 'warn' })
  const output = (): NonNullable<InlineConfig['build']> => ({
    ...{ outDir: dist, emptyOutDir: false, target: 'es2022', modulePreload: false },
  })
  return {
    name: 'balcao:chat',
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
        await build({
          ...shared(),
          build: {
            ...output(),
            rolldownOptions: {
              input: join(root, 'src/chat/frame.html'),
              output: { entryFileNames: 'assets/chat-[hash:8].js', assetFileNames: 'assets/chat-[hash:8][extname]' },
            },
          },
        })
        const built = join(dist, 'src/chat/frame.html')
        await writeFile(join(dist, 'chat.html'), await readFile(built))
        await rm(join(dist, 'src'), { recursive: true })
      },
    },
  }
}
