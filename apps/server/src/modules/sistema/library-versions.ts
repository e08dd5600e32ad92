import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

const PACKAGES_DIR = join(import.meta.dirname, '..', '..', '..', '..', '..', 'node_modules')
/** Connector libraries. A library that is not installed is omitted. */
const LIBRARIES = ['baileys', 'whatsapp-web.js'] as const

export interface InstalledLibrary {
  readonly nome: string
  readonly versao: string
}

/** Installed versions, not the ranges of `package.json`. */
export function readConnectorVersions(): InstalledLibrary[] {
  return LIBRARIES.flatMap((nome) => {
    try {
      const parsed: unknown = JSON.parse(readFileSync(join(PACKAGES_DIR, nome, 'package.json'), 'utf8'))
      return [{ nome, versao: z.object({ version: z.string() }).parse(parsed).version }]
    } catch {
      return []
    }
  })
}
