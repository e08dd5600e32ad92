import type { Usuario } from '@balcao/contract/entities/usuario'
import { usarZona, ZONA_PADRAO } from './zona.ts'

/** What the browser keeps of a session (spec §3): the token, and the user as JSON. */

const TOKEN = 'token'
const USER = 'user'

export interface StoredSession {
  readonly token: string
  readonly usuario: Usuario
}

/** The stored session, or null. A user that cannot be read clears both (spec §4). */
export function readSession(): StoredSession | null {
  const token = localStorage.getItem(TOKEN)
  const user = localStorage.getItem(USER)
  if (token === null || user === null) return null
  const usuario = parseUser(user)
  if (usuario === null) {
    clearSession()
    return null
  }
  return { token, usuario }
}

function parseUser(texto: string): Usuario | null {
  try {
    const lido: unknown = JSON.parse(texto)
    return isUsuario(lido) ? lido : null
  } catch {
    return null
  }
}

/** Enough to draw the first screen with; the server's own copy replaces it right after. */
function isUsuario(valor: unknown): valor is Usuario {
  if (typeof valor !== 'object' || valor === null) return false
  const campos = new Map<string, unknown>(Object.entries(valor))
  return ['id', 'contaId', 'nome', 'email', 'tipo'].every((campo) => typeof campos.get(campo) === 'string')
}

export function writeSession({ token, usuario }: StoredSession): void {
  localStorage.setItem(USER, JSON.stringify(usuario))
  // Last: another tab reads both as soon as it hears of this one.
  localStorage.setItem(TOKEN, token)
}

/** Somebody left this tab: drafts go, and whatever a module remembers of a person goes with `saiu`. */
export function esquecerPessoa(): void {
  sessionStorage.clear()
  dispatchEvent(new Event('saiu'))
}

/** Forgets the session and the copies that belong to its account; the theme stays. */
export function clearSession(): void {
  usarZona(ZONA_PADRAO)
  for (const chave of Object.keys(localStorage)) {
    if (chave === TOKEN || chave === USER || chave.startsWith('copia:')) localStorage.removeItem(chave)
  }
  esquecerPessoa()
}

export function readToken(): string | null {
  return localStorage.getItem(TOKEN)
}
