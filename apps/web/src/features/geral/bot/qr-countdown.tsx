import { useEffect, useEffectEvent, useState } from 'react'

/** A longer expiry means that server and browser clocks differ, so no countdown is shown. */
const COUNTDOWN_MAX_S = 300

function secondsLeft(expiraEm: string): number {
  return Math.ceil((Date.parse(expiraEm) - Date.now()) / 1000)
}

function qrText(faltam: number): string {
  return faltam > 0 ? `Novo código em ${faltam} s` : 'Atualizando o código…'
}

export interface QrCountdownProps {
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
