import { Wifi, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SocketState } from '#shared/realtime/socket.ts'
import { Chip } from '#shared/ui/chip.tsx'

/** For the first 5 s of a lost connection the chip shows no seconds. */
const RECONNECTING_S = 5

/** `há 20 s`, then minutes and hours. */
export function formatOffline(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}

function Reconnecting({ desde }: { desde: number }) {
  const [agora, setAgora] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setAgora(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const segundos = Math.max(0, Math.floor((agora - desde) / 1000))
  const offline = segundos >= RECONNECTING_S
  return (
    <Chip tone={offline ? 'vermelho' : 'amarelo'} className="tabular-nums">
      <WifiOff aria-hidden className="size-3.5" />
      {offline ? `Offline há ${formatOffline(segundos)}` : 'Reconectando…'}
    </Chip>
  )
}

export function ConnectionChip({ socket }: { socket: SocketState }) {
  if (socket.tipo === 'offline') return <Reconnecting desde={socket.desde} />
  const online = socket.tipo === 'online'
  return (
    <Chip tone={online ? 'verde' : 'cinza'}>
      <Wifi aria-hidden className="size-3.5" /> {online ? 'Online' : 'Conectando…'}
    </Chip>
  )
}
