import { CONTADOR } from '@balcao/contract/constants'
import { LongText, type LongTextProps } from '#shared/form/long-text.tsx'
import { TextField, type TextFieldProps } from '#shared/ui/text-field.tsx'
import { type ReactNode, useId } from 'react'
import clsx from 'clsx'
import { Star } from 'lucide-react'

export function EquipePanelActions({ children }: { children: ReactNode }) {
  return <div className="self-end sm:col-[2] sm:row-start-2">{children}</div>
}

export interface ReportColumn<L> {
  readonly title: string
  readonly value: (line: L) => ReactNode
}

interface ReportTableProps<L> {
  readonly caption: string
  readonly rows: readonly L[]
  readonly keyOf: (line: L) => string
  readonly nameOf: { readonly titulo: string; readonly valor: (line: L) => ReactNode }
  readonly columns: readonly ReportColumn<L>[]
}

/** On phones the numbers scroll sideways and the names stay. The scroll area is reachable by keyboard. */
export function ReportTable<L>({ caption: legenda, rows, keyOf, nameOf, columns }: ReportTableProps<L>) {
  return (
    <div
      role="region"
      aria-label={legenda}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways, also by keyboard
      tabIndex={0}
      className="relative overflow-x-auto"
    >
      <table className="w-full border-collapse text-sm tabular-nums">
        <caption className="sr-only">{legenda}</caption>
        <thead>
          <tr className="border-b text-left text-muted">
            <th scope="col" className="sticky left-0 bg-surface py-2 pr-3 font-semibold">
              {nameOf.titulo}
            </th>
            {columns.map(({ title }) => (
              <th key={title} scope="col" className="px-3 py-2 text-right font-semibold whitespace-nowrap last:pr-0">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((line) => (
            <tr key={keyOf(line)}>
              <th
                scope="row"
                className="sticky left-0 max-w-28 bg-surface py-2.5 pr-3 text-left font-semibold sm:max-w-72"
              >
                {nameOf.valor(line)}
              </th>
              {columns.map(({ title, value }) => (
                <td key={title} className="px-3 py-2.5 text-right whitespace-nowrap last:pr-0">
                  {value(line)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function NoValue() {
  return (
    <span className="text-muted">
      <span aria-hidden>–</span>
      <span className="sr-only">sem dados</span>
    </span>
  )
}

const oneDecimal = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

export const formatNota = (note: number): string => oneDecimal.format(note)

export const NOTA_WORDS = ['Péssimo', 'Muito ruim', 'Ruim', 'Regular', 'Bom', 'Ótimo'] as const

export function notaWord(note: number): string {
  return NOTA_WORDS[Math.round(note)] ?? ''
}

const FIVE_STARS = [0, 1, 2, 3, 4] as const

interface StarsProps {
  readonly nota: number
  readonly size?: number
  readonly className?: string
}

export function Stars({ nota, size = 16, className }: StarsProps) {
  const row = FIVE_STARS.map((star) => (
    <Star key={star} size={size} fill="currentColor" strokeWidth={0} className="flex-none" />
  ))
  return (
    <span aria-hidden className={clsx('relative inline-flex flex-none', className)}>
      <span className="flex text-line">{row}</span>
      <span
        className="absolute inset-y-0 left-0 flex overflow-hidden text-warn-fill"
        style={{ width: `${nota * 20}%` }}
      >
        {row}
      </span>
    </span>
  )
}

export function RuleCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card grid gap-4 p-4 sm:p-5">
      <h3 id={id} className="text-lg font-bold">
        {title}
      </h3>
      {children}
    </section>
  )
}

interface NumberProps extends Omit<TextFieldProps, 'value' | 'onChange'> {
  readonly value: number
  readonly onChange: (value: number) => void
}

export function NumberField({ value, onChange, ...rest }: NumberProps) {
  return (
    <TextField
      {...rest}
      type="number"
      inputMode="numeric"
      value={Number.isNaN(value) ? '' : value}
      onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
    />
  )
}

export function MessageField(props: Omit<LongTextProps, 'total' | 'rows'>) {
  return <LongText {...props} total={CONTADOR.mensagem} rows={3} />
}
