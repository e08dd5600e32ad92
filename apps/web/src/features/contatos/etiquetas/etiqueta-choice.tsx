import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { SetorDot } from '#shared/ui/setor-chip.tsx'
import { NewEtiqueta } from './new-etiqueta.tsx'

export interface EtiquetaChoiceProps {
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

/** The etiquetas of a contato as check boxes. A new one is chosen immediately. */
export function EtiquetaChoice({ chosen, onChange }: EtiquetaChoiceProps) {
  const { data: etiquetas = [] } = useEtiquetas()
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-semibold">Etiquetas</legend>
      {etiquetas.length > 0 && (
        <div className="flex max-h-48 flex-wrap gap-1.5 overflow-y-auto">
          {etiquetas.map(({ id, nome, cor }) => (
            <label
              key={id}
              className="flex min-h-11 max-w-full lg:min-h-10 items-center gap-2 rounded-[10px] border px-3 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft"
            >
              <input
                type="checkbox"
                className="size-4 flex-none accent-brand"
                checked={chosen.includes(id)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
              <SetorDot cor={cor} className="size-2.5 flex-none" />
              <span className="min-w-0 truncate text-sm font-semibold">{nome}</span>
            </label>
          ))}
        </div>
      )}
      <NewEtiqueta onCreated={({ id }) => onChange([...chosen, id])} />
    </fieldset>
  )
}
