import { useEffect, useEffectEvent, useState } from 'react'

/** A longer expiry means that server and browser clocks differ, so no countdown is shown. */
const MAIOR_ESPERA_S = 300

function faltamS(expiraEm: string): number {
  return Math.ceil((Date.parse(expiraEm) - Date.now()) / 1000)
}

function doQr(faltam: number): string {
  return faltam > 0 ? `Novo código em ${faltam} s` : 'Atualizando o código…'
}

export interface ContagemDoQrProps {
  readonly expiraEm: string
  readonly onVenceu: () => void
  readonly diz?: (faltam: number) => string
}

/** Remaining seconds of a code. Pass the code as `key`, so that the ring restarts. */
export function ContagemDoQr({ expiraEm, onVenceu, diz = doQr }: ContagemDoQrProps) {
  const [total] = useState(() => faltamS(expiraEm))
  const [faltam, setFaltam] = useState(total)
  const vencer = useEffectEvent(onVenceu)

  useEffect(() => {
    const relogio = setInterval(() => {
      const agora = faltamS(expiraEm)
      setFaltam(Math.max(0, agora))
      if (agora > 0) return
      clearInterval(relogio)
      vencer()
    }, 1000)
    return () => clearInterval(relogio)
  }, [expiraEm])

  if (total <= 0 || total > MAIOR_ESPERA_S) return null
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
      {diz(faltam)}
    </p>
  )
}
