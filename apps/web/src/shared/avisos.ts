import { AVISO } from '@balcao/contract/constants'
import { useSyncExternalStore } from 'react'

/** Short notices, also kept in the Central de avisos. The toast library loads after the first paint. */
const library = async () => (await import('react-hot-toast/headless')).default

export type AvisoTipo = 'sucesso' | 'erro' | 'info' | 'carregando'

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
  readonly replaces?: string
}

let avisoHistory: readonly Aviso[] = []
let unread = 0
const listeners = new Set<() => void>()

function changed(): void {
  for (const listener of listeners) listener()
}

function show(tipo: AvisoTipo, text: string, duration: number, { action, replaces }: NotifyOptions): string {
  const id = replaces ?? crypto.randomUUID()
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
  const others = avisoHistory.filter((other) => other.id !== id)
  const equal = others.find((other) => other.tipo === tipo && other.text === text && other.action === undefined)
  if (equal !== undefined && action === undefined) dismissAviso(equal.id)
  avisoHistory = [fresh, ...others].slice(0, AVISO.limite)
  if (replaces === undefined) unread += 1
  changed()
  void library().then((toast) => toast.custom(text, { id, duration }), keptAnyway)
  return id
}

const notifierFor =
  (tipo: AvisoTipo, defaultMs: number) =>
  (text: string, { durationMs = defaultMs, ...options }: NotifyOptions = {}): string =>
    show(tipo, text, durationMs, options)

/** Default durations: success 3 s, error 5 s, info 4 s. `carregando` stays until another notice replaces it. */
export const notify = {
  sucesso: notifierFor('sucesso', AVISO.sucessoMs),
  erro: notifierFor('erro', AVISO.erroMs),
  info: notifierFor('info', AVISO.infoMs),
  carregando: notifierFor('carregando', Infinity),
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

export function useAvisos(): readonly Aviso[] {
  return useSyncExternalStore(subscribe, () => avisoHistory)
}

export function useUnreadAvisos(): number {
  return useSyncExternalStore(
    subscribe,
    () => unread,
    () => 0,
  )
}
