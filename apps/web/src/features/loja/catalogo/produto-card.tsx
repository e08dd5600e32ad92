import type { Produto } from '@balcao/contract/entities/produto'
import clsx from 'clsx'
import {
  ArrowDown,
  ArrowUp,
  CirclePause,
  CirclePlay,
  EllipsisVertical,
  GripVertical,
  Pencil,
  Smartphone,
  Trash2,
} from 'lucide-react'
import { type PointerEvent, useState } from 'react'
import { Chip } from '#shared/ui/chip.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { formatNumber } from '#shared/format.ts'
import { formatMoney } from '#shared/form/price.ts'
import { isPaused, tomorrow } from './pause.ts'

export interface ProdutoCardProps {
  readonly produto: Produto
  /** The move buttons stay in place at both ends and only become inactive. */
  readonly first: boolean
  readonly last: boolean
  readonly onMove: (step: -1 | 1) => void
  readonly onGrab: (event: PointerEvent<HTMLElement>) => void
  readonly onToggle: (active: boolean) => void
  /** Null: it is sold again. */
  readonly onPause: (until: string | null) => void
  readonly onEdit: () => void
  readonly onView: () => void
  readonly onDelete: () => void
}

/**
 * `content-visibility` renders only visible cards. Only the height is estimated: an estimated width breaks narrow
 * phones.
 */
const OFF_SCREEN_STYLE = { contentVisibility: 'auto', containIntrinsicHeight: 'auto 20rem' } as const

const NO_SCROLL_STYLE = { touchAction: 'none', userSelect: 'none' } as const

export function ProdutoCard(props: ProdutoCardProps) {
  const { produto, onEdit, onToggle } = props
  const { nome, preco, ativo, imagemUrl } = produto
  return (
    <li className="card relative flex flex-col" style={OFF_SCREEN_STYLE}>
      <ProdutoPhoto url={imagemUrl} name={nome} faded={!ativo} />
      <div className="flex flex-1 flex-col p-3 pt-1.5 sm:px-4">
        <CardControls {...props} />
        <h3 className="mt-1 font-bold break-words">
          <button type="button" className="text-left after:absolute after:inset-0" onClick={onEdit}>
            <span className="sr-only">Editar </span>
            {nome}
          </button>
        </h3>
        <p className="mb-3 flex flex-wrap items-center gap-2 tabular-nums text-muted">
          {formatMoney(preco)} <SaleState produto={produto} />
        </p>
        <div className="relative z-10 mt-auto border-t pt-3">
          <Switch
            label={
              <>
                {ativo ? 'Ativo' : 'Inativo'}
                <span className="sr-only"> {nome}</span>
              </>
            }
            on={ativo}
            onChange={onToggle}
          />
        </div>
      </div>
    </li>
  )
}

function SaleState({ produto: { estoque, pausadoAte } }: { produto: Produto }) {
  return (
    <>
      {estoque === 0 ? (
        <Chip tone="vermelho">Esgotado</Chip>
      ) : (
        estoque !== null && <Chip>{formatNumber(estoque)} em estoque</Chip>
      )}
      {isPaused(pausadoAte) && <Chip tone="amarelo">Pausado</Chip>}
    </>
  )
}

const ICON_PROPS = { size: 18, 'aria-hidden': true } as const

function pauseItem({ produto, onPause }: ProdutoCardProps): MenuItem {
  return isPaused(produto.pausadoAte)
    ? { label: 'Voltar a vender', icon: <CirclePlay {...ICON_PROPS} />, run: () => onPause(null) }
    : { label: 'Pausar até amanhã', icon: <CirclePause {...ICON_PROPS} />, run: () => onPause(tomorrow()) }
}

function CardControls(props: ProdutoCardProps) {
  const { produto, first, last, onMove, onGrab, onEdit, onView, onDelete } = props
  const { nome, ordem } = produto
  const move = (rotulo: string, step: -1 | 1, stopped: boolean) => (
    <IconButton
      label={`${rotulo} ${nome}`}
      tooltip={false}
      // `aria-disabled` instead of `disabled`, which would drop the focus at the last step.
      aria-disabled={stopped || undefined}
      className={clsx('!min-h-9 !w-8 text-muted', stopped && 'opacity-60')}
      icon={step < 0 ? <ArrowUp {...ICON_PROPS} /> : <ArrowDown {...ICON_PROPS} />}
      onClick={() => {
        if (!stopped) onMove(step)
      }}
    />
  )
  return (
    <div className="relative z-10 -mr-2 -ml-2 flex items-center">
      <span
        aria-hidden
        data-alca
        // A touch drag must not scroll the page.
        style={NO_SCROLL_STYLE}
        title="Arraste para mudar a ordem"
        onPointerDown={onGrab}
        className="grid size-10 flex-none cursor-grab place-items-center rounded-lg text-muted hover:bg-sunken"
      >
        <GripVertical {...ICON_PROPS} />
      </span>
      <p className="mr-auto truncate text-sm text-muted">Posição {ordem + 1}</p>
      {move('Subir', -1, first)}
      {move('Descer', 1, last)}
      <Menu
        label={`Mais ações de ${nome}`}
        className="btn btn-ghost btn-icon !min-h-9 !w-8 text-muted"
        button={<EllipsisVertical {...ICON_PROPS} />}
        items={[
          { label: 'Editar', icon: <Pencil {...ICON_PROPS} />, run: onEdit },
          { label: 'Como aparece', icon: <Smartphone {...ICON_PROPS} />, run: onView },
          pauseItem(props),
          { label: 'Excluir', icon: <Trash2 {...ICON_PROPS} />, danger: true, run: onDelete },
        ]}
      />
    </div>
  )
}

interface ProdutoPhotoProps {
  readonly url: string | null
  readonly name: string
  readonly faded: boolean
}

const FADED_CLASS = { filter: 'grayscale(1)', opacity: 0.6 } as const

/** The server has thumbnails only for images that it stores. */
const thumbnailUrl = (url: string): string => (url.startsWith('/api/') ? `${url}?mini` : url)

function ProdutoPhoto({ url, name, faded }: ProdutoPhotoProps) {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <div
      className="wall relative grid aspect-[16/10] place-items-center overflow-clip border-b text-2xl font-extrabold text-muted"
      style={faded ? FADED_CLASS : undefined}
    >
      {url === null || url === broken ? (
        <span aria-hidden>{name.trim().slice(0, 1).toUpperCase()}</span>
      ) : (
        <img
          src={thumbnailUrl(url)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          // Absolute, or a tall image would stretch the card.
          className="absolute inset-0 size-full object-cover"
          onError={() => setBroken(url)}
        />
      )}
    </div>
  )
}
