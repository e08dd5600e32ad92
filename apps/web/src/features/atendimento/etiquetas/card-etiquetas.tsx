import { useEtiquetasOf } from '#shared/data/contatos/etiquetas.ts'
import { EtiquetaChip } from './etiqueta-chip.tsx'

/** The etiquetas of the customer in a card of the list. */
export function CardEtiquetas({ ids }: { readonly ids: readonly string[] }) {
  return useEtiquetasOf(ids).map((etiqueta) => <EtiquetaChip key={etiqueta.id} etiqueta={etiqueta} />)
}
