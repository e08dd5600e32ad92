import clsx from 'clsx'
import type { CSSProperties, ReactNode } from 'react'

export type Tom = 'verde' | 'azul' | 'amarelo' | 'vermelho' | 'roxo' | 'laranja' | 'cinza'

const MATIZ: Readonly<Record<Tom, number>> = {
  verde: 155,
  azul: 250,
  amarelo: 88,
  vermelho: 25,
  roxo: 305,
  laranja: 55,
  cinza: 165,
}

export interface ChipProps {
  readonly tom?: Tom
  /** A dot before the text. Status is never shown by colour alone. */
  readonly ponto?: boolean
  readonly className?: string
  readonly children: ReactNode
}

export function Chip({ tom = 'cinza', ponto = false, className, children }: ChipProps) {
  const estilo: CSSProperties & Record<'--h' | '--c' | '--tc', number | undefined> = {
    '--h': MATIZ[tom],
    '--c': tom === 'cinza' ? 0.008 : undefined,
    '--tc': tom === 'cinza' ? 0.015 : undefined,
  }
  return (
    <span className={clsx('chip', className)} style={estilo}>
      {ponto && <span aria-hidden className="size-2 rounded-full bg-current" />}
      {children}
    </span>
  )
}
