import { FORMAS_PAGAMENTO } from '@balcao/contract/constants'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import { type ReactNode, useId } from 'react'
import { cleanPrice } from '#shared/form/price.ts'
import { PAYMENT_METHOD_LABEL, formatCents } from '#shared/pedidos/pedido-texts.ts'
import { TextField, type TextFieldProps } from '#shared/ui/text-field.tsx'
import type { DraftErrors, PedidoDraft } from './pedido-draft.ts'

interface ChoiceProps<V extends string> {
  readonly legend: string
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: ReactNode }[]
  readonly onChange: (value: V) => void
}

/** A few answers beside each other. */
function Choice<V extends string>({ legend, value, options, onChange }: ChoiceProps<V>) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-sunken p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className="relative grid min-h-11 min-w-0 place-items-center rounded-lg px-1 text-center text-sm font-semibold text-muted has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-brand-ink"
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** A sum in reais. */
function MoneyField(props: TextFieldProps & { readonly onTyped: (typed: string) => void }) {
  const { onTyped, ...field } = props
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      placeholder="0,00"
      maxLength={16}
      {...field}
      onChange={({ currentTarget }) => onTyped(cleanPrice(currentTarget.value))}
    />
  )
}

interface OrderFieldsProps {
  readonly draft: PedidoDraft
  readonly loja: LojaConfig
  readonly errors: DraftErrors
  /** Null: the shop does not deliver there. */
  readonly entregaCentavos: number | null
  readonly onChange: (fields: Partial<PedidoDraft>) => void
}

const TIPOS = [
  { value: 'entrega', label: 'Entrega' },
  { value: 'retirada', label: 'Retirada' },
] as const

export function DeliveryFields({ draft, loja, errors, entregaCentavos, onChange }: OrderFieldsProps) {
  const list = useId()
  const tipos = TIPOS.filter(({ value }) => (value === 'entrega' ? loja.entrega.ativa : loja.retirada))
  const bairros = [...new Set(loja.entrega.taxas.map(({ bairro = '' }) => bairro))].filter((bairro) => bairro !== '')
  const known = draft.bairro.trim() !== '' || draft.cep.trim() !== ''
  return (
    <>
      {tipos.length > 1 && (
        <Choice
          legend="Como o cliente recebe"
          value={draft.tipo}
          options={tipos}
          onChange={(tipo) => onChange({ tipo })}
        />
      )}
      {draft.tipo === 'entrega' && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2">
          <div className="sm:col-span-2">
            <TextField
              label="Endereço"
              autoComplete="off"
              placeholder="Rua, número e complemento"
              maxLength={300}
              value={draft.endereco}
              error={errors.endereco}
              onChange={({ currentTarget }) => onChange({ endereco: currentTarget.value })}
            />
          </div>
          <TextField
            label="Bairro"
            autoComplete="off"
            list={list}
            maxLength={80}
            value={draft.bairro}
            error={errors.bairro}
            hint={known ? feeText(entregaCentavos) : undefined}
            onChange={({ currentTarget }) => onChange({ bairro: currentTarget.value })}
          />
          <TextField
            label="CEP"
            inputMode="numeric"
            autoComplete="off"
            placeholder="00000-000"
            maxLength={9}
            value={draft.cep}
            error={errors.cep}
            onChange={({ currentTarget }) => onChange({ cep: currentTarget.value })}
          />
          <datalist id={list}>
            {bairros.map((bairro) => (
              <option key={bairro} value={bairro}>
                {bairro}
              </option>
            ))}
          </datalist>
        </div>
      )}
    </>
  )
}

function feeText(centavos: number | null): string {
  if (centavos === null) return 'Fora da área de entrega.'
  return centavos === 0 ? 'Entrega grátis.' : `Entrega: ${formatCents(centavos)}.`
}

type PaymentFieldsProps = Pick<OrderFieldsProps, 'draft' | 'loja' | 'errors' | 'onChange'>

export function PaymentFields({ draft, loja: { pagamentos }, errors, onChange }: PaymentFieldsProps) {
  const formas = pagamentos.length === 0 ? FORMAS_PAGAMENTO : pagamentos
  return (
    <>
      <Choice
        legend="Pagamento"
        value={draft.forma}
        options={formas.map((value) => ({ value, label: PAYMENT_METHOD_LABEL[value] }))}
        onChange={(forma) => onChange({ forma })}
      />
      <div className="grid grid-cols-2 gap-3">
        {draft.forma === 'dinheiro' && (
          <MoneyField
            label="Troco para"
            value={draft.troco}
            error={errors.troco}
            onTyped={(troco) => onChange({ troco })}
          />
        )}
        <MoneyField label="Desconto" value={draft.desconto} onTyped={(desconto) => onChange({ desconto })} />
      </div>
      <TextField
        label="Observação do pedido"
        autoComplete="off"
        maxLength={500}
        value={draft.observacao}
        onChange={({ currentTarget }) => onChange({ observacao: currentTarget.value })}
      />
    </>
  )
}
