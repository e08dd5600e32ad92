import type { CorSetor } from '@balcao/contract/constants'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { ColorChoice } from '#shared/ui/color-choice.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useEtiquetaChanges } from './use-etiqueta-changes.ts'

const focusField = (field: HTMLInputElement | null): void => field?.focus()

interface NewEtiquetaProps {
  readonly onCreated: (etiqueta: Etiqueta) => void
}

/** A button that opens the fields of a new etiqueta. Not a form, because it may be inside one. */
export function NewEtiqueta({ onCreated }: NewEtiquetaProps) {
  const [open, setOpen] = useState(false)
  // The closed fields return their focus to the button.
  const returning = useRef(false)
  const close = (): void => {
    returning.current = true
    setOpen(false)
  }
  const onButton = (button: HTMLButtonElement | null): void => {
    if (returning.current) button?.focus()
    returning.current = false
  }
  if (open) return <EtiquetaFields onCreated={onCreated} onClose={close} />
  return (
    <div>
      <Button ref={onButton} size="touch" onClick={() => setOpen(true)}>
        <Plus size={16} aria-hidden /> Nova etiqueta
      </Button>
    </div>
  )
}

function EtiquetaFields({ onCreated, onClose }: NewEtiquetaProps & { readonly onClose: () => void }) {
  const { create } = useEtiquetaChanges()
  const [nome, setNome] = useState('')
  const [cor, setCor] = useState<CorSetor>('green')
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    if (busy || nome.trim() === '') return
    setBusy(true)
    try {
      onCreated(await create({ nome: nome.trim(), cor }))
      onClose()
    } catch (cause) {
      setError(errorMessage(cause))
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    void save()
  }
  return (
    <div className="grid gap-2 rounded-card bg-sunken p-3">
      <TextField
        label="Nome da nova etiqueta"
        ref={focusField}
        autoComplete="off"
        maxLength={40}
        value={nome}
        error={error}
        onChange={({ currentTarget }) => {
          setNome(currentTarget.value)
          setError(undefined)
        }}
        onKeyDown={onKeyDown}
      />
      <ColorChoice label="Cor da nova etiqueta" cor={cor} onChange={setCor} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" size="touch" busy={busy} disabled={nome.trim() === ''} onClick={() => void save()}>
          Criar etiqueta
        </Button>
        <Button size="touch" onClick={onClose}>
          Cancelar
        </Button>
      </div>
    </div>
  )
}
