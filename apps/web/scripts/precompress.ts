import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt)$/
const MIN_BYTES = 1_024

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  const text = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }
  await writeFile(`${path}.br`, await toBrotli(bytes, { params: text }))
  await writeFile(`${path}.gz`, await toGzip(bytes, { level: 9 }))
}

/** Stores each file also as `.br` and `.gz`, so that the server compresses none per request. Runs on the written files. */
export function precompress(): Plugin {
  let dist = ''
  return {
    name: 'balcao:precompress',
    apply: 'build',
    configResolved({ root, build }) {
      dist = join(root, build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const names = await readdir(dist, { recursive: true })
        const paths = names
          .filter((name) => COMPRESSIBLE.test(name) && !name.startsWith('.'))
          .map((name) => join(dist, name))
        for (const path of paths) if ((await stat(path)).size >= MIN_BYTES) await compressFile(path)
      },
    },
  }
}
