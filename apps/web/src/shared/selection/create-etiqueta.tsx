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
import { TextField } from '#shared/ui/text-field.tsx'

interface CreateEtiquetaProps {
  readonly onCreated: (etiqueta: Etiqueta) => void
}

/** The foot of a dialog of etiquetas. Each new etiqueta gets the next colour, so that neighbours differ. */
export function CreateEtiqueta({ onCreated }: CreateEtiquetaProps) {
  const client = useQueryClient()
  const { data: known = [] } = useEtiquetas()
  const [nome, setNome] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy || nome.trim() === '') return
    setBusy(true)
    try {
      const cor = CORES_SETOR[known.length % CORES_SETOR.length] ?? 'blue'
      const { etiqueta } = await call(criarEtiquetaRoute, { body: { nome: nome.trim(), cor } })
      await client.invalidateQueries({ queryKey: QUERY_KEYS.etiquetas })
      setNome('')
      onCreated(etiqueta)
    } catch (cause) {
      setError(errorMessage(cause))
    }
    setBusy(false)
  }
  return (
    <form className="mt-4 flex items-end gap-2 border-t pt-4" onSubmit={(event) => void submit(event)}>
      <div className="min-w-0 flex-1">
        <TextField
          label="Nova etiqueta"
          maxLength={40}
          autoComplete="off"
          value={nome}
          error={error}
          onChange={({ currentTarget }) => {
            setNome(currentTarget.value)
            setError(undefined)
          }}
        />
      </div>
      <Button type="submit" size="touch" disabled={nome.trim() === ''} busy={busy}>
        Criar
      </Button>
    </form>
  )
}
