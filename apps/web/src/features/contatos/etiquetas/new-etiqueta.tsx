import type { CorSetor } from '@balcao/contract/constants'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { ColorChoice } from '#shared/ui/color-choice.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useEtiquetaChanges } from './use-etiqueta-changes.ts'

const focusField = (field: HTMLInputElement | null): void => field?.focus()

/** A button that opens the fields of a new etiqueta. Not a form, because it may be inside one. */
export function NewEtiqueta({ onCreated }: { readonly onCreated: (etiqueta: Etiqueta) => void }) {
  const { create } = useEtiquetaChanges()
  const [nome, setNome] = useState<string | null>(null)
  const [cor, setCor] = useState<CorSetor>('green')
  const [busy, setBusy] = useState(false)
  if (nome === null) {
    return (
      <div>
        <Button size="touch" onClick={() => setNome('')}>
          <Plus size={16} aria-hidden /> Nova etiqueta
        </Button>
      </div>
    )
  }
  const save = async (): Promise<void> => {
    if (busy || nome.trim() === '') return
    setBusy(true)
    const etiqueta = await create({ nome: nome.trim(), cor })
    setBusy(false)
    if (etiqueta === null) return
    setNome(null)
    onCreated(etiqueta)
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
        onChange={({ currentTarget }) => setNome(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ColorChoice label="Cor da nova etiqueta" cor={cor} onChange={setCor} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" size="touch" busy={busy} disabled={nome.trim() === ''} onClick={() => void save()}>
          Criar etiqueta
        </Button>
        <Button size="touch" onClick={() => setNome(null)}>
          Cancelar
        </Button>
      </div>
    </div>
  )
}
