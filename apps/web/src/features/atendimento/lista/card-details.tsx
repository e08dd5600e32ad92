import type { Conversa } from '@balcao/contract/entities/conversa'
import { EtiquetaChip } from '#features/atendimento/etiquetas/etiqueta-chip.tsx'
import { useEtiquetasOf } from '#shared/data/contatos/etiquetas.ts'
import { endReasonOf } from '#features/atendimento/detalhes/end-reason.ts'

export function CardDetails({ conversa }: { readonly conversa: Conversa }) {
  const { etiquetas = [] } = conversa
  const reason = endReasonOf(conversa)
  return (
    <>
      {reason !== undefined && <span className="min-w-0 truncate text-muted">{reason}</span>}
      {etiquetas.length > 0 && <CardEtiquetas ids={etiquetas} />}
    </>
  )
}

function CardEtiquetas({ ids }: { readonly ids: readonly string[] }) {
  return useEtiquetasOf(ids).map((etiqueta) => <EtiquetaChip key={etiqueta.id} etiqueta={etiqueta} />)
}
