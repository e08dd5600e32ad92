import { AVISO } from '@balcao/contract/constants'
import { useSyncExternalStore } from 'react'

/** Short notices, also kept in the Central de avisos. The toast library loads after the first paint. */
const library = async () => (await import('react-hot-toast/headless')).default

export type AvisoTipo = 'sucesso' | 'erro' | 'info'

export interface AvisoAction {
  readonly label: string
  readonly run: () => void
}

export interface Aviso {
  readonly id: string
  readonly tipo: AvisoTipo
  readonly text: string
  readonly at: number
  readonly action?: AvisoAction
}

interface NotifyOptions {
  readonly durationMs?: number
  readonly action?: AvisoAction
}

const KEPT = 20
let avisoHistory: readonly Aviso[] = []
let unread = 0
const listeners = new Set<() => void>()

function changed(): void {
  for (const listener of listeners) listener()
}

function show(tipo: AvisoTipo, text: string, durationMs: number, action?: AvisoAction): string {
  const id = crypto.randomUUID()
  const aviso: Aviso = { id, tipo, text, at: Date.now() }
  // Removes the action first, so that it runs only once.
  const runOnce = (): void => {
    avisoHistory = avisoHistory.map((other) => (other.id === id ? aviso : other))
    changed()
    dismissAviso(id)
    action?.run()
  }
  const fresh: Aviso = action === undefined ? aviso : { ...aviso, action: { ...action, run: runOnce } }
  // A repeated text replaces the notice on screen. Notices with an action are never merged.
  const equal = avisoHistory.find((other) => other.tipo === tipo && other.text === text && other.action === undefined)
  if (equal !== undefined && action === undefined) dismissAviso(equal.id)
  avisoHistory = [fresh, ...avisoHistory].slice(0, KEPT)
  unread += 1
  changed()
  void library().then((toast) => toast.custom(text, { id, duration: durationMs }), keptAnyway)
  return id
}

const notifierFor =
  (tipo: AvisoTipo, defaultMs: number) =>
  (text: string, { durationMs = defaultMs, action }: NotifyOptions = {}): string =>
    show(tipo, text, durationMs, action)

/** Default durations: success and info 3 s, error 5 s. */
export const notify = {
  sucesso: notifierFor('sucesso', AVISO.sucessoMs),
  erro: notifierFor('erro', AVISO.erroMs),
  info: notifierFor('info', AVISO.sucessoMs),
} as const

export function dismissAviso(id: string): void {
  void library().then((toast) => toast.dismiss(id), keptAnyway)
}

/** The next person in this browser must neither read nor undo the previous person's notices. */
addEventListener('saiu', () => {
  avisoHistory = []
  markAvisosRead()
})

/** The library did not load (offline). The notice is still in the Central. */
function keptAnyway(): void {}

export function markAvisosRead(): void {
  unread = 0
  changed()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The last 20 notices, newest first. */
export function useAvisos(): readonly Aviso[] {
  return useSyncExternalStore(subscribe, () => avisoHistory)
}

export function useUnreadAvisos(): number {
  return useSyncExternalStore(subscribe, () => unread)
}
