import type { CorSetor } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import clsx from 'clsx'
import type { CSSProperties } from 'react'

const HUE: Readonly<Record<CorSetor, number>> = {
  blue: 250,
  green: 155,
  yellow: 88,
  red: 25,
  purple: 305,
  pink: 350,
  indigo: 275,
  orange: 55,
  gray: 165,
}

export function hueStyle(color: CorSetor): CSSProperties {
  const cinza = color === 'gray'
  const estilo: CSSProperties & Record<'--h' | '--c' | '--tc' | '--pc', number | undefined> = {
    '--h': HUE[color],
    '--c': cinza ? 0.008 : undefined,
    '--tc': cinza ? 0.015 : undefined,
    '--pc': cinza ? 0.015 : 0.14,
  }
  return estilo
}

const DOT_CLASS = 'rounded-full bg-[oklch(0.6_var(--pc)_var(--h))]'

export function SetorDot({ cor, className }: { cor: CorSetor; className: string }) {
  return <span aria-hidden className={clsx(DOT_CLASS, className)} style={hueStyle(cor)} />
}

export function SetorNameChip({ setor }: { setor: Pick<Setor, 'nome' | 'cor'> }) {
  return (
    <span className="chip max-w-full" style={hueStyle(setor.cor)}>
      <span className="truncate">{setor.nome}</span>
    </span>
  )
}
