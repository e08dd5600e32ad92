import { useSyncExternalStore } from 'react'

/** Texts written without a connection. They stay on the device, also over a reload, until the server has them. */

const KEY = 'textos-em-espera'

export interface WaitingText {
  /** Id of the client. The server stores a repeated id once. */
  readonly id: string
  readonly conversaId: string
  readonly texto: string
  readonly citadaId?: string
  readonly timestamp: string
  /** The person who had the conversa. Empty: no person. */
  readonly operadorId: string
  /** Server time of the last mensagem that the person saw. */
  readonly vista: string
  /** Why the person must confirm the text again. */
  readonly conferir?: string
}

const REQUIRED = ['id', 'conversaId', 'texto', 'timestamp', 'operadorId', 'vista']

function isWaiting(value: unknown): value is WaitingText {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return REQUIRED.every((field) => typeof fields.get(field) === 'string')
}

let cached: { readonly raw: string; readonly list: readonly WaitingText[] } = { raw: '', list: [] }
const listeners = new Set<() => void>()

const notifyListeners = (): void => {
  for (const listener of listeners) listener()
}
// Another person may log in on this device.
addEventListener('saiu', () => {
  localStorage.removeItem(KEY)
  notifyListeners()
})
addEventListener('storage', ({ key }) => {
  if (key === KEY) notifyListeners()
})

function parse(raw: string): readonly WaitingText[] {
  try {
    const read: unknown = JSON.parse(raw)
    return Array.isArray(read) ? read.filter(isWaiting) : []
  } catch {
    return []
  }
}

export function waitingTexts(): readonly WaitingText[] {
  const raw = localStorage.getItem(KEY) ?? '[]'
  if (raw !== cached.raw) cached = { raw, list: parse(raw) }
  return cached.list
}

function write(list: readonly WaitingText[]): void {
  if (list.length === 0) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify(list))
  notifyListeners()
}

export function addWaiting(text: WaitingText): void {
  write([...waitingTexts(), text])
}

export function changeWaiting(id: string, change: (text: WaitingText) => WaitingText | null): void {
  write(waitingTexts().flatMap((text) => (text.id === id ? (change(text) ?? []) : text)))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useWaitingTexts(): readonly WaitingText[] {
  return useSyncExternalStore(subscribe, waitingTexts)
}
