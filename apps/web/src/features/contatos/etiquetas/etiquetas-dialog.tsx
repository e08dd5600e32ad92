import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { ColorChoice } from '#shared/ui/color-choice.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { NewEtiqueta } from './new-etiqueta.tsx'
import { useEtiquetaChanges } from './use-etiqueta-changes.ts'

export function EtiquetasDialog({ onClose }: { readonly onClose: () => void }) {
  const query = useEtiquetas()
  const { remove } = useEtiquetaChanges()
  const [removing, setRemoving] = useState<Etiqueta | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const confirmRemoval = async (): Promise<void> => {
    if (removing === null) return
    setFailure(null)
    await remove(removing.id).catch((error: unknown) => setFailure(errorMessage(error)))
  }
  return (
    <>
      <Dialog open title="Etiquetas" onClose={onClose}>
        {failure !== null && <Notice tone="erro" title={failure} />}
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
        onConfirm={confirmRemoval}
        onClose={() => setRemoving(null)}
      >
        Ela sai de todos os contatos. Os contatos continuam na lista.
      </ConfirmDialog>
    </>
  )
}

function EtiquetaRow({ etiqueta, onRemove }: { readonly etiqueta: Etiqueta; readonly onRemove: () => void }) {
  const { id, nome, cor } = etiqueta
  const { change } = useEtiquetaChanges()
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string | undefined>(undefined)
  const save = async (fields: Partial<Omit<Etiqueta, 'id'>>): Promise<void> => {
    try {
      await change(id, fields)
      setTyped(null)
    } catch (cause) {
      setError(errorMessage(cause))
    }
  }
  const saveName = async (): Promise<void> => {
    const written = (typed ?? nome).trim()
    if (written === '' || written === nome) setTyped(null)
    else await save({ nome: written })
  }
  return (
    <li className="grid gap-1 border-b py-3">
      <div className="flex items-start gap-2">
        <Field label={`Nome da etiqueta ${nome}`} hideLabel error={error} className="min-w-0 flex-1">
          {(link) => (
            <input
              {...link}
              className="field min-h-11 lg:min-h-10"
              maxLength={40}
              value={typed ?? nome}
              onChange={({ currentTarget }) => {
                setTyped(currentTarget.value)
                setError(undefined)
              }}
              onBlur={() => void saveName()}
              onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
            />
          )}
        </Field>
        <IconButton
          label={`Excluir ${nome}`}
          tooltip={false}
          size="touch"
          icon={<Trash2 size={18} aria-hidden />}
          onClick={onRemove}
        />
      </div>
      <ColorChoice label={`Cor da etiqueta ${nome}`} cor={cor} onChange={(chosen) => void save({ cor: chosen })} />
    </li>
  )
}
