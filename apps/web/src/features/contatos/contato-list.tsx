import type { Contato } from '@balcao/contract/entities/contato'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { MessageCircle, Send } from 'lucide-react'
import { customerContact, initialOf } from '#shared/format.ts'
import { RowCheck } from '#shared/selection/row-check.tsx'
import type { RowSelection } from '#shared/selection/use-row-selection.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { SetorNameChip } from '#shared/ui/setor-chip.tsx'

export interface ContatoListProps {
  readonly contatos: readonly Contato[]
  readonly etiquetas: readonly Etiqueta[]
  readonly rows: RowSelection
  /** The rows belong to the search before. */
  readonly outdated: boolean
  readonly more: boolean
  readonly loadingMore: boolean
  readonly onMore: () => void
  readonly onEdit: (id: string) => void
  readonly onWrite: (contato: Contato) => void
}

export function ContatoList({
  contatos,
  etiquetas,
  outdated,
  more,
  loadingMore,
  onMore,
  ...actions
}: ContatoListProps) {
  return (
    <div className="card" aria-busy={outdated || undefined}>
      <ul aria-label="Contatos" className={clsx('divide-y', outdated && 'opacity-60')}>
        {contatos.map((contato) => (
          <ContatoRow key={contato.id} contato={contato} etiquetas={etiquetas} {...actions} />
        ))}
      </ul>
      {more && (
        <div className="border-t p-3 text-center">
          <Button size="touch" busy={loadingMore} onClick={onMore}>
            {loadingMore ? 'Carregando…' : 'Mostrar mais'}
          </Button>
        </div>
      )}
    </div>
  )
}

interface ContatoRowProps extends Pick<ContatoListProps, 'rows' | 'onEdit' | 'onWrite'> {
  readonly contato: Contato
  readonly etiquetas: readonly Etiqueta[]
}

/** The browser skips layout and paint of the rows outside the window. */
const ROW =
  'flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]'

function ContatoRow({ contato, etiquetas, rows, onEdit, onWrite }: ContatoRowProps) {
  const { id, nome, conversaAbertaId, pediuParada = false } = contato
  const address = customerContact(contato)
  const shown = nome || address || 'Sem nome'
  const tags = etiquetas.filter((etiqueta) => contato.etiquetas.includes(etiqueta.id))
  return (
    <li data-linha={id} className={clsx(ROW, rows.ids.has(id) && 'bg-brand-soft')}>
      <RowCheck
        name={shown}
        checked={rows.ids.has(id)}
        shown
        className="-mx-2 min-h-11 flex-none"
        onToggle={(range) => rows.toggle(id, range)}
      />
      <button
        type="button"
        className="flex min-h-11 min-w-0 flex-1 basis-44 items-center gap-3 rounded-lg text-left hover:bg-sunken"
        onClick={() => onEdit(id)}
      >
        <span
          aria-hidden
          className="grid size-10 flex-none place-items-center rounded-full bg-brand-soft font-bold text-brand-ink"
        >
          {initialOf(shown)}
        </span>
        <span className="min-w-0">
          <span className="block truncate font-semibold">
            <span className="sr-only">Editar </span>
            {shown}
          </span>
          {nome !== '' && <span className="block truncate text-sm text-muted tabular-nums">{address}</span>}
        </span>
      </button>
      <div className="flex min-w-0 flex-wrap items-center gap-1 empty:hidden max-lg:order-last max-lg:basis-full lg:max-w-1/2 lg:justify-end">
        {pediuParada && <Chip tone="laranja">Pediu PARAR</Chip>}
        {tags.map((etiqueta) => (
          <SetorNameChip key={etiqueta.id} setor={etiqueta} />
        ))}
      </div>
      {conversaAbertaId === undefined ? (
        <Button size="touch" aria-label={`Escrever para ${shown}`} onClick={() => onWrite(contato)}>
          <Send size={16} aria-hidden /> <span className="max-sm:sr-only">Escrever</span>
        </Button>
      ) : (
        <Link
          to="/dashboard"
          search={{ aba: 'atendimento', c: conversaAbertaId }}
          aria-label={`Abrir conversa com ${shown}`}
          className="btn btn-outline btn-touch"
        >
          <MessageCircle size={16} aria-hidden /> <span className="max-sm:sr-only">Abrir conversa</span>
        </Link>
      )}
    </li>
  )
}
