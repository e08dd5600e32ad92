import type { Usuario } from '@balcao/contract/entities/usuario'
import { logFailure } from './log-failure.ts'
import { setContaZone, DEFAULT_ZONE } from './time-zone.ts'

const TOKEN = 'token'
const USER = 'user'
const COPY = 'copia:'
/** Hashes of tokens whose logout the server has not answered. */
export const PENDING_LOGOUTS = 'saidas'

type CopyName = 'config' | 'conversas'

export interface StoredSession {
  readonly token: string
  readonly usuario: Usuario
}

/** Returns the stored session, or null. An unreadable user clears the session. */
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

function parseUser(text: string): Usuario | null {
  try {
    const parsed: unknown = JSON.parse(text)
    if (!isUsuario(parsed)) throw new TypeError('field missing')
    return parsed
  } catch (error) {
    logFailure('stored user not read, session cleared', error)
    return null
  }
}

function isUsuario(value: unknown): value is Usuario {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return ['id', 'contaId', 'nome', 'email', 'tipo'].every((field) => typeof fields.get(field) === 'string')
}

export function writeSession({ token, usuario }: StoredSession): void {
  localStorage.setItem(USER, JSON.stringify(usuario))
  // Written last: another tab reads both when the token changes.
  localStorage.setItem(TOKEN, token)
}

/** A person left this tab: clears drafts, and modules clear their state on the event `saiu`. */
export function clearPersonState(): void {
  sessionStorage.clear()
  dispatchEvent(new Event('saiu'))
}

/** Clears the session and the copies of its account. The theme stays. */
export function clearSession(): void {
  setContaZone(DEFAULT_ZONE)
  for (const key of Object.keys(localStorage)) {
    if (key === TOKEN || key === USER || key.startsWith(COPY)) localStorage.removeItem(key)
  }
  clearPersonState()
}

const copyKey = (name: CopyName, contaId: string): string => `${COPY}${name}:${contaId}`

/** Stores a copy for opening without network. An answer that arrives after the logout stores nothing. */
export function storeCopy(name: CopyName, contaId: string, value: unknown): void {
  if (readSession()?.usuario.contaId !== contaId) return
  try {
    localStorage.setItem(copyKey(name, contaId), JSON.stringify(value))
  } catch {
    // Storage is full or blocked: only the copy is lost.
  }
}

export function readCopy(name: CopyName, contaId: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(copyKey(name, contaId)) ?? 'null')
  } catch {
    return null
  }
}

export function readToken(): string | null {
  return localStorage.getItem(TOKEN)
}
