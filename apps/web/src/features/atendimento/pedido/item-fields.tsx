import type { Grupo, Produto } from '@balcao/contract/entities/produto'
import { QUANTIDADE_MAXIMA } from '@balcao/contract/entities/pedido'
import { activeOpcoes, type PricedItem } from '@balcao/engine/pedidos/totals'
import { Minus, Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { formatCents } from '#shared/pedidos/pedido-texts.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { type DraftItem, rangeText } from './pedido-draft.ts'

interface ItemFieldsProps {
  readonly item: DraftItem
  /** Undefined: it is not sold any more. */
  readonly produto: Produto | undefined
  readonly priced: PricedItem | null
  readonly error: string | undefined
  readonly onChange: (fields: Partial<DraftItem>) => void
  readonly onRemove: () => void
}

/** Amount, options and remark of an item of an order. */
export function ItemFields({ item, produto, priced, error, onChange, onRemove }: ItemFieldsProps) {
  const id = useId()
  const nome = produto?.nome ?? 'Produto fora de venda'
  const { quantidade } = item
  return (
    <li aria-labelledby={id} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 rounded-xl border p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h4 id={id} className="min-w-0 flex-1 basis-32 font-semibold break-words">
          {nome}
        </h4>
        <span className="tabular-nums">
          {priced?.tipo === 'item' ? formatCents(quantidade * priced.item.precoCentavos) : '–'}
        </span>
      </div>
      {produto?.grupos.map((grupo) => (
        <GrupoChoice key={grupo.id} grupo={grupo} chosen={item.opcoes} onChange={(opcoes) => onChange({ opcoes })} />
      ))}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-40">
          <TextField
            label="Observação"
            placeholder="Sem cebola"
            maxLength={300}
            value={item.observacao}
            onChange={({ currentTarget }) => onChange({ observacao: currentTarget.value })}
          />
        </div>
        <div className="flex flex-1 items-center justify-end gap-1">
          <IconButton
            label={quantidade === 1 ? `Tirar ${nome}` : `Menos ${nome}`}
            tooltip={false}
            size="touch"
            variant="outline"
            icon={quantidade === 1 ? <Trash2 size={18} aria-hidden /> : <Minus size={18} aria-hidden />}
            onClick={() => (quantidade === 1 ? onRemove() : onChange({ quantidade: quantidade - 1 }))}
          />
          <output aria-label={`Quantidade de ${nome}`} className="min-w-8 text-center font-bold tabular-nums">
            {quantidade}
          </output>
          <IconButton
            label={`Mais ${nome}`}
            tooltip={false}
            size="touch"
            variant="outline"
            disabled={quantidade >= QUANTIDADE_MAXIMA}
            icon={<Plus size={18} aria-hidden />}
            onClick={() => onChange({ quantidade: quantidade + 1 })}
          />
        </div>
      </div>
      {error !== undefined && (
        <p role="alert" className="text-sm font-semibold text-danger-ink">
          {error}
        </p>
      )}
    </li>
  )
}

interface GrupoChoiceProps {
  readonly grupo: Grupo
  /** Options of all groups of the item. */
  readonly chosen: readonly string[]
  readonly onChange: (opcoes: readonly string[]) => void
}

function GrupoChoice({ grupo, chosen, onChange }: GrupoChoiceProps) {
  const name = useId()
  const options = activeOpcoes(grupo)
  const mine = options.filter(({ id }) => chosen.includes(id)).map(({ id }) => id)
  const others = chosen.filter((id) => options.every((option) => option.id !== id))
  const single = grupo.maximo === 1
  const full = !single && mine.length >= grupo.maximo
  const toggle = (id: string): void => {
    if (mine.includes(id)) return onChange([...others, ...mine.filter((other) => other !== id)])
    onChange([...others, ...(single ? [] : mine), id])
  }
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">
        {grupo.nome} <span className="font-normal text-muted">({rangeText(grupo)})</span>
      </legend>
      <div className="grid sm:grid-cols-2">
        {options.map(({ id, nome, acrescimoCentavos }) => (
          <label key={id} className="flex min-h-11 items-center gap-3 text-sm">
            <input
              type={single && grupo.minimo === 1 ? 'radio' : 'checkbox'}
              name={name}
              className="size-5 flex-none accent-brand"
              checked={mine.includes(id)}
              disabled={full && !mine.includes(id)}
              onChange={() => toggle(id)}
            />
            <span className="min-w-0 flex-1 break-words">{nome}</span>
            {acrescimoCentavos > 0 && (
              <span className="text-muted tabular-nums">+ {formatCents(acrescimoCentavos)}</span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
