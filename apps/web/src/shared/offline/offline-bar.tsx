import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

const subscribe = (ouvinte: () => void): (() => void) => {
  addEventListener('online', ouvinte)
  addEventListener('offline', ouvinte)
  return () => {
    removeEventListener('online', ouvinte)
    removeEventListener('offline', ouvinte)
  }
}

/** Across the top while the device has no network at all. */
export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (online) return null
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-sm font-semibold text-warn-ink"
    >
      <WifiOff size={16} aria-hidden />
      Sem internet neste aparelho. O que você vê pode estar desatualizado.
    </div>
  )
}
