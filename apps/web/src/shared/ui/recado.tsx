import { CircleAlert, CircleCheck, Clock, Info } from 'lucide-react'
import type { ReactNode } from 'react'

export type TomDoRecado = 'sucesso' | 'espera' | 'info' | 'erro'

const ICONE = { sucesso: CircleCheck, espera: Clock, info: Info, erro: CircleAlert } as const
const COR = {
  sucesso: 'bg-brand-soft text-brand-ink',
  espera: 'bg-warn-soft text-warn-ink',
  info: 'bg-info-soft text-info-ink',
  erro: 'bg-danger-soft text-danger-ink',
} as const

export interface RecadoProps {
  readonly tom: TomDoRecado
  readonly titulo: ReactNode
  readonly children?: ReactNode
}

/** A notice that stays on the page. Screen readers announce an error immediately and the rest politely. */
export function Recado({ tom, titulo, children }: RecadoProps) {
  const Icone = ICONE[tom]
  return (
    <div role={tom === 'erro' ? 'alert' : 'status'} className={`rise flex gap-3 rounded-card p-4 ${COR[tom]}`}>
      <Icone size={20} aria-hidden className="mt-px flex-none" />
      <div className="min-w-0">
        <p className="font-bold">{titulo}</p>
        {children !== undefined && <div className="mt-1 text-sm">{children}</div>}
      </div>
    </div>
  )
}
