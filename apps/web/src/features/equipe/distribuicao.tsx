import type { AvaliacaoStats } from '@balcao/contract/entities/avaliacao'
import { formatNumber, formatPercent } from '#shared/format.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { NOTA_WORDS } from './nota.tsx'

const NOTAS_DESCENDING = [5, 4, 3, 2, 1, 0] as const

function notaColor(nota: number): 'brand' | 'warn' | 'danger' {
  if (nota >= 4) return 'brand'
  return nota === 3 ? 'warn' : 'danger'
}

export interface NotaDistributionProps {
  readonly distribuicao: AvaliacaoStats['distribuicaoNotas']
  readonly total: number
}

export function NotaDistribution({ distribuicao, total }: NotaDistributionProps) {
  return (
    <ul className="grid gap-2.5">
      {NOTAS_DESCENDING.map((nota) => {
        const quantas = distribuicao[nota]
        const percentual = total === 0 ? 0 : (quantas * 100) / total
        return (
          <li key={nota} className="grid grid-cols-[6.5rem_minmax(0,1fr)_5.5rem] items-center gap-3 text-sm">
            <span className="whitespace-nowrap">
              <b className="tabular-nums">{nota}</b> <span className="text-muted">{NOTA_WORDS[nota]}</span>
            </span>
            <Meter label={`Nota ${nota}`} percent={percentual} color={notaColor(nota)} />
            <span className="text-right whitespace-nowrap tabular-nums">
              <b>{formatNumber(quantas)}</b>{' '}
              <span className="text-muted">({formatPercent(Math.round(percentual))})</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
