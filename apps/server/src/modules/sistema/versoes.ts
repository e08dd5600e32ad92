import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

const PACOTES = join(import.meta.dirname, '..', '..', '..', '..', '..', 'node_modules')
/** Whatever speaks with a messaging service; one that is not installed is not shown. */
const BIBLIOTECAS = ['baileys', 'whatsapp-web.js'] as const

export interface Biblioteca {
  readonly nome: string
  readonly versao: string
}

/** As installed, not as asked for. */
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
