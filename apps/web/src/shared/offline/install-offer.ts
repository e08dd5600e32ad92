import { useSyncExternalStore } from 'react'

interface InstallOffer extends Event {
  readonly prompt: () => Promise<unknown>
}

const isOffer = (event: unknown): event is InstallOffer =>
  event instanceof Event && 'prompt' in event && typeof event.prompt === 'function'

/** `main.tsx` keeps the offer that came before this file. */
const kept: unknown = Reflect.get(globalThis, 'installOffer')
let offer = isOffer(kept) ? kept : null
const listeners = new Set<() => void>()

function keep(next: InstallOffer | null): void {
  offer = next
  for (const listener of listeners) listener()
}

addEventListener('beforeinstallprompt', (event) => {
  if (!isOffer(event)) return
  event.preventDefault()
  keep(event)
})
addEventListener('appinstalled', () => keep(null))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Asks the person to install the panel. Null: the browser does not offer it, or the panel is installed. */
export function useInstall(): (() => void) | null {
  const current = useSyncExternalStore(subscribe, () => offer)
  if (current === null) return null
  return () => {
    // An offer works once.
    keep(null)
    void current.prompt()
  }
}
