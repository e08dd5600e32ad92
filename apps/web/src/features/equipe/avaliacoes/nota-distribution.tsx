import type { AvaliacaoStats } from '@balcao/contract/entities/avaliacao'
import { formatNumber, formatPercent } from '#shared/format.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { NOTA_WORDS } from '#features/equipe/nota.tsx'

const NOTAS_DESCENDING = [5, 4, 3, 2, 1, 0] as const

function notaColor(note: number): 'brand' | 'warn' | 'danger' {
  if (note >= 4) return 'brand'
  return note === 3 ? 'warn' : 'danger'
}

export interface NotaDistributionProps {
  readonly distribuicao: AvaliacaoStats['distribuicaoNotas']
  readonly total: number
}

export function NotaDistribution({ distribuicao, total }: NotaDistributionProps) {
  return (
    <ul className="grid gap-2.5">
      {NOTAS_DESCENDING.map((note) => {
        const count = distribuicao[note]
        const percentual = total === 0 ? 0 : (count * 100) / total
        return (
          <li key={note} className="grid grid-cols-[6.5rem_minmax(0,1fr)_5.5rem] items-center gap-3 text-sm">
            <span className="whitespace-nowrap">
              <b className="tabular-nums">{note}</b> <span className="text-muted">{NOTA_WORDS[note]}</span>
            </span>
            <Meter label={`Nota ${note}`} percent={percentual} color={notaColor(note)} />
            <span className="text-right whitespace-nowrap tabular-nums">
              <b>{formatNumber(count)}</b> <span className="text-muted">({formatPercent(Math.round(percentual))})</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
