import type { Avaliacao } from '@balcao/contract/entities/avaliacao'
import type { Setor } from '@balcao/contract/entities/config'
import clsx from 'clsx'
import { formatDateTime, formatPhone } from '#shared/format.ts'
import { SetorNameChip } from '#shared/ui/setor-chip.tsx'
import { NOTA_WORDS } from '#features/equipe/nota.tsx'
import { findSetor } from '#features/equipe/use-setores.ts'

const NOTA_COLOR = [
  'bg-danger-soft text-danger-ink',
  'bg-danger-soft text-danger-ink',
  'bg-danger-soft text-danger-ink',
  'bg-warn-soft text-warn-ink',
  'bg-brand-soft text-brand-ink',
  'bg-brand-soft text-brand-ink',
] as const

export interface LatestAvaliacoesProps {
  readonly latest: readonly Avaliacao[]
  readonly setores: readonly Setor[]
}

export function LatestAvaliacoes({ latest, setores }: LatestAvaliacoesProps) {
  return (
    <ul aria-label="Últimas avaliações" className="-my-3 divide-y">
      {latest.map(({ id, nota, cliente, protocolo, setor, operador, criadaEm }) => (
        <li key={id} className="flex items-start gap-3 py-3">
          <span
            className={clsx(
              'grid size-11 flex-none place-items-center rounded-xl text-lg font-extrabold',
              NOTA_COLOR[nota],
            )}
          >
            <span className="sr-only">Nota </span>
            {nota}
          </span>
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <p className="min-w-0 font-bold break-words">{cliente.nome}</p>
              <time dateTime={criadaEm} className="text-sm text-muted tabular-nums">
                {formatDateTime(criadaEm)}
              </time>
            </div>
            <p className="text-sm text-muted">
              {NOTA_WORDS[nota]} · {formatPhone(cliente.telefone)}
              {operador !== undefined && ` · quem atendeu: ${operador}`}
            </p>
            {(setor !== undefined || protocolo !== undefined) && (
              <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-muted">
                {setor !== undefined && <SetorNameChip setor={findSetor(setores, setor)} />}
                {protocolo !== undefined && <span className="tabular-nums">Protocolo {protocolo}</span>}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
