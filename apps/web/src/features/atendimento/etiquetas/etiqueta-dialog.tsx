import { CORES_SETOR } from '@balcao/contract/constants'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { criarEtiquetaRoute } from '@balcao/contract/routes/etiquetas'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
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

/** Each new etiqueta gets the next colour, so that neighbours differ. */
function useCreateEtiqueta(known: number, onCreated: (id: string) => void) {
  const client = useQueryClient()
  const [nome, setNome] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy || nome.trim() === '') return
    setBusy(true)
    try {
      const cor = CORES_SETOR[known % CORES_SETOR.length] ?? 'blue'
      const { etiqueta } = await call(criarEtiquetaRoute, { body: { nome: nome.trim(), cor } })
      await client.invalidateQueries({ queryKey: QUERY_KEYS.etiquetas })
      setNome('')
      onCreated(etiqueta.id)
    } catch (cause) {
      setError(errorMessage(cause))
    }
    setBusy(false)
  }
  const change = (fresh: string): void => {
    setNome(fresh)
    setError(undefined)
  }
  return { nome, error, busy, submit, change }
}

interface EtiquetaDialogProps {
  readonly cliente: string
  readonly chosen: ConversaEtiquetas
  readonly onClose: () => void
}

export function EtiquetaDialog({ cliente, chosen, onClose }: EtiquetaDialogProps) {
  const query = useEtiquetas()
  const fresh = useCreateEtiqueta(query.data?.length ?? 0, chosen.toggle)
  return (
    <Dialog open title={`Etiquetas de ${cliente}`} onClose={onClose}>
      <QueryState query={query} skeleton={<Skeleton className="h-32 w-full" />}>
        {(etiquetas) => <EtiquetaOptions etiquetas={etiquetas} chosen={chosen} />}
      </QueryState>
      <form className="mt-4 flex items-end gap-2 border-t pt-4" onSubmit={(event) => void fresh.submit(event)}>
        <div className="min-w-0 flex-1">
          <TextField
            label="Nova etiqueta"
            maxLength={40}
            autoComplete="off"
            value={fresh.nome}
            error={fresh.error}
            onChange={({ currentTarget }) => fresh.change(currentTarget.value)}
          />
        </div>
        <Button type="submit" size="touch" disabled={fresh.nome.trim() === ''} busy={fresh.busy}>
          Criar
        </Button>
      </form>
    </Dialog>
  )
}
