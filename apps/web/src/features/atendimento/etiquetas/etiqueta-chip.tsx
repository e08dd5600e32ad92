import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import type { ReactNode } from 'react'
import { hueStyle } from '#shared/ui/setor-chip.tsx'

interface EtiquetaChipProps {
  readonly etiqueta: Pick<Etiqueta, 'nome' | 'cor'>
  readonly children?: ReactNode
}

/** Angular, unlike the round chips of setor and status. */
export function EtiquetaChip({ etiqueta, children }: EtiquetaChipProps) {
  return (
    <span className="chip max-w-full min-w-0 rounded-md" style={hueStyle(etiqueta.cor)}>
      <span className="sr-only">Etiqueta </span>
      <span className="truncate">{etiqueta.nome}</span>
      {children}
    </span>
  )
}
