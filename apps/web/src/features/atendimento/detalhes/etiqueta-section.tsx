import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, lazy, useId, useState } from 'react'
import { listKey } from '#features/atendimento/envio/quick-replies.tsx'
import { EtiquetaChip } from '#features/atendimento/etiquetas/etiqueta-chip.tsx'
import { type ConversaEtiquetas, useConversaEtiquetas } from '#features/atendimento/etiquetas/use-conversa-etiquetas.ts'
import { useEtiquetas, useEtiquetasOf } from '#shared/data/contatos/etiquetas.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'

const EtiquetaDialog = lazy(async () => ({
  default: (await import('#features/atendimento/etiquetas/etiqueta-dialog.tsx')).EtiquetaDialog,
}))

const NONE: readonly Etiqueta[] = []

function useEtiquetaChoice({ ids, toggle }: ConversaEtiquetas) {
  const { data = NONE } = useEtiquetas()
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [index, setIndex] = useState(0)
  const term = foldAccents(text.trim())
  const found = open ? data.filter(({ id, nome }) => !ids.includes(id) && foldAccents(nome).includes(term)) : NONE
  const selected = Math.min(index, Math.max(0, found.length - 1))
  const change = (fresh: string): void => {
    setText(fresh)
    setOpen(true)
    setIndex(0)
  }
  const choose = ({ id }: Etiqueta): void => {
    toggle(id)
    change('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.key === 'Tab') return
    if (event.key === 'Escape' && open) {
      // The dialog around it stays open.
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
    const action = listKey(event)
    if (action === undefined) return
    event.preventDefault()
    const etiqueta = found[selected]
    if (action !== 'use') {
      setOpen(true)
      setIndex((selected + action + found.length) % Math.max(1, found.length))
    } else if (etiqueta !== undefined) choose(etiqueta)
  }
  return { text, open, found, selected, known: data.length > 0, change, choose, onKeyDown, setOpen }
}

/** Type, and Enter adds the first etiqueta that fits. */
function EtiquetaField({ chosen }: { readonly chosen: ConversaEtiquetas }) {
  const id = useId()
  const { text, open, found, selected, known, change, choose, onKeyDown, setOpen } = useEtiquetaChoice(chosen)
  const listed = found.length > 0
  return (
    <div className="min-w-0 flex-1">
      <input
        role="combobox"
        aria-label="Adicionar etiqueta"
        placeholder="Adicionar etiqueta"
        autoComplete="off"
        aria-expanded={listed}
        aria-controls={listed ? id : undefined}
        aria-activedescendant={listed ? `${id}-${selected}` : undefined}
        className="field"
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {listed && (
        <div
          id={id}
          role="listbox"
          aria-label="Etiquetas"
          className="relative mt-1 max-h-44 overflow-y-auto rounded-xl border bg-surface p-1 shadow-pop"
        >
          {found.map((etiqueta, index) => (
            <button
              key={etiqueta.id}
              id={`${id}-${index}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={index === selected}
              className="block min-h-11 w-full rounded-lg px-3 text-left text-sm hover:bg-sunken lg:min-h-9 aria-selected:bg-brand-soft"
              // The focus stays in the field, whose blur closes the list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(etiqueta)}
            >
              <EtiquetaChip etiqueta={etiqueta} />
            </button>
          ))}
        </div>
      )}
      {open && !listed && text.trim() !== '' && (
        <p role="status" className="mt-1 text-sm text-muted">
          {known ? 'Nenhuma etiqueta com este nome.' : 'Nenhuma etiqueta ainda.'} Crie no botão ao lado.
        </p>
      )}
    </div>
  )
}

export function EtiquetaSection({ conversa }: { readonly conversa: Conversa }) {
  const chosen = useConversaEtiquetas(conversa)
  const etiquetas = useEtiquetasOf(chosen.ids)
  const [creating, setCreating] = useState(false)
  if (conversa.contatoId === undefined) return null
  return (
    <section aria-labelledby="etiquetas-do-cliente">
      <h3 id="etiquetas-do-cliente" className="text-sm text-muted">
        Etiquetas
      </h3>
      <div className="my-1 flex flex-wrap items-center gap-1 pointer-coarse:gap-x-2 pointer-coarse:gap-y-3 pointer-coarse:[&_.chip]:min-h-8">
        {etiquetas.map((etiqueta) => (
          <EtiquetaChip key={etiqueta.id} etiqueta={etiqueta}>
            <button
              type="button"
              aria-label={`Tirar a etiqueta ${etiqueta.nome}`}
              className="relative -mr-1.5 grid size-6 flex-none place-items-center rounded-md hover:bg-surface pointer-coarse:before:absolute pointer-coarse:before:-inset-2.5"
              onClick={() => chosen.toggle(etiqueta.id)}
            >
              <X size={13} aria-hidden />
            </button>
          </EtiquetaChip>
        ))}
      </div>
      <div className="flex items-start gap-1">
        <EtiquetaField chosen={chosen} />
        <IconButton
          label="Ver e criar etiquetas"
          aria-haspopup="dialog"
          icon={<Plus size={18} aria-hidden />}
          onClick={() => setCreating(true)}
        />
      </div>
      {creating && (
        <LazyPart name="as etiquetas">
          <EtiquetaDialog cliente={conversa.cliente.nome} chosen={chosen} onClose={() => setCreating(false)} />
        </LazyPart>
      )}
    </section>
  )
}
