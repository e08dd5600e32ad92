import type { Ato } from '@balcao/contract/entities/auditoria'
import { formatDate, zonedFormat } from '#shared/format.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { Chip } from '#shared/ui/chip.tsx'
import { AUDITORIA_ACTION_LABEL } from './auditoria-labels.ts'
import { toCsv } from '#shared/download.ts'

const timeFormat = zonedFormat({ timeStyle: 'medium' })

export function AtoList({ atos }: { atos: readonly Ato[] }) {
  const fitsTable = useMediaQuery('(min-width: 64rem)')
  return fitsTable ? <AtoTable atos={atos} /> : <AtoCards atos={atos} />
}

const COLUMNS = ['Quando', 'Ação', 'Quem', 'Sobre quem', 'De onde', 'Resultado'] as const

function AtoTable({ atos }: { atos: readonly Ato[] }) {
  return (
    <div className="card overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead className="border-b border-line text-muted">
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className="px-3 py-3 font-semibold first:pl-4 last:pr-4">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line align-top">
          {atos.map((act) => (
            <tr key={act.id} className="hover:bg-sunken">
              <td className="py-2.5 pr-3 pl-4 whitespace-nowrap">
                <When em={act.em} />
              </td>
              <td className="max-w-60 px-3 py-2.5">
                <AtoDescription ato={act} />
              </td>
              <td className="max-w-52 px-3 py-2.5">
                <Person pessoa={act.quem} />
              </td>
              <td className="max-w-52 px-3 py-2.5">
                {act.alvo === null ? <span className="text-muted">—</span> : <Person pessoa={act.alvo} />}
              </td>
              <td className="px-3 py-2.5 break-all tabular-nums">{act.ip === '' ? '—' : act.ip}</td>
              <td className="py-2.5 pr-4 pl-3">
                <AtoResult resultado={act.resultado} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AtoCards({ atos }: { atos: readonly Ato[] }) {
  return (
    <ul className="card divide-y divide-line">
      {atos.map((act) => (
        <li key={act.id} className="grid grid-cols-[minmax(0,1fr)] gap-1.5 p-4 text-sm">
          <div className="flex items-start justify-between gap-3">
            <AtoDescription ato={act} />
            <AtoResult resultado={act.resultado} />
          </div>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
            <dt className="text-muted">Quem</dt>
            <dd>
              <Person pessoa={act.quem} />
            </dd>
            {act.alvo !== null && (
              <>
                <dt className="text-muted">Sobre quem</dt>
                <dd>
                  <Person pessoa={act.alvo} />
                </dd>
              </>
            )}
          </dl>
          <p className="flex flex-wrap gap-x-3 text-muted tabular-nums">
            <When em={act.em} />
            {act.ip !== '' && <span className="break-all">{act.ip}</span>}
          </p>
        </li>
      ))}
    </ul>
  )
}

function When({ em }: { em: string }) {
  return (
    <time dateTime={em} className="tabular-nums">
      {formatDate(em)} {timeFormat(em)}
    </time>
  )
}

function AtoDescription({ ato: { acao, detalhe } }: { ato: Ato }) {
  return (
    <div className="min-w-0">
      <span className="block font-semibold">{AUDITORIA_ACTION_LABEL[acao]}</span>
      {detalhe !== '' && <span className="block text-muted">{detalhe}</span>}
    </div>
  )
}

function Person({ pessoa }: { pessoa: Ato['quem'] }) {
  const name = personName(pessoa)
  const email = pessoa?.email ?? ''
  return (
    <span className="block min-w-0">
      <span className="block truncate" title={name}>
        {name}
      </span>
      {email !== '' && email !== name && (
        <span className="block truncate text-muted" title={email}>
          {email}
        </span>
      )}
    </span>
  )
}

function AtoResult({ resultado }: Pick<Ato, 'resultado'>) {
  return resultado === 'feito' ? <Chip tone="verde">Feito</Chip> : <Chip tone="vermelho">Recusado</Chip>
}

const dateAndTime = zonedFormat({ dateStyle: 'short', timeStyle: 'medium' })

function personName(person: Ato['quem']): string {
  if (person === null) return 'Sistema'
  return person.nome || person.email || 'Conta apagada'
}

export function auditoriaToCsv(acts: readonly Ato[]): string {
  return toCsv([
    ['Quando', 'Ação', 'Resultado', 'Quem', 'E-mail de quem', 'Sobre quem', 'E-mail sobre quem', 'De onde', 'Detalhe'],
    ...acts.map(({ em, acao, resultado, quem, alvo, ip, detalhe }) => [
      dateAndTime(em).replace(',', ''),
      AUDITORIA_ACTION_LABEL[acao],
      resultado === 'feito' ? 'Feito' : 'Recusado',
      personName(quem),
      quem?.email ?? '',
      alvo === null ? '' : personName(alvo),
      alvo?.email ?? '',
      ip,
      detalhe,
    ]),
  ])
}
