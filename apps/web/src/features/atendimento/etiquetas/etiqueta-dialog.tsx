import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { CreateEtiqueta } from '#shared/selection/create-etiqueta.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { EtiquetaChip } from './etiqueta-chip.tsx'
import type { ConversaEtiquetas } from './use-conversa-etiquetas.ts'

function EtiquetaOptions({ etiquetas, chosen }: { etiquetas: readonly Etiqueta[]; chosen: ConversaEtiquetas }) {
  if (etiquetas.length === 0) return <p className="text-muted">Nenhuma etiqueta ainda. Crie a primeira abaixo.</p>
  return (
    <ul className="-mx-2 max-h-72 overflow-y-auto">
      {etiquetas.map((etiqueta) => (
        <li key={etiqueta.id}>
          <label className="flex min-h-11 items-center gap-3 rounded-lg px-2 hover:bg-sunken">
            <input
              type="checkbox"
              className="size-5 flex-none accent-brand"
              checked={chosen.ids.includes(etiqueta.id)}
              onChange={() => chosen.toggle(etiqueta.id)}
            />
            <EtiquetaChip etiqueta={etiqueta} />
          </label>
        </li>
      ))}
    </ul>
  )
}

interface EtiquetaDialogProps {
  readonly cliente: string
  readonly chosen: ConversaEtiquetas
  readonly onClose: () => void
}

export function EtiquetaDialog({ cliente, chosen, onClose }: EtiquetaDialogProps) {
  const query = useEtiquetas()
  return (
    <Dialog open title={`Etiquetas de ${cliente}`} onClose={onClose}>
      <QueryState query={query} skeleton={<Skeleton className="h-32 w-full" />}>
        {(etiquetas) => <EtiquetaOptions etiquetas={etiquetas} chosen={chosen} />}
      </QueryState>
      <CreateEtiqueta onCreated={({ id }) => chosen.toggle(id)} />
    </Dialog>
  )
}
