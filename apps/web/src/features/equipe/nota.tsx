import clsx from 'clsx'
import { Star } from 'lucide-react'

const umaCasa = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** For example `4,3`. */
export const formatNota = (nota: number): string => umaCasa.format(nota)

/** Index is the rating, 0 to 5. */
export const PALAVRA_DA_NOTA = ['Péssimo', 'Muito ruim', 'Ruim', 'Regular', 'Bom', 'Ótimo'] as const

export function palavraDaNota(nota: number): string {
  return PALAVRA_DA_NOTA[Math.round(nota)] ?? ''
}

const CINCO = [0, 1, 2, 3, 4] as const

export interface EstrelasProps {
  readonly nota: number
  readonly tamanho?: number
  readonly className?: string
}

export function Estrelas({ nota, tamanho = 16, className }: EstrelasProps) {
  const fileira = CINCO.map((estrela) => (
    <Star key={estrela} size={tamanho} fill="currentColor" strokeWidth={0} className="flex-none" />
  ))
  return (
    <span aria-hidden className={clsx('relative inline-flex flex-none', className)}>
      <span className="flex text-line">{fileira}</span>
      <span
        className="absolute inset-y-0 left-0 flex overflow-hidden text-warn-fill"
        style={{ width: `${nota * 20}%` }}
      >
        {fileira}
      </span>
    </span>
  )
}
