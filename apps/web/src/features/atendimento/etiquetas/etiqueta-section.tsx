import type { Conversa } from '@balcao/contract/entities/conversa'
import { Plus, X } from 'lucide-react'
import { lazy, useState } from 'react'
import { useEtiquetasOf } from '#shared/data/contatos/etiquetas.ts'
import { Button } from '#shared/ui/button.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { EtiquetaChip } from './etiqueta-chip.tsx'
import { useConversaEtiquetas } from './use-conversa-etiquetas.ts'

const EtiquetaDialog = lazy(async () => ({ default: (await import('./etiqueta-dialog.tsx')).EtiquetaDialog }))

/** The etiquetas of the customer, with buttons that add and remove. */
export function EtiquetaSection({ conversa }: { conversa: Conversa }) {
  const chosen = useConversaEtiquetas(conversa)
  const etiquetas = useEtiquetasOf(chosen.ids)
  const [choosing, setChoosing] = useState(false)
  if (conversa.contatoId === undefined) return null
  return (
    <section aria-labelledby="etiquetas-do-cliente">
      <h3 id="etiquetas-do-cliente" className="text-sm text-muted">
        Etiquetas
      </h3>
      <div className="mt-1 flex flex-wrap items-center gap-1 pointer-coarse:gap-x-2 pointer-coarse:gap-y-3 pointer-coarse:[&_.chip]:min-h-8">
        {etiquetas.map((etiqueta) => (
          <EtiquetaChip key={etiqueta.id} etiqueta={etiqueta}>
            <button
              type="button"
              aria-label={`Tirar a etiqueta ${etiqueta.nome}`}
              className="relative -mr-1.5 grid size-6 flex-none place-items-center rounded-md hover:bg-surface pointer-coarse:before:absolute pointer-coarse:before:-inset-2.5"
              onClick={() => chosen.toggle(etiqueta.id)}
            >
              <X size={13} aria-hidden />
            </button>
          </EtiquetaChip>
        ))}
        <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
          <Plus size={14} aria-hidden /> Etiqueta
        </Button>
      </div>
      {choosing && (
        <LazyPart name="as etiquetas">
          <EtiquetaDialog cliente={conversa.cliente.nome} chosen={chosen} onClose={() => setChoosing(false)} />
        </LazyPart>
      )}
    </section>
  )
}
