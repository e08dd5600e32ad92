import { Wifi, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { EstadoSocket } from '#shared/socket.ts'
import { Chip } from '#shared/ui/chip.tsx'

/** For the first 5 s of a lost connection the chip shows no seconds. */
const RECONECTANDO_S = 5

/** `há 20 s`, then minutes and hours. */
export function duracaoEmPalavras(segundos: number): string {
  if (segundos < 60) return `${segundos} s`
  return segundos < 3600 ? `${Math.floor(segundos / 60)} min` : `${Math.floor(segundos / 3600)} h`
}

function Reconectando({ desde }: { desde: number }) {
  const [agora, setAgora] = useState(() => Date.now())
  useEffect(() => {
    const relogio = setInterval(() => setAgora(Date.now()), 1000)
    return () => clearInterval(relogio)
  }, [])
  const segundos = Math.max(0, Math.floor((agora - desde) / 1000))
  const offline = segundos >= RECONECTANDO_S
  return (
    <Chip tom={offline ? 'vermelho' : 'amarelo'} className="tabular-nums">
      <WifiOff aria-hidden className="size-3.5" />
      {offline ? `Offline há ${duracaoEmPalavras(segundos)}` : 'Reconectando…'}
    </Chip>
  )
}

export function ChipConexao({ socket }: { socket: EstadoSocket }) {
  if (socket.tipo === 'offline') return <Reconectando desde={socket.desde} />
  const online = socket.tipo === 'online'
  return (
    <Chip tom={online ? 'verde' : 'cinza'}>
      <Wifi aria-hidden className="size-3.5" /> {online ? 'Online' : 'Conectando…'}
    </Chip>
  )
}
