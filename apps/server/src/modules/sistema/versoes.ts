import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

const PACOTES = join(import.meta.dirname, '..', '..', '..', '..', '..', 'node_modules')
/** Connector libraries. A library that is not installed is omitted. */
const BIBLIOTECAS = ['baileys', 'whatsapp-web.js'] as const

export interface Biblioteca {
  readonly nome: string
  readonly versao: string
}

/** Installed versions, not the ranges of `package.json`. */
export function lerConectores(): Biblioteca[] {
  return BIBLIOTECAS.flatMap((nome) => {
    try {
      const lido: unknown = JSON.parse(readFileSync(join(PACOTES, nome, 'package.json'), 'utf8'))
      return [{ nome, versao: z.object({ version: z.string() }).parse(lido).version }]
    } catch {
      return []
    }
  })
}
