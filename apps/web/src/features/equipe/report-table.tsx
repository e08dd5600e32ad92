import type { ReactNode } from 'react'

export interface ReportColumn<L> {
  readonly title: string
  readonly value: (line: L) => ReactNode
}

export interface ReportTableProps<L> {
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
