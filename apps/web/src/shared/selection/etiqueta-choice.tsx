import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { Dialog } from '#shared/ui/dialog.tsx'
import { SetorNameChip } from '#shared/ui/setor-chip.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { CreateEtiqueta } from './create-etiqueta.tsx'

export type EtiquetaAct = 'adicionar' | 'remover'

export type EtiquetaChange = Partial<Record<EtiquetaAct, string[]>> & { readonly nome: string }

interface EtiquetaChoiceProps {
  readonly title: string
  readonly acts: readonly EtiquetaAct[]
  /** The etiquetas of each chosen customer. */
  readonly held: readonly (readonly string[])[]
  readonly onChoose: (change: EtiquetaChange) => void
  readonly onClose: () => void
}

const HEADING: Readonly<Record<EtiquetaAct, string>> = { adicionar: 'Pôr', remover: 'Tirar' }

const EMPTY: Readonly<Record<EtiquetaAct, string>> = {
  adicionar: 'Nenhuma etiqueta ainda. Crie a primeira abaixo.',
  remover: 'Nenhum dos selecionados tem etiqueta.',
}

interface EtiquetaGroupProps {
  readonly act: EtiquetaAct
  readonly etiquetas: readonly Etiqueta[]
  readonly note: (id: string) => string
  readonly onChoose: (etiqueta: Etiqueta) => void
}

function EtiquetaGroup({ act, etiquetas, note, onChoose }: EtiquetaGroupProps) {
  if (etiquetas.length === 0) return <p className="text-muted">{EMPTY[act]}</p>
  return (
    <section aria-label={`${HEADING[act]} etiqueta`}>
      <h3 className="text-sm text-muted">{HEADING[act]}</h3>
      <ul className="-mx-2 max-h-72 overflow-y-auto">
        {etiquetas.map((etiqueta) => (
          <li key={etiqueta.id}>
            <button
              type="button"
              className="flex min-h-11 w-full items-center gap-3 rounded-lg px-2 text-left hover:bg-sunken"
              onClick={() => onChoose(etiqueta)}
            >
              <span className="sr-only">{HEADING[act]} </span>
              <SetorNameChip setor={etiqueta} />
              <span className="ml-auto flex-none text-sm text-muted tabular-nums">{note(etiqueta.id)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A choice acts immediately on all chosen customers. */
export function EtiquetaChoice({ title, acts, held, onChoose, onClose }: EtiquetaChoiceProps) {
  const query = useEtiquetas()
  const count = (id: string): number => held.filter((etiquetas) => etiquetas.includes(id)).length
  const note = (id: string): string => (count(id) === 0 ? '' : `${count(id)} de ${held.length}`)
  const choose = (act: EtiquetaAct, { id, nome }: Pick<Etiqueta, 'id' | 'nome'>): void => {
    onClose()
    onChoose({ nome, ...(act === 'adicionar' ? { adicionar: [id] } : { remover: [id] }) })
  }
  return (
    <Dialog open title={title} onClose={onClose}>
      <QueryState query={query} skeleton={<Skeleton className="h-32 w-full" />}>
        {(all) => (
          <div className="grid gap-4">
            {acts.map((act) => {
              const etiquetas = act === 'adicionar' ? all : all.filter(({ id }) => count(id) > 0)
              return <EtiquetaGroup key={act} {...{ act, etiquetas, note }} onChoose={(one) => choose(act, one)} />
            })}
          </div>
        )}
      </QueryState>
      {acts.includes('adicionar') && <CreateEtiqueta onCreated={(etiqueta) => choose('adicionar', etiqueta)} />}
    </Dialog>
  )
}
