import type { ReactNode } from 'react'

export interface ColunaDaTabela<L> {
  readonly titulo: string
  readonly valor: (linha: L) => ReactNode
}

export interface TabelaProps<L> {
  readonly legenda: string
  readonly linhas: readonly L[]
  readonly chave: (linha: L) => string
  readonly nome: { readonly titulo: string; readonly valor: (linha: L) => ReactNode }
  readonly colunas: readonly ColunaDaTabela<L>[]
}

/** On phones the numbers scroll sideways and the names stay. The scroll area is reachable by keyboard. */
export function Tabela<L>({ legenda, linhas, chave, nome, colunas }: TabelaProps<L>) {
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
              {nome.titulo}
            </th>
            {colunas.map(({ titulo }) => (
              <th key={titulo} scope="col" className="px-3 py-2 text-right font-semibold whitespace-nowrap last:pr-0">
                {titulo}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {linhas.map((linha) => (
            <tr key={chave(linha)}>
              <th
                scope="row"
                className="sticky left-0 max-w-40 bg-surface py-2.5 pr-3 text-left font-semibold sm:max-w-72"
              >
                {nome.valor(linha)}
              </th>
              {colunas.map(({ titulo, valor }) => (
                <td key={titulo} className="px-3 py-2.5 text-right whitespace-nowrap last:pr-0">
                  {valor(linha)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function SemMedida() {
  return (
    <span className="text-muted">
      <span aria-hidden>–</span>
      <span className="sr-only">sem dados</span>
    </span>
  )
}
