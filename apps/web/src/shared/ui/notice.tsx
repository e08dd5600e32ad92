import { CircleAlert, CircleCheck, Clock, Info } from 'lucide-react'
import type { ReactNode } from 'react'

export type NoticeTone = 'sucesso' | 'espera' | 'info' | 'erro'

const ICON = { sucesso: CircleCheck, espera: Clock, info: Info, erro: CircleAlert } as const
const COLOR = {
  sucesso: 'bg-brand-soft text-brand-ink',
  espera: 'bg-warn-soft text-warn-ink',
  info: 'bg-info-soft text-info-ink',
  erro: 'bg-danger-soft text-danger-ink',
} as const

export interface NoticeProps {
  readonly tone: NoticeTone
  readonly title: ReactNode
  readonly children?: ReactNode
}

/** A notice that stays on the page. Screen readers announce an error immediately and the rest politely. */
export function Notice({ tone, title, children }: NoticeProps) {
  const Icone = ICON[tone]
  return (
    <div role={tone === 'erro' ? 'alert' : 'status'} className={`rise flex gap-3 rounded-card p-4 ${COLOR[tone]}`}>
      <Icone size={20} aria-hidden className="mt-px flex-none" />
      <div className="min-w-0">
        <p className="font-bold">{title}</p>
        {children !== undefined && <div className="mt-1 text-sm">{children}</div>}
      </div>
    </div>
  )
}
