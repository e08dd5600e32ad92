import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { ColorChoice } from '#shared/ui/color-choice.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { NewEtiqueta } from './new-etiqueta.tsx'
import { useEtiquetaChanges } from './use-etiqueta-changes.ts'

export function EtiquetasDialog({ onClose }: { readonly onClose: () => void }) {
  const query = useEtiquetas()
  const { remove } = useEtiquetaChanges()
  const [removing, setRemoving] = useState<Etiqueta | null>(null)
  return (
    <>
      <Dialog open title="Etiquetas" onClose={onClose}>
        <QueryState query={query} skeleton={<Skeleton className="h-40 w-full" />}>
          {(etiquetas) => (
            <>
              {etiquetas.length === 0 && <p className="mb-4 text-muted">Crie etiquetas para separar seus contatos.</p>}
              <ul className="mb-4">
                {etiquetas.map((etiqueta) => (
                  <EtiquetaRow key={etiqueta.id} etiqueta={etiqueta} onRemove={() => setRemoving(etiqueta)} />
                ))}
              </ul>
            </>
          )}
        </QueryState>
        <NewEtiqueta onCreated={() => undefined} />
      </Dialog>
      <ConfirmDialog
        open={removing !== null}
        title={`Excluir a etiqueta ${removing?.nome ?? ''}?`}
        confirmLabel="Excluir etiqueta"
        onConfirm={() => (removing === null ? undefined : remove(removing.id))}
        onClose={() => setRemoving(null)}
      >
        Ela sai de todos os contatos. Os contatos continuam na lista.
      </ConfirmDialog>
    </>
  )
}

/** Saves the name on blur. A blank or refused name returns to the stored one. */
function EtiquetaRow({ etiqueta, onRemove }: { readonly etiqueta: Etiqueta; readonly onRemove: () => void }) {
  const { id, nome, cor } = etiqueta
  const { change } = useEtiquetaChanges()
  const [typed, setTyped] = useState<string | null>(null)
  const save = async (): Promise<void> => {
    const written = (typed ?? nome).trim()
    if (written !== '' && written !== nome) await change(id, { nome: written })
    setTyped(null)
  }
  return (
    <li className="grid gap-1 border-b py-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={`Nome da etiqueta ${nome}`}
            maxLength={40}
            value={typed ?? nome}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onBlur={() => void save()}
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        </div>
        <IconButton
          label={`Excluir ${nome}`}
          tooltip={false}
          size="touch"
          icon={<Trash2 size={18} aria-hidden />}
          onClick={onRemove}
        />
      </div>
      <ColorChoice
        label={`Cor da etiqueta ${nome}`}
        cor={cor}
        onChange={(chosen) => void change(id, { cor: chosen })}
      />
    </li>
  )
}
