import { Maximize2 } from 'lucide-react'
import { useState, useEffect, useEffectEvent } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { encode } from 'uqr'

/** Quiet zone: QR scanners need 4 light modules. */
const MARGIN = 4

/** Draws the code as one path, one subpath per run of dark modules. The border is part of the coordinates. */
function qrPath(text: string): { lado: number; d: string } {
  const { data, size } = encode(text, { ecc: 'L', border: MARGIN })
  let d = ''
  for (let y = 0; y < size; y++) {
    let start = -1
    for (let x = 0; x <= size; x++) {
      const dark = x < size && data[y]?.[x] === true
      if (dark && start < 0) start = x
      if (!dark && start >= 0) {
        d += `M${start} ${y}h${x - start}v1h${start - x}z`
        start = -1
      }
    }
  }
  return { lado: size, d }
}

/** Always dark on white, also in the dark theme: phones cannot scan inverted codes. */
function QrSvg({ texto, className }: { texto: string; className?: string }) {
  if (texto.startsWith('data:image/')) return <img src={texto} alt="QR Code" className={className} />
  const { lado, d } = qrPath(texto)
  return (
    <svg
      role="img"
      aria-label="QR Code"
      viewBox={`0 0 ${lado} ${lado}`}
      className={className}
      shapeRendering="crispEdges"
      style={{ background: '#fff', forcedColorAdjust: 'none' }}
    >
      <path d={d} fill="#000" />
    </svg>
  )
}

function FullScreenQr({ texto }: { texto: string }) {
  const [aberta, setAberta] = useState(false)
  return (
    <>
      <Button size="sm" onClick={() => setAberta(true)}>
        <Maximize2 aria-hidden className="size-4" /> Tela grande
      </Button>
      <Dialog open={aberta} title="Escaneie o código" width="xl" onClose={() => setAberta(false)}>
        <QrSvg texto={texto} className="mx-auto size-[min(100%,72dvh)] rounded-xl" />
      </Dialog>
    </>
  )
}

interface QrCodeProps {
  readonly text: string
  readonly expiraEm?: string | undefined
  readonly onExpired: () => void
}

export function QrCodeView({ text, expiraEm, onExpired }: QrCodeProps) {
  return (
    <>
      <QrSvg texto={text} className="mx-auto w-full max-w-64 min-w-52 rounded-xl" />
      <div className="flex flex-wrap items-center justify-center gap-3">
        {expiraEm !== undefined && <QrCountdown key={text} expiraEm={expiraEm} onExpired={onExpired} />}
        <FullScreenQr texto={text} />
      </div>
    </>
  )
}

/** A longer expiry means that server and browser clocks differ, so no countdown is shown. */
const COUNTDOWN_MAX_S = 300

function secondsLeft(expiraEm: string): number {
  return Math.ceil((Date.parse(expiraEm) - Date.now()) / 1000)
}

function qrText(faltam: number): string {
  return faltam > 0 ? `Novo código em ${faltam} s` : 'Atualizando o código…'
}

interface QrCountdownProps {
  readonly expiraEm: string
  readonly onExpired: () => void
  readonly describe?: (faltam: number) => string
}

/** Remaining seconds of a code. Pass the code as `key`, so that the ring restarts. */
export function QrCountdown({ expiraEm, onExpired, describe = qrText }: QrCountdownProps) {
  const [total] = useState(() => secondsLeft(expiraEm))
  const [faltam, setFaltam] = useState(total)
  const expire = useEffectEvent(onExpired)

  useEffect(() => {
    const timer = setInterval(() => {
      const agora = secondsLeft(expiraEm)
      setFaltam(Math.max(0, agora))
      if (agora > 0) return
      clearInterval(timer)
      expire()
    }, 1000)
    return () => clearInterval(timer)
  }, [expiraEm])

  if (total <= 0 || total > COUNTDOWN_MAX_S) return null
  return (
    <p role="timer" className="flex items-center gap-2 text-sm text-muted tabular-nums">
      <svg aria-hidden viewBox="0 0 20 20" className="size-5 -rotate-90">
        <circle cx="10" cy="10" r="8" fill="none" strokeWidth="3" className="stroke-line" />
        <circle
          cx="10"
          cy="10"
          r="8"
          fill="none"
          strokeWidth="3"
          pathLength={total}
          strokeDasharray={`${faltam} ${total}`}
          className="stroke-brand"
        />
      </svg>
      {describe(faltam)}
    </p>
  )
}
