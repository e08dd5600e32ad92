import { WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useEstadoSocket } from '#shared/socket.ts'
import { registrarWorker } from './worker.ts'

const subscribe = (ouvinte: () => void): (() => void) => {
  addEventListener('online', ouvinte)
  addEventListener('offline', ouvinte)
  return () => {
    removeEventListener('online', ouvinte)
    removeEventListener('offline', ouvinte)
  }
}

/** A loss shorter than this is the header's to tell. */
const TOLERANCIA_MS = 5_000

/** The server has not been heard for a while. */
function useSemServidor(): boolean {
  const socket = useEstadoSocket()
  const desde = socket.tipo === 'offline' ? socket.desde : null
  const [passou, setPassou] = useState<number | null>(null)
  useEffect(() => {
    if (desde === null) return
    const relogio = setTimeout(() => setPassou(desde), desde + TOLERANCIA_MS - Date.now())
    return () => clearTimeout(relogio)
  }, [desde])
  return desde !== null && passou === desde
}

/** Across the top while there is no network, or no server at its other end. */
export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const semServidor = useSemServidor()
  useEffect(registrarWorker, [])
  if (online && !semServidor) return null
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-sm font-semibold text-warn-ink"
    >
      <WifiOff size={16} aria-hidden />
      {online ? 'Sem conexão com o servidor.' : 'Sem internet neste aparelho.'} O que você vê pode estar desatualizado.
    </div>
  )
}
