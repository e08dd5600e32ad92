import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONNECTORS } from '@balcao/contract/connectors'
import * as z from 'zod/mini'

const PACKAGES_DIR = join(import.meta.dirname, '..', '..', '..', '..', '..', 'node_modules')

export interface InstalledLibrary {
  readonly nome: string
  readonly versao: string
}

/** Installed versions of connector libraries, not the ranges of `package.json`. A missing library is omitted. */
export function readConnectorVersions(): InstalledLibrary[] {
  return Object.values(CONNECTORS).flatMap(({ library: nome }) => {
    if (nome === null) return []
    try {
      const parsed: unknown = JSON.parse(readFileSync(join(PACKAGES_DIR, nome, 'package.json'), 'utf8'))
      return [{ nome, versao: z.object({ version: z.string() }).parse(parsed).version }]
    } catch {
      return []
    }
  })
}
