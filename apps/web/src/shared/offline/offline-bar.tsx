import { WifiOff } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSocketState } from '#shared/socket.ts'
import { registerWorker } from './worker.ts'

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Shorter outages appear only in the header. */
const TOLERANCE_MS = 5_000

function useServerUnreachable(): boolean {
  const socket = useSocketState()
  const desde = socket.tipo === 'offline' ? socket.desde : null
  const [passou, setPassou] = useState<number | null>(null)
  useEffect(() => {
    if (desde === null) return
    const relogio = setTimeout(() => setPassou(desde), desde + TOLERANCE_MS - Date.now())
    return () => clearTimeout(relogio)
  }, [desde])
  return desde !== null && passou === desde
}

export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const semServidor = useServerUnreachable()
  useEffect(registerWorker, [])
  const faixa = useRef<HTMLDivElement>(null)
  const aVista = !online || semServidor
  // Full-height screens subtract the height of the bar.
  useLayoutEffect(() => {
    const alvo = faixa.current
    if (!aVista || alvo === null) return
    const raiz = document.documentElement.style
    const medir = new ResizeObserver(() => raiz.setProperty('--faixa', `${alvo.offsetHeight}px`))
    medir.observe(alvo)
    return () => {
      medir.disconnect()
      raiz.removeProperty('--faixa')
    }
  }, [aVista])
  if (!aVista) return null
  return (
    <div
      ref={faixa}
      role="status"
      className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-sm font-semibold text-warn-ink"
    >
      <WifiOff size={16} aria-hidden />
      {online ? 'Sem conexão com o servidor.' : 'Sem internet neste aparelho.'} O que você vê pode estar desatualizado.
    </div>
  )
}
