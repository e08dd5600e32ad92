import type { CorSetor } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import clsx from 'clsx'
import type { CSSProperties } from 'react'

const MATIZ: Readonly<Record<CorSetor, number>> = {
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

export function estiloDaCor(cor: CorSetor): CSSProperties {
  const cinza = cor === 'gray'
  const estilo: CSSProperties & Record<'--h' | '--c' | '--tc' | '--pc', number | undefined> = {
    '--h': MATIZ[cor],
    '--c': cinza ? 0.008 : undefined,
    '--tc': cinza ? 0.015 : undefined,
    '--pc': cinza ? 0.015 : 0.14,
  }
  return estilo
}

const PONTO = 'rounded-full bg-[oklch(0.6_var(--pc)_var(--h))]'

export function Ponto({ cor, className }: { cor: CorSetor; className: string }) {
  return <span aria-hidden className={clsx(PONTO, className)} style={estiloDaCor(cor)} />
}

export function ChipDoSetor({ setor }: { setor: Pick<Setor, 'nome' | 'cor'> }) {
  return (
    <span className="chip max-w-full" style={estiloDaCor(setor.cor)}>
      <span className="truncate">{setor.nome}</span>
    </span>
  )
}
