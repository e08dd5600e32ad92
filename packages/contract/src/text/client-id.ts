import { foldAccents } from './fold-accents.ts'

const CLIENT_ID_MAX = 60
const FALLBACK = 'loja'

/** Name of the connection made from the company's name: 'Padaria São João' is `padaria-sao-joao`. */
export function clientIdOf(empresa: string): string {
  const words = foldAccents(empresa).match(/[a-z0-9]+/g) ?? []
  const id = words.join('-').slice(0, CLIENT_ID_MAX).replace(/-$/, '')
  return id === '' ? FALLBACK : id
}
