import clsx from 'clsx'
import { Star } from 'lucide-react'

const oneDecimal = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** For example `4,3`. */
export const formatNota = (note: number): string => oneDecimal.format(note)

/** Index is the rating, 0 to 5. */
export const NOTA_WORDS = ['Péssimo', 'Muito ruim', 'Ruim', 'Regular', 'Bom', 'Ótimo'] as const

export function notaWord(note: number): string {
  return NOTA_WORDS[Math.round(note)] ?? ''
}

const FIVE_STARS = [0, 1, 2, 3, 4] as const

export interface StarsProps {
  readonly nota: number
  readonly size?: number
  readonly className?: string
}

export function Stars({ nota, size = 16, className }: StarsProps) {
  const row = FIVE_STARS.map((star) => (
    <Star key={star} size={size} fill="currentColor" strokeWidth={0} className="flex-none" />
  ))
  return (
    <span aria-hidden className={clsx('relative inline-flex flex-none', className)}>
      <span className="flex text-line">{row}</span>
      <span
        className="absolute inset-y-0 left-0 flex overflow-hidden text-warn-fill"
        style={{ width: `${nota * 20}%` }}
      >
        {row}
      </span>
    </span>
  )
}
