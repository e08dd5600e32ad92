import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'

export interface EditDialogProps {
  readonly mensagem: Mensagem
  /** Resolves with false after a refusal. */
  readonly onSave: (texto: string) => Promise<boolean>
  readonly onClose: () => void
}

export function EditDialog({ mensagem: { texto, edicao = texto }, onSave, onClose }: EditDialogProps) {
  const [typed, setTyped] = useState(edicao)
  const [saving, setSaving] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  // Runs after the dialog opened.
  useEffect(() => field.current?.focus(), [])
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setSaving(true)
    if (await onSave(typed.trim())) onClose()
    else setSaving(false)
  }
  return (
    <Dialog open title="Editar mensagem" onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void save(event)}>
        <Field label="Texto" hint="O cliente vê o texto novo e a palavra “editada”.">
          {(link) => (
            <textarea
              {...link}
              ref={field}
              rows={3}
              className="field max-h-60 resize-none field-sizing-content"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="touch" busy={saving} disabled={typed.trim() === ''}>
          Salvar
        </Button>
      </form>
    </Dialog>
  )
}
