import type { Produto } from '@balcao/contract/entities/produto'
import clsx from 'clsx'
import { ArrowDown, ArrowUp, EllipsisVertical, GripVertical, Pencil, Smartphone, Trash2 } from 'lucide-react'
import type { PointerEvent } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { Foto } from './foto.tsx'
import { formatMoney } from './preco.ts'

export interface CartaoProps {
  readonly produto: Produto
  /** The move buttons stay in place at both ends and only become inactive. */
  readonly primeiro: boolean
  readonly ultimo: boolean
  readonly onMover: (passo: -1 | 1) => void
  readonly onPegar: (evento: PointerEvent<HTMLElement>) => void
  readonly onAlternar: (ativo: boolean) => void
  readonly onEditar: () => void
  readonly onVer: () => void
  readonly onExcluir: () => void
}

/**
 * `content-visibility` renders only visible cards. Only the height is estimated: an estimated width breaks narrow
 * phones.
 */
const FORA_DA_VISTA = { contentVisibility: 'auto', containIntrinsicHeight: 'auto 20rem' } as const

const SEM_ROLAR = { touchAction: 'none', userSelect: 'none' } as const

export function Cartao(props: CartaoProps) {
  const { produto, onEditar, onAlternar } = props
  const { nome, preco, ativo, imagemUrl } = produto
  return (
    <li className="card relative flex flex-col" style={FORA_DA_VISTA}>
      <Foto url={imagemUrl} nome={nome} apagada={!ativo} />
      <div className="flex flex-1 flex-col p-3 pt-1.5 sm:px-4">
        <Controles {...props} />
        <h3 className="mt-1 font-bold break-words">
          <button type="button" className="text-left after:absolute after:inset-0" onClick={onEditar}>
            <span className="sr-only">Editar </span>
            {nome}
          </button>
        </h3>
        <p className="mb-3 tabular-nums text-muted">{formatMoney(preco)}</p>
        <div className="relative z-10 mt-auto border-t pt-3">
          <Switch
            rotulo={
              <>
                {ativo ? 'Ativo' : 'Inativo'}
                <span className="sr-only"> {nome}</span>
              </>
            }
            ligado={ativo}
            onMudar={onAlternar}
          />
        </div>
      </div>
    </li>
  )
}

const ICONE = { size: 18, 'aria-hidden': true } as const

function Controles({ produto, primeiro, ultimo, onMover, onPegar, onEditar, onVer, onExcluir }: CartaoProps) {
  const { nome, ordem } = produto
  const mover = (rotulo: string, passo: -1 | 1, parado: boolean) => (
    <IconButton
      rotulo={`${rotulo} ${nome}`}
      dica={false}
      // `aria-disabled` instead of `disabled`, which would drop the focus at the last step.
      aria-disabled={parado || undefined}
      className={clsx('!min-h-9 !w-8 text-muted', parado && 'opacity-60')}
      icone={passo < 0 ? <ArrowUp {...ICONE} /> : <ArrowDown {...ICONE} />}
      onClick={() => {
        if (!parado) onMover(passo)
      }}
    />
  )
  return (
    <div className="relative z-10 -mr-2 -ml-2 flex items-center">
      <span
        aria-hidden
        data-alca
        // A touch drag must not scroll the page.
        style={SEM_ROLAR}
        title="Arraste para mudar a ordem"
        onPointerDown={onPegar}
        className="grid size-10 flex-none cursor-grab place-items-center rounded-lg text-muted hover:bg-sunken"
      >
        <GripVertical {...ICONE} />
      </span>
      <p className="mr-auto truncate text-sm text-muted">Posição {ordem + 1}</p>
      {mover('Subir', -1, primeiro)}
      {mover('Descer', 1, ultimo)}
      <Menu
        rotulo={`Mais ações de ${nome}`}
        className="btn btn-ghost btn-icon !min-h-9 !w-8 text-muted"
        botao={<EllipsisVertical {...ICONE} />}
        itens={[
          { rotulo: 'Editar', icone: <Pencil {...ICONE} />, fazer: onEditar },
          { rotulo: 'Como aparece', icone: <Smartphone {...ICONE} />, fazer: onVer },
          { rotulo: 'Excluir', icone: <Trash2 {...ICONE} />, perigo: true, fazer: onExcluir },
        ]}
      />
    </div>
  )
}
