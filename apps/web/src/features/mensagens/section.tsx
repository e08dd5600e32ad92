import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

export interface SectionProps {
  readonly id?: string
  readonly title: string
  readonly summary: string
  readonly open?: boolean
  readonly children: ReactNode
}

export function Section({ id, title, summary: resumo, open: aberta = false, children }: SectionProps) {
  return (
    <details id={id} open={aberta} className="card group">
      <summary className="flex items-center gap-3 rounded-card px-4 py-4 sm:px-5">
        <h2 className="mr-auto text-lg font-bold">{title}</h2>
        <span className="text-sm whitespace-nowrap text-muted max-[400px]:hidden">{resumo}</span>
        <ChevronDown
          size={20}
          aria-hidden
          className="flex-none text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="px-4 pb-5 sm:px-5">{children}</div>
    </details>
  )
}
