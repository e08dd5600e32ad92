import type { Ato } from '@balcao/contract/entities/auditoria'
import { formatDate, noFuso } from '#shared/format.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { Chip } from '#shared/ui/chip.tsx'
import { nomeDe } from './auditoria-em-csv.ts'
import { ROTULO_DA_ACAO } from './rotulos-da-auditoria.ts'

const hora = noFuso({ timeStyle: 'medium' })

export function ListaDeAtos({ atos }: { atos: readonly Ato[] }) {
  const cabeTabela = useMediaQuery('(min-width: 64rem)')
  return cabeTabela ? <Tabela atos={atos} /> : <Cartoes atos={atos} />
}

const COLUNAS = ['Quando', 'Ação', 'Quem', 'Sobre quem', 'De onde', 'Resultado'] as const

function Tabela({ atos }: { atos: readonly Ato[] }) {
  return (
    <div className="card overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead className="border-b border-line text-muted">
          <tr>
            {COLUNAS.map((coluna) => (
              <th key={coluna} scope="col" className="px-3 py-3 font-semibold first:pl-4 last:pr-4">
                {coluna}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line align-top">
          {atos.map((ato) => (
            <tr key={ato.id} className="hover:bg-sunken">
              <td className="py-2.5 pr-3 pl-4 whitespace-nowrap">
                <Quando em={ato.em} />
              </td>
              <td className="max-w-60 px-3 py-2.5">
                <OQue ato={ato} />
              </td>
              <td className="max-w-52 px-3 py-2.5">
                <Pessoa pessoa={ato.quem} />
              </td>
              <td className="max-w-52 px-3 py-2.5">
                {ato.alvo === null ? <span className="text-muted">—</span> : <Pessoa pessoa={ato.alvo} />}
              </td>
              <td className="px-3 py-2.5 break-all tabular-nums">{ato.ip === '' ? '—' : ato.ip}</td>
              <td className="py-2.5 pr-4 pl-3">
                <Resultado resultado={ato.resultado} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cartoes({ atos }: { atos: readonly Ato[] }) {
  return (
    <ul className="card divide-y divide-line">
      {atos.map((ato) => (
        <li key={ato.id} className="grid grid-cols-[minmax(0,1fr)] gap-1.5 p-4 text-sm">
          <div className="flex items-start justify-between gap-3">
            <OQue ato={ato} />
            <Resultado resultado={ato.resultado} />
          </div>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
            <dt className="text-muted">Quem</dt>
            <dd>
              <Pessoa pessoa={ato.quem} />
            </dd>
            {ato.alvo !== null && (
              <>
                <dt className="text-muted">Sobre quem</dt>
                <dd>
                  <Pessoa pessoa={ato.alvo} />
                </dd>
              </>
            )}
          </dl>
          <p className="flex flex-wrap gap-x-3 text-muted tabular-nums">
            <Quando em={ato.em} />
            {ato.ip !== '' && <span className="break-all">{ato.ip}</span>}
          </p>
        </li>
      ))}
    </ul>
  )
}

function Quando({ em }: { em: string }) {
  return (
    <time dateTime={em} className="tabular-nums">
      {formatDate(em)} {hora(em)}
    </time>
  )
}

function OQue({ ato: { acao, detalhe } }: { ato: Ato }) {
  return (
    <div className="min-w-0">
      <span className="block font-semibold">{ROTULO_DA_ACAO[acao]}</span>
      {detalhe !== '' && <span className="block text-muted">{detalhe}</span>}
    </div>
  )
}

function Pessoa({ pessoa }: { pessoa: Ato['quem'] }) {
  const nome = nomeDe(pessoa)
  const email = pessoa?.email ?? ''
  return (
    <span className="block min-w-0">
      <span className="block truncate" title={nome}>
        {nome}
      </span>
      {email !== '' && email !== nome && (
        <span className="block truncate text-muted" title={email}>
          {email}
        </span>
      )}
    </span>
  )
}

function Resultado({ resultado }: Pick<Ato, 'resultado'>) {
  return resultado === 'feito' ? <Chip tom="verde">Feito</Chip> : <Chip tom="vermelho">Recusado</Chip>
}
