import { type Tarifa, tarifasSchema } from '@balcao/contract/entities/custos'
import { salvarTarifasRoute, tarifasRoute } from '@balcao/contract/routes/custos'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { FormEvent } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { formatIsoDate } from '#shared/format.ts'
import { useConfigForm } from '#shared/form/use-config-form.ts'
import { useRowFocus } from '#shared/hooks/use-row-focus.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { Select } from '#shared/ui/select.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { notifyError } from '#features/admin/usuarios/usuario-actions.ts'
import { FoldedCard } from './folded-card.tsx'

const RATES_KEY = ['admin', 'tarifas'] as const

/** Meta's prices, by which the owners' costs are estimated. */
export function RatesCard() {
  return (
    <FoldedCard
      heading="Tarifas da Meta"
      text="O preço de uma mensagem da API oficial. Uma mudança vale só para as próximas mensagens. Use * para os outros países."
    >
      <LoadedRates />
    </FoldedCard>
  )
}

function LoadedRates() {
  const query = useQuery({
    queryKey: RATES_KEY,
    queryFn: async ({ signal }) => (await call(tarifasRoute, { signal })).tarifas,
  })
  return (
    <QueryState query={query} skeleton={<Skeleton className="h-28 w-full" />}>
      {(tarifas) => <RatesForm stored={tarifas} />}
    </QueryState>
  )
}

const CATEGORIES = [
  { valor: 'service', rotulo: 'Atendimento' },
  { valor: 'utility', rotulo: 'Utilidade' },
  { valor: 'marketing', rotulo: 'Marketing' },
  { valor: 'authentication', rotulo: 'Autenticação' },
  { valor: 'authentication_international', rotulo: 'Autenticação internacional' },
  { valor: 'marketing_lite', rotulo: 'Marketing reduzido' },
]

/** The price as typed, in units of the currency. */
interface RateDraft extends Omit<Tarifa, 'milionesimos'> {
  readonly price: string
}

const MILLION = 1_000_000

const draftOf = ({ milionesimos, ...rate }: Tarifa): RateDraft => ({
  ...rate,
  price: String(milionesimos / MILLION).replace('.', ','),
})

const rateOf = ({ price, ...draft }: RateDraft): Tarifa => ({
  ...draft,
  milionesimos: price.trim() === '' ? Number.NaN : Math.round(Number(price.trim().replace(',', '.')) * MILLION),
})

const PRICE_MAX = 10_000
const NO_PRICE = `Informe o preço de cada tarifa, até ${PRICE_MAX}, como 0,0345.`

/** Null: the table can be saved. */
function problemOf(rates: readonly Tarifa[]): string | null {
  const priced = rates.every(({ milionesimos }) => milionesimos >= 0 && milionesimos <= PRICE_MAX * MILLION)
  if (!priced) return NO_PRICE
  const checked = tarifasSchema.safeParse(rates)
  return checked.success ? null : (checked.error.issues[0]?.message ?? 'Confira as tarifas')
}

const newRate = (): RateDraft => ({
  ...{ vigenteDesde: formatIsoDate(Date.now()), categoria: 'service', pais: 'BR', price: '', moeda: 'BRL' },
})

function useRatesForm(stored: Tarifa[]) {
  const client = useQueryClient()
  const form = useConfigForm({
    loaded: stored,
    valuesOf: (tarifas) => ({ rows: tarifas.map(draftOf) }),
    send: async (_base, { rows }) => {
      const { tarifas } = await call(salvarTarifasRoute, { body: { tarifas: rows.map(rateOf) } })
      client.setQueryData(RATES_KEY, tarifas)
      return tarifas
    },
  })
  const { rows } = form.values
  const problem = problemOf(rows.map(rateOf))
  const { list, focusRow } = useRowFocus()
  const write = async (): Promise<void> => {
    const outcome = await form.save()
    if (outcome.tipo === 'salva') notify.sucesso('Tarifas salvas com sucesso!')
    else notifyError('Erro ao salvar as tarifas', outcome.error)
  }
  return {
    ...form,
    rows,
    ...{ list, problem },
    add: (): void => {
      form.change({ rows: [...rows, newRate()] })
      focusRow(rows.length)
    },
    /** Null removes the row. */
    replace: (index: number, row: RateDraft | null): void => {
      form.change({ rows: rows.flatMap((one, at) => (at !== index ? [one] : row === null ? [] : [row])) })
      if (row === null) focusRow(index)
    },
    submit: (event: FormEvent): void => {
      event.preventDefault()
      if (problem === null) void write()
    },
  }
}

function RatesForm({ stored }: { stored: Tarifa[] }) {
  const { rows, list, problem, changed, saving, add, replace, discard, submit } = useRatesForm(stored)
  const guard = useUnsavedGuard(changed && !saving)
  return (
    <form noValidate className="grid gap-3" onSubmit={submit}>
      {rows.length === 0 && (
        <p className="text-sm text-muted">Nenhuma tarifa. Sem elas, os custos das lojas ficam em zero.</p>
      )}
      <ul ref={list} className="divide-y divide-line border-t border-line">
        {rows.map((row, index) => (
          <RateRow key={index} number={index + 1} row={row} onChange={(changedRow) => replace(index, changedRow)} />
        ))}
      </ul>
      {problem !== null && (
        <p role="alert" className="text-sm font-semibold text-danger-ink">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="touch" onClick={add}>
          <Plus size={16} aria-hidden /> Adicionar tarifa
        </Button>
        <Button type="submit" variant="primary" size="touch" busy={saving} disabled={problem !== null || !changed}>
          {saving ? 'Salvando…' : 'Salvar tarifas'}
        </Button>
        {changed && !saving && (
          <Button variant="ghost" size="touch" onClick={discard}>
            Descartar
          </Button>
        )}
      </div>
      <LeaveUnsavedDialog guard={guard}>As tarifas ainda não foram salvas.</LeaveUnsavedDialog>
    </form>
  )
}

interface RateRowProps {
  readonly number: number
  readonly row: RateDraft
  /** Null removes the row. */
  readonly onChange: (row: RateDraft | null) => void
}

function RateRow({ number, row, onChange }: RateRowProps) {
  const known = CATEGORIES.some(({ valor }) => valor === row.categoria)
  const options = known ? CATEGORIES : [...CATEGORIES, { valor: row.categoria, rotulo: row.categoria }]
  return (
    <li className="grid grid-cols-2 gap-3 py-3">
      <TextField
        label="Vale desde"
        type="date"
        value={row.vigenteDesde}
        onChange={({ currentTarget }) => onChange({ ...row, vigenteDesde: currentTarget.value })}
      />
      <Select
        label="Categoria"
        value={row.categoria}
        options={options}
        onChange={(categoria) => onChange({ ...row, categoria })}
      />
      <TextField
        label="País"
        value={row.pais}
        maxLength={2}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange({ ...row, pais: currentTarget.value.toUpperCase() })}
      />
      <TextField
        label="Preço por mensagem"
        value={row.price}
        inputMode="decimal"
        maxLength={14}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange({ ...row, price: currentTarget.value })}
      />
      <TextField
        label="Moeda"
        value={row.moeda}
        maxLength={3}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange({ ...row, moeda: currentTarget.value.toUpperCase() })}
      />
      <Button size="touch" variant="ghost" className="mt-auto" onClick={() => onChange(null)}>
        Remover<span className="sr-only"> a tarifa {number}</span>
      </Button>
    </li>
  )
}
