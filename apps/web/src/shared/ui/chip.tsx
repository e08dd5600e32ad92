import clsx from 'clsx'
import type { CSSProperties, ReactNode } from 'react'

export type ChipTone = 'verde' | 'azul' | 'amarelo' | 'vermelho' | 'roxo' | 'laranja' | 'cinza'

const HUE: Readonly<Record<ChipTone, number>> = {
  verde: 155,
  azul: 250,
  amarelo: 88,
  vermelho: 25,
  roxo: 305,
  laranja: 55,
  cinza: 165,
}

export interface ChipProps {
  readonly tone?: ChipTone
  /** A dot before the text. Status is never shown by colour alone. */
  readonly dot?: boolean
  readonly className?: string
  readonly children: ReactNode
}

export function Chip({ tone = 'cinza', dot = false, className, children }: ChipProps) {
  const estilo: CSSProperties & Record<'--h' | '--c' | '--tc', number | undefined> = {
    '--h': HUE[tone],
    '--c': tone === 'cinza' ? 0.008 : undefined,
    '--tc': tone === 'cinza' ? 0.015 : undefined,
  }
  return (
    <span className={clsx('chip', className)} style={estilo}>
      {dot && <span aria-hidden className="size-2 rounded-full bg-current" />}
      {children}
    </span>
  )
}
