import { WifiOff } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useOnline } from '#shared/hooks/use-online.ts'
import { useSocketState } from '#shared/realtime/socket.ts'
import { registerWorker } from './register-worker.ts'

/** Shorter outages appear only in the header. */
const TOLERANCE_MS = 5_000

function useServerUnreachable(): boolean {
  const socket = useSocketState()
  const since = socket.tipo === 'offline' ? socket.desde : null
  const [passou, setPassou] = useState<number | null>(null)
  useEffect(() => {
    if (since === null) return
    const timer = setTimeout(() => setPassou(since), since + TOLERANCE_MS - Date.now())
    return () => clearTimeout(timer)
  }, [since])
  return since !== null && passou === since
}

export function OfflineBar() {
  const online = useOnline()
  const semServidor = useServerUnreachable()
  useEffect(registerWorker, [])
  const range = useRef<HTMLDivElement>(null)
  const aVista = !online || semServidor
  // Full-height screens subtract the height of the bar.
  useLayoutEffect(() => {
    const target = range.current
    if (!aVista || target === null) return
    const root = document.documentElement.style
    const measure = new ResizeObserver(() => root.setProperty('--faixa', `${target.offsetHeight}px`))
    measure.observe(target)
    return () => {
      measure.disconnect()
      root.removeProperty('--faixa')
    }
  }, [aVista])
  if (!aVista) return null
  return (
    <div
      ref={range}
      role="status"
      className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-sm font-semibold text-warn-ink"
    >
      <WifiOff size={16} aria-hidden />
      {online ? 'Sem conexão com o servidor.' : 'Sem internet neste aparelho.'} O que você vê pode estar desatualizado.
    </div>
  )
}
