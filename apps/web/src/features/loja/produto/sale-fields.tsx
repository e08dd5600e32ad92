import { useId } from 'react'
import { CirclePause, CirclePlay } from 'lucide-react'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { IntegerField } from '#shared/form/integer-field.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import type { Catalog } from '#shared/data/produtos.ts'
import { isPaused, tomorrow } from '#features/loja/catalogo/pause.ts'
import { GroupEditor } from './grupos/group-editor.tsx'
import type { ProdutoFormState } from './use-produto-form.ts'

interface SaleFieldsProps {
  readonly form: ProdutoFormState
  readonly catalog: Catalog
}

/** Fields that only orders use. They start open when the produto has one of them. */
export function SaleFields({ form, catalog }: SaleFieldsProps) {
  const { values, errors, change, sells } = form
  return (
    <details open={sells} className="rounded-xl border">
      <summary className="px-4 py-3 font-semibold">Estoque, categoria e opções</summary>
      <div className="grid gap-4 p-3 pt-0">
        <StockFields form={form} catalog={catalog} />
        <Pause until={values.pausadoAte} onChange={(pausadoAte) => change({ pausadoAte })} />
        <GroupEditor grupos={values.grupos} errors={errors} onChange={(grupos) => change({ grupos })} />
      </div>
    </details>
  )
}

function StockFields({ form: { values, errors, change }, catalog }: SaleFieldsProps) {
  const id = useId()
  const categorias = [...new Set(catalog.map(({ categoria }) => categoria))].filter((one) => one !== '')
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <IntegerField
          label="Estoque"
          name="estoque"
          hint="Em branco, não é contado. Cada pedido desconta."
          value={values.estoque}
          error={errors['estoque']}
          digits={7}
          onChange={(estoque) => change({ estoque })}
        />
        <TextField
          label="Categoria"
          name="categoria"
          list={id}
          autoComplete="off"
          maxLength={60}
          placeholder="Salgados, bebidas…"
          value={values.categoria}
          error={errors['categoria']}
          onChange={({ currentTarget }) => change({ categoria: currentTarget.value })}
        />
        <datalist id={id}>
          {categorias.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      </div>
      <TextField
        label="Outros nomes"
        name="sinonimos"
        autoComplete="off"
        hint="Separe por vírgula. O bot entende o pedido também por eles, como “coca” e “refri”."
        value={values.sinonimos}
        error={errors['sinonimos']}
        onChange={({ currentTarget }) => change({ sinonimos: currentTarget.value })}
      />
    </>
  )
}

interface PauseProps {
  /** Empty: sold now. */
  readonly until: string
  readonly onChange: (until: string) => void
}

function Pause({ until, onChange }: PauseProps) {
  const paused = isPaused(until === '' ? undefined : until)
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 text-sm">
        <span className="block font-semibold">Acabou por hoje?</span>
        <span className="block text-muted">
          {paused
            ? `Pausado até ${formatDateTime(until)}. Depois volta a vender.`
            : 'Pausado, ele fica na lista e o bot diz que não está disponível.'}
        </span>
      </p>
      <Button className="min-h-11" onClick={() => onChange(paused ? '' : tomorrow())}>
        {paused ? <CirclePlay size={18} aria-hidden /> : <CirclePause size={18} aria-hidden />}
        {paused ? 'Voltar a vender' : 'Pausar até amanhã'}
      </Button>
    </div>
  )
}
